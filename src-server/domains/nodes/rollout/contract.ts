import * as z from 'zod';
import { endpoint } from '../../../contract/endpoint.ts';
import { NodeRefusal } from '../contract.ts';

const BASE = '/panel/api/nodes';

/** Versions of one node. */
export const NodeVersions = z.object({
  id: z.int(),
  name: z.string(),
  enable: z.boolean(),
  status: z.enum(['unknown', 'online', 'offline']),
  panelVersion: z.string(),
  coreVersion: z.string(),
  coreState: z.string(),
  /** Core that ran there before the last rollout from here, if different; empty = not known. */
  coreVersionBefore: z.string(),
  /** Panel that ran there before the last rollout from here, if different; empty = not known. */
  panelVersionBefore: z.string(),
  /** Its geo files by name; null = not requested or not reported. */
  geoFiles: z
    .array(
      z.object({
        /** Name of the file. */
        name: z.string(),
        /** Size in bytes. */
        size: z.number(),
        /** When its list was released, in ms since 1970, 0 = shipped with the product. */
        updatedAt: z.number(),
      }),
    )
    .nullable(),
});
export type NodeVersions = z.infer<typeof NodeVersions>;

export const nodeVersions = endpoint('GET', `${BASE}/versions`, {
  summary: 'Versions of core, geo files and panel on every node; the geo files are asked of the nodes now.',
  result: z.array(NodeVersions),
});

export const RolloutWhat = z.enum(['core', 'geo', 'panel']);
export type RolloutWhat = z.infer<typeof RolloutWhat>;

/**
 * State of a node. `skipped`: could not be updated at all. `cancelled`: in the middle. `untouched`: before its turn.
 */
export const RolloutLine = z.object({
  id: z.int(),
  name: z.string(),
  /** Number of its wave; 0 is the one node that goes first. */
  wave: z.int(),
  /**
   * State of the node. `skipped`: could not be updated at all; `cancelled`: in the middle; `untouched`: before its
   * turn.
   */
  state: z.enum(['waiting', 'working', 'checking', 'updated', 'failed', 'skipped', 'cancelled', 'untouched']),
  /** Version before; for geo files, that of the core. */
  before: z.string(),
  /** Version afterwards; empty until there is one. */
  after: z.string(),
  /** Why it failed or was skipped, in English; empty = it was not. */
  error: z.string(),
  refusal: NodeRefusal.nullable(),
});
export type RolloutLine = z.infer<typeof RolloutLine>;

/** The last rollout since this panel started. */
export const Rollout = z.object({
  jobId: z.string(),
  /** What is replaced: the core, geo files or the panel. */
  what: RolloutWhat,
  /** Requested core version; empty for others, and for a rollback. */
  version: z.string(),
  /** Whether it restores the version that each node had before. */
  isBack: z.boolean(),
  /** Whether it is in progress. */
  isRunning: z.boolean(),
  /** State of each node, in the order of the waves. */
  lines: z.array(RolloutLine),
});
export type Rollout = z.infer<typeof Rollout>;

export const getRollout = endpoint('GET', `${BASE}/rollout`, {
  summary: 'How the last exchange of versions on nodes went, node by node; null when there was none.',
  result: Rollout.nullable(),
});

export const startRollout = endpoint('POST', `${BASE}/rollout`, {
  summary:
    'Installs a core version, newer geo files or the newest panel on nodes, as a job: one node first, its health checked, then the others in waves; it ends at the first failure.',
  body: z.object({
    /** What is replaced: the core, geo files or the panel. */
    what: RolloutWhat,
    /** Numbers of nodes. */
    ids: z.array(z.int()).min(1).max(1_000),
    /** Tag of the core, as in its list; empty for a rollback and for others. */
    version: z.string().max(64).default(''),
    /** `true` = every node gets its previous version; for the core only. */
    back: z.boolean().default(false),
    /** `true` = the development channel; for the panel only. */
    dev: z.boolean().default(false),
    /** Number of nodes at a time, after the first one. */
    waveSize: z.int().min(1).max(20).default(4),
  }),
  result: z.object({ jobId: z.string() }),
  message: 'node.rolloutStarted',
});
