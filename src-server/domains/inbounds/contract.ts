import * as z from 'zod';
import { CertificateWarning } from '../../contract/certificate-warning.ts';
import type { FieldCode } from '../../contract/fields/field-texts.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { hostilePart } from '../../contract/hostile-json.ts';
import type { JsonObject } from '../../contract/json.ts';
import { parseJsonObject } from '../../contract/json-text.ts';
import { line } from '../../contract/fields/line.ts';
import { ByteCount, IdParam, Port } from '../../contract/fields/port.ts';
import { PROTOCOLS } from '../../contract/protocol-catalogue.ts';

/** When the counters of an inbound and its clients are reset; in the panel's time zone. */
const TRAFFIC_RESETS = ['never', 'hourly', 'daily', 'weekly', 'monthly'] as const;
export type TrafficReset = (typeof TRAFFIC_RESETS)[number];

/** Maximum number of inbounds one call may name or delete. */
const MAX_IDS = 10_000;
/** Maximum number of rules of a master inbound. */
const MAX_FALLBACKS = 500;
/** Latest moment a JavaScript date can hold, in ms. */
const MAX_TIME_MS = 8_640_000_000_000_000;

/** Form bodies contain every value as text; a blank one counts as absent. */
function readNumber(value: number | string | null | undefined): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (text === '') return undefined;
  return /^-?\d{1,16}$/.test(text) ? Number(text) : value;
}
function readBoolean(value: boolean | string | undefined): unknown {
  if (typeof value !== 'string') return value;
  const known: Readonly<Record<string, boolean | undefined>> = { true: true, '1': true, false: false, '0': false };
  return value === '' ? undefined : (known[value.toLowerCase()] ?? value);
}

const number = <T extends z.ZodType>(schema: T) => z.preprocess(readNumber, schema);
const Bytes = number(ByteCount.default(0)).default(0);
const Flag = z.preprocess(readBoolean, z.boolean());

/**
 * A config section: an object, or an object encoded as JSON text (older panels and forms send that). Absent, null and
 * empty text mean "none".
 */
const ConfigSection = z
  .union([z.record(z.string(), z.unknown()), z.string(), z.null()], { error: 'field.notObject' satisfies FieldCode })
  .transform((value, context): JsonObject | null => {
    if (value === null || typeof value === 'object') return value as JsonObject | null;
    if (value.trim() === '' || value.trim() === 'null') return null;
    const object = parseJsonObject(value);
    const complaint = object === null ? 'is not the JSON text of an object' : hostilePart(object);
    if (complaint === null) return object;
    context.addIssue({ code: 'custom', message: complaint, params: { rule: 'format', param: 'json' } });
    return z.NEVER;
  })
  .default(null);

/**
 * Everything an inbound is made of, as /add, /update and /import take it. Members managed by the server are ignored.
 */
export const InboundBody = z.object({
  /** Whether it is enabled. Omitted: enabled for a new inbound, unchanged for an existing one. */
  enable: Flag.optional(),
  remark: line(256).default(''),
  /** Address to listen on. Empty, `0.0.0.0` and `::` = every address; `/path` and `@name` = a unix socket. */
  listen: line(256).default(''),
  port: number(Port),
  protocol: z.enum(PROTOCOLS),
  /** Expiry of the inbound, in ms since 1970, 0 = never. */
  expiryTime: number(z.int().min(0).max(MAX_TIME_MS).default(0)).default(0),
  /** Quota of the inbound itself, in bytes, 0 = unlimited. */
  total: Bytes,
  /** How often the counters of the inbound and its clients are reset, in the panel's time zone; empty = never. */
  trafficReset: z
    .enum(['', ...TRAFFIC_RESETS])
    .transform((period): TrafficReset => (period === '' ? 'never' : period))
    .default('never'),
  /** Number of the node that runs the inbound; null and 0 = this panel's own core. Fixed at creation. */
  nodeId: number(z.int().min(0).nullable().default(null))
    .transform((id) => (id === 0 ? null : id))
    .default(null),
  /**
   * Id of the server whose core runs it, where several panels share a database; null and empty = the active panel.
   * Omitted: null for a new inbound, unchanged for an existing one.
   */
  serverId: line(64)
    .nullable()
    .transform((id) => id || null)
    .optional(),
  /** Name in the core's config; empty = generated. It must not contain `>`: the core uses it in counter names. */
  tag: line(128)
    .refine((tag) => !tag.includes('>'), 'field.inboundTag' satisfies FieldCode)
    .default(''),
  settings: ConfigSection,
  streamSettings: ConfigSection,
  sniffing: ConfigSection,
});
export type InboundBody = z.output<typeof InboundBody>;

/** A new inbound may have its own counters: imports and panel-to-panel pushes restore them. */
export const NewInboundBody = InboundBody.extend({ up: Bytes, down: Bytes });
export type NewInboundBody = z.output<typeof NewInboundBody>;

/** An exported inbound. Counters of its clients are taken over for e-mails that are new here. */
export const ImportedInbound = NewInboundBody.extend({
  clientStats: z
    .array(
      z.object({
        email: z.string().max(256),
        up: ByteCount.default(0),
        down: ByteCount.default(0),
        lastOnline: z.int().min(0).max(MAX_TIME_MS).default(0),
      }),
    )
    .nullable()
    .default([])
    .transform((rows) => rows ?? []),
});
export type ImportedInbound = z.output<typeof ImportedInbound>;

/** One client's counters and limits; a client on several inbounds has the same values under each. */
export const ClientTraffic = z.object({
  /** Number of the client. */
  id: z.int(),
  inboundId: z.int(),
  enable: z.boolean(),
  email: z.string(),
  uuid: z.string(),
  subId: z.string(),
  up: ByteCount,
  down: ByteCount,
  /** End in ms since 1970; 0 = never; negative = length of a term in ms that starts at the first traffic. */
  expiryTime: z.int(),
  /** Quota in bytes, 0 = unlimited. */
  total: z.int(),
  /** Days after which the client renews by itself, 0 = it does not. */
  reset: z.int(),
  /** When it was seen last, in ms since 1970, 0 = never. */
  lastOnline: z.int(),
  /** Bytes sent since it was created, whatever was reset since. Only `inbounds/list` has it, for panels above. */
  lifetimeUp: z.int().optional(),
  /** Bytes received since it was created, whatever was reset since. Only `inbounds/list` has it, for panels above. */
  lifetimeDown: z.int().optional(),
});
export type ClientTraffic = z.infer<typeof ClientTraffic>;

/** A stored section for output: an object, null when there is none, the raw text when it is not valid JSON. */
const StoredSection = z.union([z.record(z.string(), z.unknown()), z.string(), z.null()]);

export const Inbound = z.object({
  id: z.int(),
  enable: z.boolean(),
  remark: z.string(),
  listen: z.string(),
  port: z.int(),
  protocol: z.string(),
  expiryTime: z.int(),
  total: z.int(),
  up: ByteCount,
  down: ByteCount,
  trafficReset: z.string(),
  /** When its counters were last reset, in ms since 1970, 0 = never. */
  lastTrafficResetTime: z.int(),
  nodeId: z.int().nullable(),
  /** Id of the server whose core runs it; null = that of the active panel. */
  serverId: z.string().nullable(),
  /** GUID of the panel whose core runs it; this panel's own for local inbounds. */
  originNodeGuid: z.string(),
  tag: z.string(),
  settings: StoredSection,
  streamSettings: StoredSection,
  sniffing: StoredSection,
  clientStats: z.array(ClientTraffic),
  /** First fallback rule that leads here; null when none does. */
  fallbackParent: z.object({ masterId: z.int(), path: z.string() }).nullable(),
});
export type Inbound = z.infer<typeof Inbound>;

/** An inbound for lists and editors: counts in place of clients, of which there may be 100,000. */
export const CountedInbound = Inbound.omit({ clientStats: true }).extend({
  clientCount: z.int(),
  onlineCount: z.int(),
});
export type CountedInbound = z.infer<typeof CountedInbound>;

const Pending = {
  /** The node of the inbound is unreachable or paused now; the change is stored and delivered later. */
  nodePending: z.literal(true),
};
/** Null when there is nothing to report. */
const NodeNote = z.object(Pending).nullable();
export type NodeNote = z.infer<typeof NodeNote>;

/** An inbound as returned by a save. */
export const SavedInbound = Inbound.extend({
  /** Warnings of the core, in its own words; none for an inbound that is disabled or runs elsewhere. */
  coreWarnings: z.array(z.string()),
  /**
   * Certificates that clients will refuse because of their dates or names; files are checked only if this panel can
   * read them.
   */
  certificateWarnings: z.array(CertificateWarning),
  nodePending: Pending.nodePending.optional(),
});
export type SavedInbound = z.infer<typeof SavedInbound>;

export const InboundOption = z.object({
  id: z.int(),
  remark: z.string(),
  tag: z.string(),
  protocol: z.string(),
  port: z.int(),
  /** Whether clients of this inbound can use a vision flow. */
  tlsFlowCapable: z.boolean(),
  /** Shadowsocks method; empty for every other protocol. */
  ssMethod: z.string(),
  enable: z.boolean(),
  listen: z.string(),
  nodeId: z.int().nullable(),
  /** Address of its node; empty for inbounds of this panel. */
  nodeAddress: z.string(),
});
export type InboundOption = z.infer<typeof InboundOption>;

export const Fallback = z.object({
  /** Number of the rule. */
  id: z.int(),
  masterId: z.int(),
  /** Number of the inbound that receives the connections; 0 = none, `dest` is used. */
  childId: z.int(),
  /** Server name (SNI) to match; empty = any. */
  name: z.string(),
  /** Protocol inside TLS to match; empty = any. */
  alpn: z.string(),
  path: z.string(),
  /** Target of connections: a port, `host:port` or socket path; empty = where the inbound `childId` listens. */
  dest: z.string(),
  /** PROXY protocol version, 0 = none. */
  xver: z.int(),
  sortOrder: z.int(),
});
export type Fallback = z.infer<typeof Fallback>;

const id = z.object({ id: IdParam });
const base = '/panel/api/inbounds';
const ids = z.array(z.int().min(1)).max(MAX_IDS);

export const listInbounds = endpoint('GET', `${base}/list`, {
  summary: 'Every inbound with its clients and their counters.',
  result: z.array(Inbound),
});
export const listSlimInbounds = endpoint('GET', `${base}/list/slim`, {
  summary: 'Every inbound with clients reduced to e-mail, state and comment; not fit for sending back.',
  result: z.array(Inbound),
});
export const listCountedInbounds = endpoint('GET', `${base}/list/counted`, {
  summary: 'Every inbound with the number of its clients, and of those online, in place of them.',
  result: z.array(CountedInbound),
});
export const listInboundOptions = endpoint('GET', `${base}/options`, {
  summary: 'Inbounds with the few values that a choice among them needs.',
  result: z.array(InboundOption),
});
export const getInbound = endpoint('GET', `${base}/get/:id`, {
  summary: 'One inbound with its clients and their counters.',
  params: id,
  result: Inbound,
});
export const getCountedInbound = endpoint('GET', `${base}/get/:id/counted`, {
  summary: 'One inbound with the number of its clients in place of them, as an editor needs it.',
  params: id,
  result: CountedInbound,
});
export const countSoleClients = endpoint('POST', `${base}/soleClients`, {
  onStandby: 'answers',
  summary: 'How many clients these inbounds have that no other inbound carries; changes nothing.',
  body: z.object({ ids }),
  encoding: 'json',
  result: z.object({
    /** Number of clients on these inbounds and on no other. */
    count: z.int(),
  }),
});
export const addInbound = endpoint('POST', `${base}/add`, {
  summary: 'Creates an inbound, with clients when settings.clients has any.',
  body: NewInboundBody,
  result: SavedInbound,
  message: 'inbound.created',
});
export const updateInbound = endpoint('POST', `${base}/update/:id`, {
  summary: 'Replaces the configuration; without settings.clients the clients stay as they are.',
  params: id,
  body: InboundBody,
  result: SavedInbound,
  message: 'inbound.updated',
});
export const checkInboundPlace = endpoint('POST', `${base}/checkPlace`, {
  onStandby: 'answers',
  summary: 'Refuses a port and address that an inbound could not have now, naming who has it; changes nothing.',
  body: InboundBody.pick({
    listen: true,
    port: true,
    protocol: true,
    nodeId: true,
    serverId: true,
    enable: true,
    settings: true,
    streamSettings: true,
  })
    // The inbound that moves there; 0 = a new one.
    .extend({ id: z.int().min(0).default(0) }),
  encoding: 'json',
  result: z.null(),
});
export const checkInboundCertificates = endpoint('POST', `${base}/checkCertificates`, {
  onStandby: 'answers',
  summary: 'What a save of these settings would warn about: certificates that clients will refuse; changes nothing.',
  body: InboundBody.pick({ protocol: true, nodeId: true, serverId: true, streamSettings: true }),
  encoding: 'json',
  result: z.array(CertificateWarning),
});
export const setInboundEnable = endpoint('POST', `${base}/setEnable/:id`, {
  summary: 'Switches an inbound on or off.',
  params: id,
  body: z.object({ enable: Flag }),
  result: NodeNote,
  message: 'inbound.updated',
});
export const deleteInbound = endpoint('POST', `${base}/del/:id`, {
  summary: 'Deletes an inbound; its clients stay, without traffic when no other inbound carries them.',
  params: id,
  result: z.int(),
  message: 'inbound.deleted',
});
export const bulkDeleteInbounds = endpoint('POST', `${base}/bulkDel`, {
  summary: 'Deletes several inbounds.',
  body: z.object({ ids }),
  encoding: 'json',
  result: z.object({
    deleted: z.int(),
    skipped: z.array(z.object({ id: z.int(), reason: z.string(), code: z.string() })),
    nodePending: Pending.nodePending.optional(),
  }),
  message: 'inbound.bulkDeleted',
});
export const resetInboundTraffic = endpoint('POST', `${base}/:id/resetTraffic`, {
  summary: "Zeroes the inbound's own counters.",
  params: id,
  result: z.null(),
  message: 'inbound.trafficReset',
});
export const resetAllInboundTraffics = endpoint('POST', `${base}/resetAllTraffics`, {
  summary: 'Zeroes the own counters of every inbound.',
  result: z.null(),
  message: 'inbound.allTrafficsReset',
});
export const deleteInboundClients = endpoint('POST', `${base}/:id/delAllClients`, {
  summary: 'Deletes every client of the inbound, from their other inbounds too.',
  params: id,
  result: z.object({
    deleted: z.int(),
    skipped: z.array(z.object({ email: z.string(), reason: z.string() })).optional(),
  }),
  message: 'inbound.clientsDeleted',
});
export const importInbound = endpoint('POST', `${base}/import`, {
  summary: 'Creates an inbound from the JSON text of an exported one.',
  body: z.object({ data: z.string() }),
  result: SavedInbound,
  message: 'inbound.created',
});
export const listFallbacks = endpoint('GET', `${base}/:id/fallbacks`, {
  summary: 'Fallback rules of a master inbound, in order.',
  params: id,
  result: z.array(Fallback),
});
export const replaceFallbacks = endpoint('POST', `${base}/:id/fallbacks`, {
  summary: 'Replaces the whole list of fallback rules.',
  params: id,
  body: z.object({
    /** The rules in their order, replacing all existing ones. */
    fallbacks: z
      .array(
        z.object({
          childId: z.int().default(0),
          name: line(253).default(''),
          alpn: line(64).default(''),
          path: line(1024).default(''),
          dest: line(512).default(''),
          xver: z.int().min(0).max(2).default(0),
          sortOrder: z.int().min(0).max(1_000_000).default(0),
        }),
      )
      .max(MAX_FALLBACKS),
  }),
  encoding: 'json',
  result: NodeNote,
  message: 'inbound.updated',
});
