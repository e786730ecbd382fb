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
  /** Part of the e-mail, or the beginning of an IP address. */
  q: z.string().max(256).default(''),
  /** GUID of the panel that serves the clients; empty = any panel. */
  guid: z.string().max(256).default(''),
  /** Id of an inbound that the clients may be on; 0 = any. */
  inbound: wholeNumber(0, 999_999_999, 0),
};
export const LiveFilter = z.object(Filter);
export type LiveFilter = z.output<typeof LiveFilter>;

export const SORTS = ['email', 'since', 'up', 'down'] as const;

export const LiveSession = z.object({
  email: z.string(),
  /** GUID of the panel that serves the client. */
  guid: z.string(),
  /** Local name of that panel; empty = this panel itself, or one behind a node that has no name here. */
  place: z.string(),
  isHere: z.boolean(),
  /** Start of its uninterrupted online time, in ms since 1970; 0 = before this panel started watching. */
  since: z.int(),
  /** Addresses it is connected from, newest first; empty if the core does not report them. */
  addresses: z.array(
    z.object({
      /** IP address that it is connected from. */
      ip: z.string(),
      /** When it was last seen, in ms since 1970. */
      seen: z.int(),
    }),
  ),
  /** Inbounds of that panel the client may be on: only those with traffic, if any have some. */
  inbounds: z.array(
    z.object({
      /** Id of the inbound. */
      id: z.int(),
      /** Remark of the inbound, or its tag. */
      name: z.string(),
      protocol: z.string(),
    }),
  ),
  /** Upload in bytes per second, on all panels together; null = not known yet. */
  up: z.number().nullable(),
  /** Download in bytes per second, on all panels together; null = not known yet. */
  down: z.number().nullable(),
});
export type LiveSession = z.output<typeof LiveSession>;

export const listLiveSessions = endpoint('GET', `${BASE}/live`, {
  summary:
    'Clients that are online now, by the panel that serves them: from where, on which inbound, since when, how fast.',
  query: z.object({
    ...Filter,
    /** Column to sort by. */
    sort: z.enum(SORTS).default('email'),
    order: z.enum(['ascend', 'descend']).default('ascend'),
    /** Page, counted from 1. */
    page: wholeNumber(1, 999_999_999, 1),
    pageSize: wholeNumber(1, MAX_PAGE_SIZE, 50),
  }),
  result: z.object({
    items: z.array(LiveSession),
    /** Number of online clients, regardless of the filter. */
    total: z.int(),
    filtered: z.int(),
    /** Panels that currently serve clients, for the filter. */
    places: z.array(
      z.object({
        /** GUID of the panel. */
        guid: z.string(),
        /** Local name of that panel; empty = this panel itself, or one behind a node that has no name here. */
        place: z.string(),
        isHere: z.boolean(),
        /** Number of clients that it currently serves. */
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
