import * as z from 'zod';
import { endpoint } from '../../../contract/endpoint.ts';
import { Refusal } from '../../../contract/envelope.ts';
import { IdParam } from '../../../contract/fields/port.ts';

const BASE = '/panel/api/nodes/drift';
const ById = { params: z.object({ id: IdParam }) };

export const DriftKind = z.enum(['inbound', 'client']);
export type DriftKind = z.infer<typeof DriftKind>;

/** A value for display; texts are truncated. Null when there is none, or when it is secret. */
const Shown = z.union([z.string(), z.number(), z.boolean()]).nullable();

/** One field in which an inbound or a client differs. */
export const DriftField = z.object({
  /** Path in terms of the API, such as `streamSettings.network` or `totalGB`. */
  field: z.string(),
  /** Tag here of the inbound for which a client has the value; empty = for all. */
  inbound: z.string(),
  /** The values are secret: only the difference is reported. */
  isSecret: z.boolean(),
  /** Value this panel wants now. */
  want: Shown,
  /** Value last applied to the node, or taken over from it; also null when unknown. */
  applied: Shown,
  /** Whether `applied` is known; false = the value was applied before this was recorded. */
  isAppliedKnown: z.boolean(),
  /** Value on the node. */
  has: Shown,
});
export type DriftField = z.infer<typeof DriftField>;

/** Three-way comparison of an inbound or a client of a node. */
export const DriftRow = z.object({
  /** Whether it is an inbound or a client. */
  kind: DriftKind,
  /** Tag or folded e-mail on the node; identifies the row in requests. */
  key: z.string(),
  /** Name here, or else on the node. */
  name: z.string(),
  /** Number here; 0 = not known here. */
  id: z.int(),
  /** `same`, `differs`; `missing`: wanted here but not on the node; `onlyThere`: exists only on the node. */
  state: z.enum(['same', 'differs', 'missing', 'onlyThere']),
  /** Left alone: neither taken over nor overwritten. */
  isLeft: z.boolean(),
  /** A change made here has not been delivered. */
  isWaiting: z.boolean(),
  /** Fields that differ. */
  fields: z.array(DriftField),
});
export type DriftRow = z.infer<typeof DriftRow>;

const Counts = z.object({
  /** Total number. */
  total: z.int(),
  /** Number that differ. */
  differ: z.int(),
  /** Number of these that are left alone. */
  left: z.int(),
});

export const DriftBoard = z.object({
  /** When the node was read, in ms since 1970. */
  readAt: z.int(),
  /** `follow`: edits made there are taken over automatically. `show`: they are only shown. */
  remoteEdits: z.enum(['follow', 'show']),
  /** Counts of inbounds. */
  inbounds: Counts,
  /** Counts of clients. */
  clients: Counts,
  /** More rows differ than are listed; settle some and read again. */
  isCut: z.boolean(),
  /** Number of rows that match the filter. */
  total: z.int(),
  /** Rows of this page. */
  rows: z.array(DriftRow),
});
export type DriftBoard = z.infer<typeof DriftBoard>;

const queryInt = (least: number, most: number, usual: number) =>
  z.coerce.number().int().min(least).max(most).catch(usual).default(usual);

export const readDrift = endpoint('POST', `${BASE}/:id/read`, {
  summary: 'Reads now what a node has and compares it with what this panel wants and last applied; nothing is changed.',
  ...ById,
  /** `underWay`: rows that differ because a delivery has not arrived yet; worth reading again soon. */
  result: z.object({
    /** When the node was read, in ms since 1970. */
    readAt: z.int(),
    /** Rows that differ because a delivery has not arrived yet; worth reading again soon. */
    underWay: z.int(),
  }),
});

export const driftBoard = endpoint('GET', `${BASE}/:id`, {
  summary: 'What the last reading of a node found, in pages; reads it first where nothing was read yet.',
  ...ById,
  query: z.object({
    /** Which rows to list. */
    kind: DriftKind.default('inbound'),
    /** Only differing rows, or all. */
    differs: z.enum(['true', 'false']).default('true'),
    /** Page, counted from 1. */
    page: queryInt(1, 1_000_000, 1),
    pageSize: queryInt(1, 200, 50),
  }),
  result: DriftBoard,
});

export const DriftVerb = z.enum(['adopt', 'send', 'leave']);
export type DriftVerb = z.infer<typeof DriftVerb>;

export const settleDrift = endpoint('POST', `${BASE}/:id/settle`, {
  summary:
    'Takes the node’s state into this panel (adopt), puts this panel’s state there (send) or leaves alone what differs, for rows of the last reading or all of them.',
  ...ById,
  body: z.object({
    /** `adopt`: take over the node's state; `send`: send this panel's state to the node; `leave`: leave it alone. */
    verb: DriftVerb,
    /** Rows to settle; empty = all that differ and are not left alone. */
    items: z
      .array(
        z.object({
          /** Whether it is an inbound or a client. */
          kind: DriftKind,
          /** Key of the row. */
          key: z.string().max(1024),
        }),
      )
      .max(5_000),
  }),
  /** Rows that could not be settled are named, with the reason. */
  result: z.object({
    /** Number of rows settled. */
    settled: z.int(),
    skipped: z.array(
      z.object({
        /** Name of the row that could not be settled. */
        name: z.string(),
        /** Reason, in English. */
        text: z.string(),
        /** The same reason, with its code. */
        refusal: Refusal,
      }),
    ),
  }),
});

export const setRemoteEdits = endpoint('POST', `${BASE}/:id/remoteEdits`, {
  summary: 'Chooses whether what is edited on the node itself is taken over, or only shown until it is decided.',
  ...ById,
  body: z.object({ remoteEdits: z.enum(['follow', 'show']) }),
  result: z.null(),
});
