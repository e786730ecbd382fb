import * as z from 'zod';
import type { FieldCode } from '../../contract/field-texts.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { line } from '../../contract/line.ts';
import { ByteCount, MAX_BYTES } from '../../contract/port.ts';
import { queryFlag, queryText } from '../../contract/query-values.ts';
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
export const OpenSessions = {
  /** How far to go with sessions that are open under what no longer works. */
  sessions: SessionChoice.default('cut'),
};

export const CLIENTS_PATH = '/panel/api/clients';

export const getClient = endpoint('GET', `${CLIENTS_PATH}/get/:email`, {
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

export const addClient = endpoint('POST', `${CLIENTS_PATH}/add`, {
  summary: 'Creates a client on one or more inbounds; an equal e-mail and subId attach the existing one.',
  body: z.object({ client: ClientInput, inboundIds: InboundIds }),
  result: ChangeNotes,
  message: 'client.added',
});

export const updateClient = endpoint('POST', `${CLIENTS_PATH}/update/:email`, {
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

export const deleteClient = endpoint('POST', `${CLIENTS_PATH}/del/:email`, {
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

export const attachClient = endpoint('POST', `${CLIENTS_PATH}/:email/attach`, {
  summary: 'Attaches a client to more inbounds; those that carry it already are skipped.',
  params: EmailParam,
  body: z.object({ inboundIds: InboundIds }),
  result: ChangeNotes,
  message: 'client.attached',
});

export const detachClient = endpoint('POST', `${CLIENTS_PATH}/:email/detach`, {
  summary: 'Takes a client off inbounds; the client and its counters stay.',
  params: EmailParam,
  query: z.object(OpenSessions),
  body: z.object({ inboundIds: InboundIds }),
  result: ChangeNotes,
  message: 'client.detached',
});

export const setExternalLinks = endpoint('POST', `${CLIENTS_PATH}/:email/externalLinks`, {
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

export const activeInbounds = endpoint('POST', `${CLIENTS_PATH}/activeInbounds`, {
  onStandby: 'answers',
  summary: 'Tags of the inbounds that moved traffic within the last 20 seconds, by the GUID of their panel.',
  result: z.record(z.string(), z.array(z.string())),
});

export const resetClientTraffic = endpoint('POST', `${CLIENTS_PATH}/resetTraffic/:email`, {
  summary: 'Zeroes the counters of a client and enables it on every attached inbound.',
  params: EmailParam,
  result: ChangeNotes,
  message: 'client.trafficReset',
});

export const updateClientTraffic = endpoint('POST', `${CLIENTS_PATH}/updateTraffic/:email`, {
  summary: 'Sets the two counters of a client by hand.',
  params: EmailParam,
  body: z.object({ upload: ByteCount, download: ByteCount }),
  result: z.null(),
  message: 'client.trafficUpdated',
});

export const getClientTraffic = endpoint('GET', `${CLIENTS_PATH}/traffic/:email`, {
  summary: 'Counters and limits of an e-mail, kept ones of a deleted client too; null when there are none.',
  params: EmailParam,
  result: ClientTrafficRow.extend({ lastSubFetch: z.int() }).nullable(),
});

export const onlineClients = endpoint('POST', `${CLIENTS_PATH}/onlines`, {
  onStandby: 'answers',
  summary: 'E-mails that moved traffic within the last 20 seconds.',
  result: z.array(z.string()),
});

export const lastOnlineOfClients = endpoint('POST', `${CLIENTS_PATH}/lastOnline`, {
  onStandby: 'answers',
  summary: 'When each client was last seen, in unix seconds; clients never seen are absent.',
  result: z.record(z.string(), z.int()),
});
