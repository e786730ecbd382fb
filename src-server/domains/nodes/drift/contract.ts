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
  /** What it last applied there, or took over; null as well where that is not known. */
  applied: Shown,
  /** Whether `applied` is known; false = the value is older than that was noted. */
  isAppliedKnown: z.boolean(),
  /** What the node has. */
  has: Shown,
});
export type DriftField = z.infer<typeof DriftField>;

/** An inbound or a client of a node, three ways. */
export const DriftRow = z.object({
  /** Whether it is an inbound or a client. */
  kind: DriftKind,
  /** Tag or folded e-mail on the node; names the row in calls. */
  key: z.string(),
  /** As it is called here, else there. */
  name: z.string(),
  /** Number here; 0 = not known here. */
  id: z.int(),
  /** `same`, `differs`; `missing`: wanted here and not there; `onlyThere`: the node's own. */
  state: z.enum(['same', 'differs', 'missing', 'onlyThere']),
  /** Left alone: neither taken over nor overwritten. */
  isLeft: z.boolean(),
  /** A change made here has not been delivered. */
  isWaiting: z.boolean(),
  /** Fields in which it differs. */
  fields: z.array(DriftField),
});
export type DriftRow = z.infer<typeof DriftRow>;

const Counts = z.object({
  /** How many there are. */
  total: z.int(),
  /** How many differ. */
  differ: z.int(),
  /** How many of these are left alone. */
  left: z.int(),
});

export const DriftBoard = z.object({
  /** When the node was asked, in ms since 1970. */
  readAt: z.int(),
  /** `follow`: what is edited there is taken over by itself. `show`: it is only shown. */
  remoteEdits: z.enum(['follow', 'show']),
  /** Counts of inbounds. */
  inbounds: Counts,
  /** Counts of clients. */
  clients: Counts,
  /** More differ than are listed; settle some and read again. */
  isCut: z.boolean(),
  /** How many rows the filter leaves. */
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
  /** `underWay`: rows that differ because a delivery has not arrived yet; it makes sense to read again soon. */
  result: z.object({
    /** When the node was asked, in ms since 1970. */
    readAt: z.int(),
    /** Rows that differ because a delivery has not arrived yet; it makes sense to read again soon. */
    underWay: z.int(),
  }),
});

export const driftBoard = endpoint('GET', `${BASE}/:id`, {
  summary: 'What the last reading of a node found, in pages; reads it first where nothing was read yet.',
  ...ById,
  query: z.object({
    /** Which rows are listed. */
    kind: DriftKind.default('inbound'),
    /** Only what differs, or everything. */
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
    /** `adopt`: the node's state comes into this panel; `send`: this panel's state goes there; `leave`: it is left alone. */
    verb: DriftVerb,
    /** Rows that are meant; empty = all that differ and are not left alone. */
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
  /** What could not be settled is named, with the reason. */
  result: z.object({
    /** How many rows were settled. */
    settled: z.int(),
    skipped: z.array(
      z.object({
        /** Name of the row that could not be settled. */
        name: z.string(),
        /** Why, in English. */
        text: z.string(),
        /** The same, with its code. */
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
