import * as z from 'zod';
import { endpoint } from '../../../contract/endpoint.ts';
import { IdParam } from '../../../contract/fields/port.ts';
import { ById, Connection, Flag, NODES_PATH, NodeRefusal, Unsaved } from '../contract.ts';

/** State of a node. Milliseconds, percent, seconds. */
export const NodeProbe = z.object({
  status: z.enum(['online', 'offline']),
  latencyMs: z.int(),
  coreVersion: z.string(),
  panelVersion: z.string(),
  cpuPct: z.number(),
  memPct: z.number(),
  uptimeSecs: z.int(),
  /** Why it is offline, with a remedy if there is one; empty = it is online. */
  error: z.string(),
  refusal: NodeRefusal.nullable(),
  coreState: z.string(),
  coreError: z.string(),
});
export type NodeProbe = z.infer<typeof NodeProbe>;

export const testNode = endpoint('POST', `${NODES_PATH}/test`, {
  summary: 'Asks a panel how it does, nothing of it stored.',
  body: Unsaved,
  result: NodeProbe,
});

export const probeNode = endpoint('POST', `${NODES_PATH}/probe/:id`, {
  summary: 'Asks a node how it does and stores the answer.',
  ...ById,
  result: NodeProbe,
});

export const certFingerprint = endpoint('POST', `${NODES_PATH}/certFingerprint`, {
  summary: 'SHA-256 of the certificate that a panel shows, in base64; it is not verified, and no token is sent.',
  body: Connection,
  result: z.string(),
});

export const nodeInbounds = endpoint('POST', `${NODES_PATH}/inbounds`, {
  summary: 'The inbounds that a panel has, nothing of it stored.',
  body: Unsaved,
  result: z.array(
    z.object({
      id: z.int(),
      tag: z.string(),
      remark: z.string(),
      listen: z.string(),
      protocol: z.string(),
      port: z.int(),
    }),
  ),
});

export const nodeWebCert = endpoint('GET', `${NODES_PATH}/webCert/:id`, {
  summary: "Paths of the panel's own certificate and key on a node.",
  ...ById,
  result: z.object({ webCertFile: z.string(), webKeyFile: z.string() }),
});

export const updateNodePanels = endpoint('POST', `${NODES_PATH}/updatePanel`, {
  summary: 'Launches the update of the panel on nodes, one after the other.',
  body: z.object({
    ids: z.array(z.int()).max(1_000).default([]),
    /** `true` = the development channel. */
    dev: Flag.default(false),
  }),
  /** `ok` = launched; a later probe shows the new version. */
  result: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      /** Whether the update was launched; a later probe shows the new version. */
      ok: z.boolean(),
      /** Why it was not launched; absent = it was. */
      error: z.string().optional(),
    }),
  ),
});

export const NODE_METRICS = ['cpu', 'mem', 'netUp', 'netDown'] as const;
export type NodeMetric = (typeof NODE_METRICS)[number];

export const nodeHistory = endpoint('GET', `${NODES_PATH}/history/:id/:metric/:bucket`, {
  summary: `History of a figure of a node (${NODE_METRICS.join(', ')}): percent, bytes per second.`,
  params: z.object({
    id: IdParam,
    /** Name of the figure: cpu, mem, netUp or netDown. */
    metric: z.string().max(512),
    /** Seconds that one value averages, as in the histories of this panel. */
    bucket: z.string().max(512),
  }),
  /** Start in unix seconds, and the mean of the samples since then. */
  result: z.array(
    z.object({
      /** When the group of samples starts, in seconds since 1970. */
      t: z.int(),
      /** Mean of its samples: percent, or bytes per second. */
      v: z.number(),
    }),
  ),
});
