import * as z from 'zod';
import type { FieldCode } from '../../contract/fields/field-texts.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { line } from '../../contract/fields/line.ts';
import { ByteCount, MAX_BYTES } from '../../contract/fields/port.ts';
import { queryFlag, queryText } from '../../contract/fields/query-values.ts';
import { SessionChoice, SessionReport } from '../traffic/contract.ts';

/** Longest e-mail, subId, password and auth value in characters. */
export const MAX_NAME_LENGTH = 255;
/** Largest magnitude of a Date in ms. */
export const MAX_TIME_MS = 8_640_000_000_000_000;
export const MAX_DAYS = 36_500;

export const FLOWS = ['', 'xtls-rprx-vision', 'xtls-rprx-vision-udp443'] as const;

const UUID = /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32})?$/i;
const uuid = z.string().refine((value) => UUID.test(value), 'field.uuid' satisfies FieldCode);

/** A rule for free text: a NUL, possible only in text nested in text, would end the text for many later readers. */
const WITHOUT_NUL = [(value: string): boolean => !value.includes('\0'), 'field.nul' satisfies FieldCode] as const;

/** Tag of a vless reverse proxy. Object, JSON text of one, blank or null. */
const Reverse = z.union(
  [z.null(), z.object({ tag: z.string().max(MAX_NAME_LENGTH).default('') }), z.string().max(1024)],
  'must be an object with a tag, or null',
);

/** User id on the messaging service. Old exports contain it as text; blank = none. */
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

/** Group label. Compared exactly, without surrounding blanks; empty = none. */
const GroupLabel = line(64);

/**
 * A client as callers send it. The meaning of an omitted value depends on the call: a new client and an update take 0
 * or empty text, re-adding an existing one keeps the stored value. Empty credentials and `subId` are generated (add) or
 * kept (update). Unknown keys are dropped.
 */
export const ClientInput = z
  .object({
    email: z.string().trim().max(MAX_NAME_LENGTH).default(''),
    subId: z.string().trim().max(MAX_NAME_LENGTH).optional(),
    /** UUID, the credential of VLESS and VMess; empty = a new one, or unchanged. */
    id: uuid.optional(),
    /** Alias of `id`, as in rows of clients. */
    uuid: uuid.optional(),
    /** Password of Trojan, key of Shadowsocks; empty = a new one, or unchanged. */
    password: z
      .string()
      .max(MAX_NAME_LENGTH)
      .refine(...WITHOUT_NUL)
      .optional(),
    /** Password of Hysteria; empty = a new one, or unchanged. */
    auth: z
      .string()
      .max(MAX_NAME_LENGTH)
      .refine(...WITHOUT_NUL)
      .optional(),
    flow: z.enum(FLOWS).optional(),
    /** Cipher of VMess, for apps; `none` and `zero` become `auto`. Empty = unchanged. */
    security: z.enum(['', 'auto', 'aes-128-gcm', 'chacha20-poly1305', 'none', 'zero']).optional(),
    reverse: Reverse.optional(),
    /** Quota in bytes, 0 = unlimited. */
    totalGB: ByteCount.optional(),
    /** End in ms since 1970; 0 = never; negative = length of a term in ms that starts at the first traffic. */
    expiryTime: z.int().min(-MAX_TIME_MS).max(MAX_TIME_MS).optional(),
    /** Maximum number of addresses connected at the same time, 0 = no limit. */
    limitIp: z.int().min(0).max(1_000_000).optional(),
    tgId: TelegramId.optional(),
    comment: z
      .string()
      .max(2048)
      .refine(...WITHOUT_NUL)
      .optional(),
    /** Whether it may connect. Omitted: yes for a new client, unchanged for an existing one. */
    enable: z.boolean().optional(),
    /**
     * What disabled it, together with `enable: false`. If given, it stays disabled; if omitted, a client disabled only
     * by its quota or expiry is enabled again once these are moved and it is within both.
     */
    disabledBy: z.enum(['admin', 'loop']).optional(),
    group: GroupLabel.optional(),
    /**
     * Number of the client plan, 0 = none. A new client takes omitted values from it, including its inbounds; an
     * existing one only stores it. Omitted in an update: unchanged.
     */
    planId: z.int().min(0).max(MAX_BYTES).optional(),
    /** Days after which the client renews by itself, 0 = it does not. */
    reset: z.int().min(0).max(MAX_DAYS).optional(),
    /**
     * Day of the month on which it renews instead, at midnight in the panel's time zone, 0 = none. In a month without
     * that day, the last day counts. Without `expiryTime` the first end is the next such day.
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

/** A client in `settings.clients` or an import. Other panels write anything as the messaging id: unreadable = none. */
export const ClientEntry = ClientInput.safeExtend({ tgId: TelegramId.optional().catch(0) });

/**
 * What a client has on one inbound alone, so that a copy of it is the same there: its flow, and its key where the
 * password does not fit the cipher.
 */
const Attachment = z.object({ inboundId: z.int(), flow: z.string(), password: z.string() });
export type Attachment = z.infer<typeof Attachment>;

/** Inbounds where a client has a flow or a key of its own. */
export const Attachments = z.array(Attachment);

/** As callers send it: other inbounds than those of the client are ignored, and so is a key that does not fit. */
export const AttachmentsInput = z
  .array(
    z.object({
      inboundId: z.int(),
      /** Its flow there; omitted = that of the client. */
      flow: z.enum(FLOWS).optional(),
      /** Its key there; empty = its password, or a new key. */
      password: z.string().max(MAX_NAME_LENGTH).default(''),
    }),
  )
  .max(1000)
  .default([]);
export type AttachmentInput = z.output<typeof AttachmentsInput>[number];

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
  /** Effective flow: that of its first inbound that has one; empty = none. */
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
  /** `link`: one share link; `subscription`: an address from which links are fetched. */
  kind: z.enum(['link', 'subscription']),
  /** The link or the address, depending on `kind`. */
  value: z.string(),
  remark: z.string(),
});
export type ExternalLink = z.infer<typeof ExternalLink>;

/** As stored, with the result of the last fetch of a subscription; absent until it has been fetched. */
const ShownExternalLink = ExternalLink.extend({
  /** When the subscription was last fetched, in ms since 1970; absent = never. */
  lastFetchAt: z.int().optional(),
  /** Why the fetch failed; empty = it succeeded. */
  lastFetchError: z.string().optional(),
});
export type ShownExternalLink = z.infer<typeof ShownExternalLink>;

/** As callers send it; an empty kind is `link`. */
const ExternalLinkInput = z.object({
  kind: z.string().trim().max(32).default(''),
  value: z.string().trim().max(8192).default(''),
  remark: line(MAX_NAME_LENGTH).default(''),
});
export type ExternalLinkInput = z.output<typeof ExternalLinkInput>;

/** Shared counters and limits of one e-mail. */
export const ClientTrafficRow = z.object({
  id: z.int(),
  /** Number of its first inbound, 0 = none. It may be on others too. */
  inboundId: z.int(),
  enable: z.boolean(),
  email: z.string(),
  uuid: z.string(),
  subId: z.string(),
  up: ByteCount,
  down: ByteCount,
  expiryTime: z.int(),
  /** Quota in bytes, 0 = unlimited. */
  total: ByteCount,
  reset: z.int(),
  resetDay: z.int(),
  /** When it was seen last, in ms since 1970, 0 = never. */
  lastOnline: z.int(),
});
export type ClientTrafficRow = z.infer<typeof ClientTrafficRow>;

/** Effects of a change besides being stored; keys are absent when there is nothing to report. */
export const Notes = z.object({
  /** An affected node is unreachable now; the change is stored and delivered later. */
  nodePending: z.literal(true).optional(),
  /**
   * Connections that were open under a credential that no longer works. The core checks users only at the handshake, so
   * they stay open (`leftOpen`) unless they were ended one by one (`cut`) or the core had to restart (`ended`). Absent
   * when no client was connected.
   */
  sessions: z.enum(['leftOpen', 'cut', 'ended']).optional(),
  /** What was done about them, what is left, and which further steps are possible (`clients/sessions/end`). */
  sessionReport: SessionReport.optional(),
  /** The core refused the change; the panel tries again. The core's own message. */
  coreError: z.string().optional(),
});
/** Null when there is nothing to report. */
export const ChangeNotes = Notes.nullable();
export type ChangeNotes = z.infer<typeof ChangeNotes>;

export const InboundIds = z.array(z.int().min(1).max(MAX_BYTES)).max(1000).default([]);
const EmailParam = z.object({ email: z.string().max(1024) });
/** What happens to sessions that are open under credentials that no longer work. */
export const OpenSessions = {
  /** How far to go with sessions that are open under credentials that no longer work. */
  sessions: SessionChoice.default('cut'),
};

export const CLIENTS_PATH = '/panel/api/clients';

export const getClient = endpoint('GET', `${CLIENTS_PATH}/get/:email`, {
  summary: 'One client with secrets, attachments and external links.',
  params: EmailParam,
  result: z.object({
    client: ClientRecord,
    inboundIds: z.array(z.int()),
    attachments: Attachments,
    externalLinks: z.array(ShownExternalLink),
    /** What disabled it: `admin` by hand, `loop` its quota or expiry; empty = it is enabled. */
    disabledBy: z.enum(['', 'admin', 'loop']),
    usedTraffic: ByteCount,
    /** When an app last fetched the subscription, in ms since 1970, 0 = never. */
    lastSubFetch: z.int(),
  }),
});

export const addClient = endpoint('POST', `${CLIENTS_PATH}/add`, {
  summary: 'Creates a client on one or more inbounds; an equal e-mail and subId attach the existing one.',
  body: z.object({ client: ClientInput, inboundIds: InboundIds, attachments: AttachmentsInput }),
  result: ChangeNotes,
  message: 'client.added',
});

export const updateClient = endpoint('POST', `${CLIENTS_PATH}/update/:email`, {
  summary: 'Replaces a client on all its inbounds, or on those of `inboundIds`.',
  params: EmailParam,
  query: z.object({
    /** Numbers of inbounds, separated by commas; empty = all that the client is attached to. */
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
    /** 1 = the counters are kept, and a client added later with this name continues them. */
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

/** Bytes of a client, as counted by a panel above. */
const PushedTotal = z.object({
  email: z.string().trim().max(1024),
  up: ByteCount,
  down: ByteCount,
});
export type PushedTotal = z.output<typeof PushedTotal>;

/** Panel to panel: totals counted by a panel above this one across its nodes. */
export const pushClientTraffics = endpoint('POST', '/panel/api/inbounds/pushClientTraffics', {
  summary: 'Takes over totals of a panel that manages this one, for a day; e-mails unknown here are dropped.',
  encoding: 'json',
  body: z.object({
    /** GUID of the sending panel; empty = the totals are ignored. */
    masterGuid: line(64).default(''),
    /** GUIDs of the panels that manage the sending panel, directly or through others. */
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
