import * as z from 'zod';
import { endpoint } from '../../../contract/endpoint.ts';
import { Refusal } from '../../../contract/envelope.ts';
import { IdParam } from '../../../contract/port.ts';

const BASE = '/panel/api/nodes/drift';
const ById = { params: z.object({ id: IdParam }) };

export const DriftKind = z.enum(['inbound', 'client']);
export type DriftKind = z.infer<typeof DriftKind>;

/** A value as it is shown; texts are cut. Null where there is none, and for what is secret. */
const Shown = z.union([z.string(), z.number(), z.boolean()]).nullable();

/** One field in which an inbound or a client differs. */
export const DriftField = z.object({
  /** Path in the API's own terms, `streamSettings.network`, `totalGB`. */
  field: z.string(),
  /** Tag here of the inbound for which a client has the value; empty = for all. */
  inbound: z.string(),
  /** Only that it differs is told. */
  isSecret: z.boolean(),
  /** What this panel wants now. */
  want: Shown,
  /** What it last applied there, or took over; `isAppliedKnown` false = before this was noted. */
  applied: Shown,
  isAppliedKnown: z.boolean(),
  /** What the node has. */
  has: Shown,
});
export type DriftField = z.infer<typeof DriftField>;

/** An inbound or a client of a node, three ways. */
export const DriftRow = z.object({
  kind: DriftKind,
  /** Tag or folded e-mail on the node; names the row in calls. */
  key: z.string(),
  /** As it is called here, else there. */
  name: z.string(),
  /** Id here; 0 = not known here. */
  id: z.int(),
  /** `missing`: wanted here and not there. `onlyThere`: the node's own. */
  state: z.enum(['same', 'differs', 'missing', 'onlyThere']),
  /** Left alone: neither taken over nor overwritten. */
  isLeft: z.boolean(),
  /** A change made here has not been delivered. */
  isWaiting: z.boolean(),
  fields: z.array(DriftField),
});
export type DriftRow = z.infer<typeof DriftRow>;

const Counts = z.object({ total: z.int(), differ: z.int(), left: z.int() });

export const DriftBoard = z.object({
  /** Ms; when the node was asked. */
  readAt: z.int(),
  /** `follow`: what is edited there is taken over by itself. `show`: it is only shown. */
  remoteEdits: z.enum(['follow', 'show']),
  inbounds: Counts,
  clients: Counts,
  /** More differ than are listed; settle some and read again. */
  isCut: z.boolean(),
  /** How many rows the filter leaves. */
  total: z.int(),
  rows: z.array(DriftRow),
});
export type DriftBoard = z.infer<typeof DriftBoard>;

const queryInt = (least: number, most: number, usual: number) =>
  z.coerce.number().int().min(least).max(most).catch(usual).default(usual);

export const readDrift = endpoint({
  method: 'POST',
  path: `${BASE}/:id/read`,
  summary: 'Reads now what a node has and compares it with what this panel wants and last applied; nothing is changed',
  ...ById,
  /** `underWay`: rows that differ because a delivery has not arrived yet; it makes sense to read again soon. */
  result: z.object({ readAt: z.int(), underWay: z.int() }),
});

export const driftBoard = endpoint({
  method: 'GET',
  path: `${BASE}/:id`,
  summary: 'What the last reading of a node found, in pages; reads it first where nothing was read yet',
  ...ById,
  query: z.object({
    kind: DriftKind.default('inbound'),
    /** Only what differs, or everything. */
    differs: z.enum(['true', 'false']).default('true'),
    page: queryInt(1, 1_000_000, 1),
    pageSize: queryInt(1, 200, 50),
  }),
  result: DriftBoard,
});

export const DriftVerb = z.enum(['adopt', 'send', 'leave']);
export type DriftVerb = z.infer<typeof DriftVerb>;

export const settleDrift = endpoint({
  method: 'POST',
  path: `${BASE}/:id/settle`,
  summary:
    'Takes the node’s state into this panel (adopt), puts this panel’s state there (send) or leaves alone what differs, for rows of the last reading or all of them',
  ...ById,
  body: z.object({
    verb: DriftVerb,
    /** Empty = all that differ. */
    items: z.array(z.object({ kind: DriftKind, key: z.string().max(1024) })).max(5_000),
  }),
  /** What could not be settled is named, with the reason. */
  result: z.object({
    settled: z.int(),
    skipped: z.array(z.object({ name: z.string(), text: z.string(), refusal: Refusal })),
  }),
});

export const setRemoteEdits = endpoint({
  method: 'POST',
  path: `${BASE}/:id/remoteEdits`,
  summary: 'Whether what is edited on the node itself is taken over by itself, or only shown until somebody decides',
  ...ById,
  body: z.object({ remoteEdits: z.enum(['follow', 'show']) }),
  result: z.null(),
});
