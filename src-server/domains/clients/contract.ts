import * as z from 'zod';
import type { FieldCode } from '../../contract/field-texts.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { Reason } from '../../contract/envelope.ts';
import { line } from '../../contract/line.ts';
import { ByteCount, MAX_BYTES } from '../../contract/port.ts';
import { SessionChoice, SessionReport } from '../traffic/contract.ts';

/** Longest e-mail, subId, password and auth value in characters. */
export const MAX_NAME_LENGTH = 255;
/** Largest magnitude of a Date in ms. */
export const MAX_TIME_MS = 8_640_000_000_000_000;
export const MAX_DAYS = 36_500;

export const FLOWS = ['', 'xtls-rprx-vision', 'xtls-rprx-vision-udp443'] as const;

const UUID = /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32})?$/i;
const uuid = z.string().refine((value) => UUID.test(value), 'field.uuid' satisfies FieldCode);

/** A rule for free text: a NUL, which only text inside text can bring this far, ends a text for much that reads it later. */
const WITHOUT_NUL = [(value: string): boolean => !value.includes('\0'), 'field.nul' satisfies FieldCode] as const;

/** Tag of a vless reverse proxy. Object, JSON text of one, blank or null. */
const Reverse = z.union(
  [z.null(), z.object({ tag: z.string().max(MAX_NAME_LENGTH).default('') }), z.string().max(1024)],
  'must be an object with a tag, or null',
);

/** Messaging user id. Old exports carry it as text; blank = none. */
const TelegramId = z.union(
  [
    z.int().min(0).max(MAX_BYTES),
    z
      .string()
      .trim()
      .regex(/^\d{0,15}$/)
      .transform(Number),
  ],
  'must be a whole number, 0 for none',
);

/** Group label. Compared as typed, without surrounding blanks; empty = none. */
const GroupLabel = line(64);

/**
 * A client as callers write it. What an omitted value means depends on the call: a new client and an update take 0 or
 * empty text, re-adding an existing one keeps what is stored. Empty credentials and `subId` are generated (add) or kept
 * (update). Unknown keys are dropped.
 */
export const ClientInput = z
  .object({
    email: z.string().trim().max(MAX_NAME_LENGTH).default(''),
    subId: z.string().trim().max(MAX_NAME_LENGTH).optional(),
    /** UUID, the credential of VLESS and VMess; empty = a new one, or as it was. */
    id: uuid.optional(),
    /** Another name of `id`, as rows of clients carry it. */
    uuid: uuid.optional(),
    /** Password of Trojan, key of Shadowsocks; empty = a new one, or as it was. */
    password: z
      .string()
      .max(MAX_NAME_LENGTH)
      .refine(...WITHOUT_NUL)
      .optional(),
    /** Password of Hysteria; empty = a new one, or as it was. */
    auth: z
      .string()
      .max(MAX_NAME_LENGTH)
      .refine(...WITHOUT_NUL)
      .optional(),
    flow: z.enum(FLOWS).optional(),
    /** Cipher of VMess, for apps; `none` and `zero` become `auto`. Empty = as it was. */
    security: z.enum(['', 'auto', 'aes-128-gcm', 'chacha20-poly1305', 'none', 'zero']).optional(),
    reverse: Reverse.optional(),
    /** Quota in bytes, 0 = unlimited. */
    totalGB: ByteCount.optional(),
    /** End in ms since 1970; 0 = never; negative = length of a term in ms that starts at the first traffic. */
    expiryTime: z.int().min(-MAX_TIME_MS).max(MAX_TIME_MS).optional(),
    /** Addresses that may be connected at the same time, 0 = no limit. */
    limitIp: z.int().min(0).max(1_000_000).optional(),
    tgId: TelegramId.optional(),
    comment: z
      .string()
      .max(2048)
      .refine(...WITHOUT_NUL)
      .optional(),
    /** Whether it may connect. Left out: yes for a new client, unchanged for an existing one. */
    enable: z.boolean().optional(),
    /**
     * Who switched it off, beside `enable: false`. Given, it stays off; left out, a client that only its quota or expiry had
     * switched off comes back when they are moved and leave it room.
     */
    disabledBy: z.enum(['admin', 'loop']).optional(),
    group: GroupLabel.optional(),
    /**
     * Number of the plan that the client has, 0 = none. A new client takes from it what is left out here, also its
     * inbounds; an existing one only remembers it. Left out of an update: as it was.
     */
    planId: z.int().min(0).max(MAX_BYTES).optional(),
    /** Days after which the client renews by itself, 0 = it does not. */
    reset: z.int().min(0).max(MAX_DAYS).optional(),
    /**
     * Day of the month on which it renews instead, at midnight of the panel's time zone, 0 = none. A month without that day
     * has it on its last. Without `expiryTime` the first end is the next such day.
     */
    resetDay: z.int().min(0).max(31).optional(),
    createdAt: z.int().min(0).max(MAX_TIME_MS).optional(),
    created_at: z.int().min(0).max(MAX_TIME_MS).optional(),
  })
  .refine(({ reset, resetDay }) => !reset || !resetDay, {
    path: ['resetDay'],
    message: 'field.resetDay' satisfies FieldCode,
  });
export type ClientInput = z.output<typeof ClientInput>;

/** Counters in bytes, and whether the client may connect. */
export const ClientUsage = z.object({ up: ByteCount, down: ByteCount, enable: z.boolean() });

/** A client with its secrets, without its attachments. */
export const ClientRecord = z.object({
  /** Number of the row; `id` is the UUID. */
  recordId: z.int(),
  email: z.string(),
  subId: z.string(),
  /** UUID, the credential of VLESS and VMess; the number of the row is `recordId`. */
  id: z.string(),
  uuid: z.string(),
  password: z.string(),
  auth: z.string(),
  /** Flow in effect: that of the first inbound it is on that carries one; empty = none. */
  flow: z.string(),
  security: z.string(),
  reverse: z.object({ tag: z.string() }).nullable(),
  totalGB: ByteCount,
  expiryTime: z.int(),
  limitIp: z.int(),
  tgId: z.int(),
  comment: z.string(),
  enable: z.boolean(),
  group: z.string(),
  /** Number of its plan, 0 = none. */
  planId: z.int(),
  reset: z.int(),
  resetDay: z.int(),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type ClientRecord = z.infer<typeof ClientRecord>;

export const ClientRow = ClientRecord.extend({ inboundIds: z.array(z.int()), traffic: ClientUsage });
export type ClientRow = z.infer<typeof ClientRow>;

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
 * All clients in a partition whose parts add up to `total`: depleted; disabled and not depleted; enabled and near a limit;
 * active (a count: the rest). `online` overlaps. Lists are e-mails by record id, whatever the filters.
 */
export const ClientSummary = z.object({
  /** All clients, whatever the filters. */
  total: z.int(),
  /** Clients that are enabled, not depleted and not near a limit: the rest of all. */
  active: z.int(),
  /** E-mails of clients that moved traffic within the last 20 seconds. */
  online: z.array(z.string()),
  /** E-mails of clients whose quota is used up or whose time is over. */
  depleted: z.array(z.string()),
  /** E-mails of enabled clients that are near a limit. */
  expiring: z.array(z.string()),
  /** E-mails of clients that are switched off and not depleted. */
  deactive: z.array(z.string()),
  /** How many there are in `online`. */
  onlineCount: z.int(),
  /** How many there are in `depleted`: the next two together. */
  depletedCount: z.int(),
  /** Clients whose quota is used up and whose time is not over. */
  exhaustedCount: z.int(),
  /** Clients whose time is over, whatever is left of the quota. */
  expiredCount: z.int(),
  /** How many there are in `expiring`. */
  expiringCount: z.int(),
  /** How many there are in `deactive`. */
  deactiveCount: z.int(),
});
export type ClientSummary = z.infer<typeof ClientSummary>;

export const ClientPage = z.object({
  /** Rows of this page. */
  items: z.array(SlimClientRow),
  /** All clients, whatever the filters. */
  total: z.int(),
  filtered: z.int(),
  page: z.int(),
  pageSize: z.int(),
  summary: ClientSummary,
  /** Stored group names and labels in use, sorted without regard to case. */
  groups: z.array(z.string()),
});
export type ClientPage = z.infer<typeof ClientPage>;

export const ExternalLink = z.object({
  /** `link`: one share link; `subscription`: an address whose links are fetched. */
  kind: z.enum(['link', 'subscription']),
  /** The link, or the address, by `kind`. */
  value: z.string(),
  remark: z.string(),
});
export type ExternalLink = z.infer<typeof ExternalLink>;

/** As stored, with how the last fetch of a subscription went; absent until it has been fetched. */
const ShownExternalLink = ExternalLink.extend({
  /** When the subscription was last fetched, in ms since 1970; absent = it was not. */
  lastFetchAt: z.int().optional(),
  /** Why that failed; empty = it went well. */
  lastFetchError: z.string().optional(),
});
export type ShownExternalLink = z.infer<typeof ShownExternalLink>;

/** As callers write one; an empty kind is `link`. */
const ExternalLinkInput = z.object({
  kind: z.string().trim().max(32).default(''),
  value: z.string().trim().max(8192).default(''),
  remark: line(MAX_NAME_LENGTH).default(''),
});
export type ExternalLinkInput = z.output<typeof ExternalLinkInput>;

/** One e-mail's shared counters and limits. */
export const ClientTrafficRow = z.object({
  id: z.int(),
  /** Number of the first inbound it is on, 0 = none. It may be on others too. */
  inboundId: z.int(),
  enable: z.boolean(),
  email: z.string(),
  uuid: z.string(),
  subId: z.string(),
  up: ByteCount,
  down: ByteCount,
  expiryTime: z.int(),
  total: ByteCount,
  reset: z.int(),
  resetDay: z.int(),
  /** When it was seen last, in ms since 1970, 0 = never. */
  lastOnline: z.int(),
});
export type ClientTrafficRow = z.infer<typeof ClientTrafficRow>;

/** What a change did besides being stored; keys are absent when there is nothing to say. */
export const Notes = z.object({
  /** A node concerned is unreachable now; the change is stored and follows later. */
  nodePending: z.literal(true).optional(),
  /**
   * Connections that were open under a credential that no longer works. The core checks users at the handshake only, so
   * they live on (`leftOpen`) unless they were ended one by one (`cut`) or the core had to restart (`ended`). Absent when
   * nobody was connected.
   */
  sessions: z.enum(['leftOpen', 'cut', 'ended']).optional(),
  /** What exactly was done about them, what is left, and which further steps there are (`clients/sessions/end`). */
  sessionReport: SessionReport.optional(),
  /** The core did not take the change; the panel tries again. Its own words. */
  coreError: z.string().optional(),
});
/** Null when there is nothing to say. */
export const ChangeNotes = Notes.nullable();
export type ChangeNotes = z.infer<typeof ChangeNotes>;

export const InboundIds = z.array(z.int().min(1).max(MAX_BYTES)).max(1000).default([]);
const EmailParam = z.object({ email: z.string().max(1024) });
/** What happens to sessions that are open under something that no longer works. */
const OpenSessions = {
  /** How far to go with sessions that are open under what no longer works. */
  sessions: SessionChoice.default('cut'),
};

/** One query value; repeated keys count as one comma list. */
const queryText = (maxLength: number) =>
  z
    .union([z.string(), z.array(z.string()).transform((values) => values.join(','))])
    .pipe(z.string().max(maxLength))
    .default('');
/** Whole number in a query; anything else is `fallback`. */
const queryNumber = (fallback: number) =>
  queryText(32).transform((value) => (/^-?\d{1,9}$/.test(value.trim()) ? Number(value) : fallback));
const queryList = (maxLength: number) =>
  queryText(maxLength).transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
/** Whole number of up to 16 digits; anything else is no bound. */
const queryBound = queryText(32).transform((value) => (/^-?\d{1,16}$/.test(value.trim()) ? Number(value) : null));
/** One of two words, or null for anything else. */
const queryEither = (yes: string, no: string) =>
  queryText(16).transform((value) => (value === yes ? true : value === no ? false : null));
const queryFlag = queryText(8).transform((value) => value === '1' || value.toLowerCase() === 'true');

export const MAX_PAGE_SIZE = 200;
const DEFAULT_PAGE_SIZE = 25;

/** Every value is optional; one that makes no sense is the default, so that a stale saved view still shows clients. */
export const ClientPageQuery = z.object({
  page: queryNumber(1).transform((page) => Math.max(1, page)),
  /** Rows of a page, at most 200; 0 = 25. */
  pageSize: queryNumber(0).transform((size) => (size <= 0 ? DEFAULT_PAGE_SIZE : Math.min(size, MAX_PAGE_SIZE))),
  search: queryText(256),
  /**
   * States, separated by commas, of which a client has one: active, deactive, depleted, exhausted, expired, expiring,
   * online. Unknown words filter nothing.
   */
  filter: queryList(256),
  /** Protocols, separated by commas: on an inbound of one of them. */
  protocol: queryList(256),
  /**
   * Column: email, enable, inboundIds, traffic, remaining, expiryTime, lastOnline, createdAt or updatedAt; anything
   * else = by record id.
   */
  sort: queryText(32),
  order: queryText(32),
  /** Numbers of inbounds, separated by commas: attached to one of them. */
  inbound: queryList(8192).transform((ids) => ids.filter((id) => /^\d{1,15}$/.test(id)).map(Number)),
  /** Groups, separated by commas: in one of them. */
  group: queryText(4096).transform((value) =>
    value.trim() === '' ? [] : [value.trim(), ...value.split(',').map((part) => part.trim())],
  ),
  /** Numbers of plans, separated by commas: of one of them. */
  plan: queryList(1024).transform((ids) => ids.filter((id) => /^\d{1,15}$/.test(id)).map(Number)),
  /** Earliest end, in ms since 1970. Clients that never end or wait for their first traffic are in no range. */
  expiryFrom: queryBound,
  expiryTo: queryBound,
  /** Least that was used, in bytes. */
  usageFrom: queryBound,
  usageTo: queryBound,
  autoRenew: queryEither('on', 'off'),
  hasTgId: queryEither('yes', 'no'),
  hasComment: queryEither('yes', 'no'),
});
export type ClientPageQuery = z.output<typeof ClientPageQuery>;

const BASE = '/panel/api/clients';

export const listClients = endpoint('GET', `${BASE}/list`, {
  summary: 'Every client with secrets, attachments and counters, by record id.',
  result: z.array(ClientRow),
});

export const listClientsPaged = endpoint('GET', `${BASE}/list/paged`, {
  summary: 'One page of clients, searched, filtered and sorted, with a summary over all of them.',
  query: ClientPageQuery,
  result: ClientPage,
});

export const getClient = endpoint('GET', `${BASE}/get/:email`, {
  summary: 'One client with secrets, attachments and external links.',
  params: EmailParam,
  result: z.object({
    client: ClientRecord,
    inboundIds: z.array(z.int()),
    externalLinks: z.array(ShownExternalLink),
    usedTraffic: ByteCount,
    /** When an app last fetched the subscription, in ms since 1970, 0 = never. */
    lastSubFetch: z.int(),
  }),
});

export const addClient = endpoint('POST', `${BASE}/add`, {
  summary: 'Creates a client on one or more inbounds; an equal e-mail and subId attach the existing one.',
  body: z.object({ client: ClientInput, inboundIds: InboundIds }),
  result: ChangeNotes,
  message: 'client.added',
});

export const updateClient = endpoint('POST', `${BASE}/update/:email`, {
  summary: 'Replaces a client on all its inbounds, or on those of `inboundIds`.',
  params: EmailParam,
  query: z.object({
    /** Numbers of inbounds, separated by commas; empty = all that carry the client. */
    inboundIds: queryText(8192)
      .refine((value) => /^(?:\s*\d{1,15}\s*(?:,|$))*$/.test(value), 'field.inboundIds' satisfies FieldCode)
      .transform((value) => {
        const ids = value.split(',').filter((part) => part.trim() !== '');
        return ids.length === 0 ? null : new Set(ids.map(Number));
      }),
    sessions: OpenSessions.sessions,
  }),
  body: ClientInput,
  result: ChangeNotes,
  message: 'client.updated',
});

export const deleteClient = endpoint('POST', `${BASE}/del/:email`, {
  summary: 'Deletes a client from every inbound; its counters stay for the e-mail when `keepTraffic=1`.',
  params: EmailParam,
  query: z.object({
    /** 1 = the counters are kept, and a client that is added later under this name goes on with them. */
    keepTraffic: queryFlag,
    ...OpenSessions,
  }),
  result: ChangeNotes,
  message: 'client.deleted',
});

export const attachClient = endpoint('POST', `${BASE}/:email/attach`, {
  summary: 'Attaches a client to more inbounds; those that carry it already are skipped.',
  params: EmailParam,
  body: z.object({ inboundIds: InboundIds }),
  result: ChangeNotes,
  message: 'client.attached',
});

export const detachClient = endpoint('POST', `${BASE}/:email/detach`, {
  summary: 'Takes a client off inbounds; the client and its counters stay.',
  params: EmailParam,
  query: z.object(OpenSessions),
  body: z.object({ inboundIds: InboundIds }),
  result: ChangeNotes,
  message: 'client.detached',
});

export const setExternalLinks = endpoint('POST', `${BASE}/:email/externalLinks`, {
  summary: "Replaces the links and subscriptions that a client's subscription carries besides its inbounds.",
  params: EmailParam,
  body: z.object({ externalLinks: z.array(ExternalLinkInput).max(200).default([]) }),
  result: z.null(),
  message: 'client.linksSaved',
});

/** Bytes of a client, as a panel above counted them. */
const PushedTotal = z.object({
  email: z.string().trim().max(1024),
  up: ByteCount,
  down: ByteCount,
});
export type PushedTotal = z.output<typeof PushedTotal>;

/** Panel to panel: what a panel above this one counted all over its nodes. */
export const pushClientTraffics = endpoint('POST', '/panel/api/inbounds/pushClientTraffics', {
  summary: 'Takes over totals of a panel that manages this one, for a day; e-mails unknown here are dropped.',
  encoding: 'json',
  body: z.object({
    /** GUID of the panel that sends them; empty = none is taken. */
    masterGuid: line(64).default(''),
    /** GUIDs of the panels that manage that panel, directly or through others. */
    above: z.array(z.string().max(64)).max(1_000).catch([]),
    /** Totals by client. */
    traffics: z.array(PushedTotal).max(200_000).default([]),
  }),
  result: z.null(),
  message: 'client.totalsTaken',
});

export const activeInbounds = endpoint('POST', `${BASE}/activeInbounds`, {
  onStandby: 'answers',
  summary: 'Tags of the inbounds that moved traffic within the last 20 seconds, by the GUID of their panel.',
  result: z.record(z.string(), z.array(z.string())),
});

export const resetClientTraffic = endpoint('POST', `${BASE}/resetTraffic/:email`, {
  summary: 'Zeroes the counters of a client and enables it on every attached inbound.',
  params: EmailParam,
  result: ChangeNotes,
  message: 'client.trafficReset',
});

export const resetAllClientTraffics = endpoint('POST', `${BASE}/resetAllTraffics`, {
  summary: 'Zeroes the counters of every client; those that only their quota had disabled come back.',
  result: ChangeNotes,
  message: 'client.allTrafficReset',
});

export const updateClientTraffic = endpoint('POST', `${BASE}/updateTraffic/:email`, {
  summary: 'Sets the two counters of a client by hand.',
  params: EmailParam,
  body: z.object({ upload: ByteCount, download: ByteCount }),
  result: z.null(),
  message: 'client.trafficUpdated',
});

export const getClientTraffic = endpoint('GET', `${BASE}/traffic/:email`, {
  summary: 'Counters and limits of an e-mail, kept ones of a deleted client too; null when there are none.',
  params: EmailParam,
  result: ClientTrafficRow.extend({ lastSubFetch: z.int() }).nullable(),
});

export const onlineClients = endpoint('POST', `${BASE}/onlines`, {
  onStandby: 'answers',
  summary: 'E-mails that moved traffic within the last 20 seconds.',
  result: z.array(z.string()),
});

export const lastOnlineOfClients = endpoint('POST', `${BASE}/lastOnline`, {
  onStandby: 'answers',
  summary: 'When each client was last seen, in unix seconds; clients never seen are absent.',
  result: z.record(z.string(), z.int()),
});

/** E-mails of a bulk call; blanks and repetitions are dropped. */
const Emails = z.array(z.string().max(1024)).max(500_000).default([]);
/** Items that a bulk call left alone. */
export const Skipped = z.array(Reason.extend({ email: z.string() }));
const Moved = z.int().min(-MAX_BYTES).max(MAX_BYTES).default(0);

export const bulkAdjustClients = endpoint('POST', `${BASE}/bulkAdjust`, {
  summary:
    'Moves or sets the expiry, moves the quota and sets the flow of many clients; what is unlimited is not moved.',
  body: z.object({
    emails: Emails,
    addDays: z.int().min(-MAX_DAYS).max(MAX_DAYS).default(0),
    /** The moment all of them expire, ms since the epoch, before `addDays` moves it; 0 = stays. */
    expiryTime: z.int().min(0).max(MAX_TIME_MS).default(0),
    addBytes: Moved,
    /** `none` clears, a vision flow sets it where supported, anything else leaves it alone. */
    flow: z.string().max(64).default(''),
  }),
  result: Notes.extend({ adjusted: z.int(), skipped: Skipped }),
});

/** A change of more clients than this is not remembered. */
export const MAX_REMEMBERED = 2_000;
const Remember = { remember: queryFlag };
const Switched = Notes.extend({
  changed: z.int(),
  skipped: Skipped,
  /**
   * With `remember=1`: those that the opposite call brings back to how they were; empty when they are too many. Clients
   * that accounting had disabled are not among them: it disables them again by itself.
   */
  turned: z.array(z.string()).optional(),
});

export const bulkEnableClients = endpoint('POST', `${BASE}/bulkEnable`, {
  summary: 'Enables clients; depleted ones go off again at the next round of accounting.',
  query: z.object(Remember),
  body: z.object({ emails: Emails }),
  result: Switched,
});

export const bulkDisableClients = endpoint('POST', `${BASE}/bulkDisable`, {
  summary: 'Disables clients by hand and ends their open sessions as far as asked for.',
  query: z.object({ ...OpenSessions, ...Remember }),
  body: z.object({ emails: Emails }),
  result: Switched,
});

export const bulkDeleteClients = endpoint('POST', `${BASE}/bulkDel`, {
  summary: 'Deletes clients from every inbound.',
  query: z.object(OpenSessions),
  body: z.object({
    emails: Emails,
    /** The counters are kept, and clients that are added later under these names go on with them. */
    keepTraffic: z.boolean().default(false),
  }),
  result: Notes.extend({ deleted: z.int(), skipped: Skipped }),
});

export const bulkCreateClients = endpoint('POST', `${BASE}/bulkCreate`, {
  summary: 'Creates many clients; each item is read and refused by itself.',
  body: z.array(z.unknown()).max(200_000),
  result: Notes.extend({ created: z.int(), skipped: Skipped }),
});

export const bulkAttachClients = endpoint('POST', `${BASE}/bulkAttach`, {
  summary: 'Attaches many clients to many inbounds.',
  body: z.object({ emails: Emails, inboundIds: InboundIds }),
  result: Notes.extend({
    /** Clients that came onto an inbound. */
    attached: z.array(z.string()),
    /** Clients that stood on all of them before. */
    skipped: z.array(z.string()),
    errors: z.array(z.string()),
  }),
});

export const bulkDetachClients = endpoint('POST', `${BASE}/bulkDetach`, {
  summary: 'Takes many clients off many inbounds; the clients stay.',
  query: z.object(OpenSessions),
  body: z.object({ emails: Emails, inboundIds: InboundIds }),
  result: Notes.extend({
    /** Clients that left an inbound. */
    detached: z.array(z.string()),
    /** Clients that stood on none of them. */
    skipped: z.array(z.string()),
    errors: z.array(z.string()),
  }),
});

export const bulkResetClientTraffic = endpoint('POST', `${BASE}/bulkResetTraffic`, {
  summary: 'Zeroes the counters of many clients and enables them.',
  body: z.object({ emails: Emails }),
  result: Notes.extend({ affected: z.int() }),
});

export const deleteDepletedClients = endpoint('POST', `${BASE}/delDepleted`, {
  summary: 'Deletes clients whose quota is used up or whose expiry passed, except those that renew by themselves.',
  result: Notes.extend({ deleted: z.int() }),
});

export const deleteOrphanClients = endpoint('POST', `${BASE}/delOrphans`, {
  summary: 'Deletes clients that are attached to no inbound, with all that belongs to them.',
  result: Notes.extend({ deleted: z.int() }),
});

/** A client as `add` and `import` take it. */
export const ExportedClient = z.object({
  client: z.object({
    email: z.string(),
    subId: z.string(),
    /** UUID, the credential of VLESS and VMess. */
    id: z.string(),
    password: z.string(),
    auth: z.string(),
    flow: z.string(),
    security: z.string(),
    reverse: z.object({ tag: z.string() }).nullable(),
    totalGB: ByteCount,
    expiryTime: z.int(),
    limitIp: z.int(),
    tgId: z.int(),
    comment: z.string(),
    enable: z.boolean(),
    group: z.string(),
    reset: z.int(),
    resetDay: z.int(),
    created_at: z.int(),
    updated_at: z.int(),
  }),
  inboundIds: z.array(z.int()),
});
export type ExportedClient = z.infer<typeof ExportedClient>;

export const exportClients = endpoint('GET', `${BASE}/export`, {
  summary: 'Every client with its secrets and inbounds, for a later import. Usage is not part of it.',
  result: z.array(ExportedClient),
});

export const importClients = endpoint('POST', `${BASE}/import`, {
  summary: 'Creates the clients of an export; existing e-mails are never overwritten.',
  body: z.object({ data: z.string().max(64 * 1024 * 1024) }),
  result: Notes.extend({ created: z.int(), skipped: Skipped }),
});
