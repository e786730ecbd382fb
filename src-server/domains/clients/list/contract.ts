import * as z from 'zod';
import { endpoint } from '../../../contract/endpoint.ts';
import { ByteCount } from '../../../contract/fields/port.ts';
import { queryBound, queryEither, queryList, queryNumber, queryText } from '../../../contract/fields/query-values.ts';
import { ClientUsage, ClientRow, CLIENTS_PATH } from '../contract.ts';

/** Row of the paged list: no secrets. */
export const SlimClientRow = z.object({
  email: z.string(),
  subId: z.string(),
  enable: z.boolean(),
  totalGB: ByteCount,
  expiryTime: z.int(),
  limitIp: z.int(),
  reset: z.int(),
  resetDay: z.int(),
  group: z.string(),
  /** Number of its plan, 0 = none. */
  planId: z.int(),
  comment: z.string(),
  inboundIds: z.array(z.int()),
  traffic: ClientUsage,
  /** When it was seen last, in ms since 1970, 0 = never. */
  lastOnline: z.int(),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type SlimClientRow = z.infer<typeof SlimClientRow>;

/**
 * A partition of all clients whose parts add up to `total`: depleted; disabled and not depleted; enabled and near a
 * limit; active (a count: the rest). `online` overlaps. Lists are e-mails by record id, regardless of filters.
 */
export const ClientSummary = z.object({
  /** All clients, regardless of filters. */
  total: z.int(),
  /** Clients that are enabled, not depleted and not near a limit: all others. */
  active: z.int(),
  /** E-mails of clients that moved traffic within the last 20 seconds. */
  online: z.array(z.string()),
  /** E-mails of clients that are depleted or expired. */
  depleted: z.array(z.string()),
  /** E-mails of enabled clients that are near a limit. */
  expiring: z.array(z.string()),
  /** E-mails of clients that are disabled and not depleted. */
  deactive: z.array(z.string()),
  /** Number of e-mails in `online`. */
  onlineCount: z.int(),
  /** Number of e-mails in `depleted`: the next two together. */
  depletedCount: z.int(),
  /** Clients that are depleted and not expired. */
  exhaustedCount: z.int(),
  /** Expired clients, whatever is left of the quota. */
  expiredCount: z.int(),
  /** Number of e-mails in `expiring`. */
  expiringCount: z.int(),
  /** Number of e-mails in `deactive`. */
  deactiveCount: z.int(),
});
export type ClientSummary = z.infer<typeof ClientSummary>;

export const ClientPage = z.object({
  /** Rows of this page. */
  items: z.array(SlimClientRow),
  /** All clients, regardless of filters. */
  total: z.int(),
  filtered: z.int(),
  page: z.int(),
  pageSize: z.int(),
  summary: ClientSummary,
  /** Stored group names and labels in use, sorted ignoring case. */
  groups: z.array(z.string()),
});
export type ClientPage = z.infer<typeof ClientPage>;

export const MAX_PAGE_SIZE = 200;
const DEFAULT_PAGE_SIZE = 25;

/** Every value is optional; invalid ones count as the default, so that an outdated saved view still shows clients. */
export const ClientPageQuery = z.object({
  page: queryNumber(1).transform((page) => Math.max(1, page)),
  /** Rows per page, at most 200; 0 = 25. */
  pageSize: queryNumber(0).transform((size) => (size <= 0 ? DEFAULT_PAGE_SIZE : Math.min(size, MAX_PAGE_SIZE))),
  search: queryText(256),
  /**
   * States to match, separated by commas: active, deactive, disabled (deactive and not depleted), depleted, exhausted,
   * expired, expiring, online. With an unknown word every client matches.
   */
  filter: queryList(256),
  /** Protocols, separated by commas: clients on an inbound of one of them. */
  protocol: queryList(256),
  /**
   * Column: email, enable, inboundIds, traffic, remaining, expiryTime, lastOnline, createdAt or updatedAt; anything
   * else = by record id.
   */
  sort: queryText(32),
  order: queryText(32),
  /** Numbers of inbounds, separated by commas: clients attached to one of them. */
  inbound: queryList(8192).transform((ids) => ids.filter((id) => /^\d{1,15}$/.test(id)).map(Number)),
  /** Groups, separated by commas: clients in one of them. If a group has the whole text as its name, only that one. */
  group: queryText(4096).transform((value) =>
    value.trim() === '' ? [] : [value.trim(), ...value.split(',').map((part) => part.trim())],
  ),
  /** Numbers of client plans, separated by commas: clients with one of them. */
  plan: queryList(1024).transform((ids) => ids.filter((id) => /^\d{1,15}$/.test(id)).map(Number)),
  /** Earliest end, in ms since 1970. Clients that never end or wait for their first traffic match no range. */
  expiryFrom: queryBound,
  expiryTo: queryBound,
  /** Minimum usage, in bytes. */
  usageFrom: queryBound,
  usageTo: queryBound,
  autoRenew: queryEither('on', 'off'),
  hasTgId: queryEither('yes', 'no'),
  hasComment: queryEither('yes', 'no'),
});
export type ClientPageQuery = z.output<typeof ClientPageQuery>;

export const listClients = endpoint('GET', `${CLIENTS_PATH}/list`, {
  summary: 'Every client with secrets, attachments and counters, by record id.',
  result: z.array(ClientRow),
});

export const listClientsPaged = endpoint('GET', `${CLIENTS_PATH}/list/paged`, {
  summary: 'One page of clients, searched, filtered and sorted, with a summary over all of them.',
  query: ClientPageQuery,
  result: ClientPage,
});
