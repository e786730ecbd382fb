import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { SessionChoice, SessionReport } from '../traffic/contract.ts';

const BASE = '/panel/api/clients/sessions';
const MAX_PAGE_SIZE = 200;

const wholeNumber = (least: number, most: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .default(String(fallback))
    .transform(Number)
    .pipe(z.int().min(least).max(most));

const Filter = {
  /** Part of the e-mail, or the beginning of an address. */
  q: z.string().max(256).default(''),
  /** GUID of the panel that serves them; empty = everywhere. */
  guid: z.string().max(256).default(''),
  /** Id of an inbound that they may be on; 0 = any. */
  inbound: wholeNumber(0, 999_999_999, 0),
};
export const LiveFilter = z.object(Filter);
export type LiveFilter = z.output<typeof LiveFilter>;

export const SORTS = ['email', 'since', 'up', 'down'] as const;

export const LiveSession = z.object({
  email: z.string(),
  /** GUID of the panel that serves the client. */
  guid: z.string(),
  /** What this panel calls that one; empty = this panel itself, or one behind a node that has no name here. */
  place: z.string(),
  isHere: z.boolean(),
  /** Since when it is online without a break, in ms since 1970; 0 = since before this panel has looked. */
  since: z.int(),
  /** Where it is connected from, the newest first; empty where the core does not tell. */
  addresses: z.array(
    z.object({
      /** Address that it is connected from. */
      ip: z.string(),
      /** When it was seen last, in ms since 1970. */
      seen: z.int(),
    }),
  ),
  /** Inbounds of that place the client may be on: those that move traffic, where any does. */
  inbounds: z.array(
    z.object({
      /** Number of the inbound. */
      id: z.int(),
      /** Remark of the inbound, or its tag. */
      name: z.string(),
      protocol: z.string(),
    }),
  ),
  /** Bytes per second that it uploads, at all places together; null = not known yet. */
  up: z.number().nullable(),
  /** Bytes per second that it downloads, at all places together; null = not known yet. */
  down: z.number().nullable(),
});
export type LiveSession = z.output<typeof LiveSession>;

export const listLiveSessions = endpoint('GET', `${BASE}/live`, {
  summary:
    'Clients that are online now, by the panel that serves them: from where, on which inbound, since when, how fast.',
  query: z.object({
    ...Filter,
    /** Column by which rows are ordered. */
    sort: z.enum(SORTS).default('email'),
    order: z.enum(['ascend', 'descend']).default('ascend'),
    /** Page, counted from 1. */
    page: wholeNumber(1, 999_999_999, 1),
    pageSize: wholeNumber(1, MAX_PAGE_SIZE, 50),
  }),
  result: z.object({
    items: z.array(LiveSession),
    /** How many there are, whatever the filter. */
    total: z.int(),
    filtered: z.int(),
    /** Panels that serve clients now, for the filter. */
    places: z.array(
      z.object({
        /** GUID of the panel. */
        guid: z.string(),
        /** What this panel calls that one; empty = this panel itself, or one behind a node that has no name here. */
        place: z.string(),
        isHere: z.boolean(),
        /** Clients that it serves now. */
        count: z.int(),
      }),
    ),
    /** The panel's clock, in ms since 1970. */
    now: z.int(),
  }),
});

export const endLiveSessions = endpoint('POST', `${BASE}/endLive`, {
  summary: 'Ends the open sessions of all clients that are online and match, at most 10,000 of them.',
  body: z.object({
    q: Filter.q,
    guid: Filter.guid,
    inbound: z.int().min(0).default(0),
    how: SessionChoice,
  }),
  result: SessionReport,
});
