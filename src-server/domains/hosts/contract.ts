import * as z from 'zod';
import type { FieldCode } from '../../contract/fields/field-texts.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { hostilePart } from '../../contract/hostile-json.ts';
import { parseJsonObject } from '../../contract/json-text.ts';
import { line } from '../../contract/fields/line.ts';
import { IdParam } from '../../contract/fields/port.ts';

const MAX_ROWS = 10_000;
/** Longest JSON text of an override, and most characters of an ECH list. */
const MAX_TEXT = 65_536;
/** Client options of an inbound's socket that make no sense on the dialling side. */
const INBOUND_ONLY = ['acceptProxyProtocol', 'V6Only', 'trustedXForwardedFor'];

/** An object or its JSON text; stored as text, empty = none. */
function objectText(tidy: (value: Record<string, unknown>) => Record<string, unknown> | null) {
  return z
    .union([z.record(z.string(), z.unknown()), z.string().max(MAX_TEXT), z.null()])
    .transform((value, context): string => {
      if (value === null || (typeof value === 'string' && value.trim() === '')) return '';
      const object = typeof value === 'string' ? parseJsonObject(value) : value;
      const complaint = object === null ? 'is not the JSON text of an object' : hostilePart(object);
      if (complaint !== null || object === null) {
        context.addIssue({ code: 'custom', message: complaint ?? '', params: { rule: 'format', param: 'json' } });
        return z.NEVER;
      }
      const kept = tidy(object);
      return kept === null || Object.keys(kept).length === 0 ? '' : JSON.stringify(kept);
    })
    .default('');
}

function isVlessRoute(text: string): boolean {
  if (text === '') return true;
  if (!/^\d{1,5}(-\d{1,5})?(,\d{1,5}(-\d{1,5})?)*$/.test(text)) return false;
  return text.split(',').every((range) => {
    const [low = 0, high = low] = range.split('-').map(Number);
    return low <= high && high <= 65_535;
  });
}

/** What a host changes in the entries of its inbound; empty values inherit. Also parses stored content. */
export const HostContent = z.object({
  /** Name of the entry in apps; template tokens such as `{{EMAIL}}` are allowed. */
  remark: line(256).refine((text) => text !== '', 'field.required' satisfies FieldCode),
  /** Note for the panel only. */
  serverDescription: line(64).default(''),
  /** Stored, without effect. */
  isHidden: z.boolean().default(false),
  /** Labels for admins: capital letters, digits, `_` and `:`. Subscriptions ignore them. */
  tags: z
    .array(
      z
        .string()
        .max(36)
        .refine((tag) => /^[A-Z0-9_:]+$/.test(tag), 'field.hostTag' satisfies FieldCode),
    )
    .max(10)
    .default([]),
  /** TLS of the entry: `same` and `reality` keep the inbound's, `tls` forces TLS, `none` strips it; empty = `same`. */
  security: z
    .enum(['', 'same', 'tls', 'none', 'reality'])
    .transform((kind) => (kind === '' ? 'same' : kind))
    .default('same'),
  sni: line(253).default(''),
  /** Uses the address of the entry as the server name; wins over `sni`. */
  overrideSniFromAddress: z.boolean().default(false),
  /** Omits the server name; wins over `sni` and `overrideSniFromAddress`. */
  keepSniBlank: z.boolean().default(false),
  hostHeader: line(1024).default(''),
  path: line(2048).default(''),
  alpn: z
    .array(z.enum(['h3', 'h2', 'http/1.1']))
    .max(3)
    .default([]),
  fingerprint: line(64).default(''),
  pinnedPeerCertSha256: z.array(line(128)).max(20).default([]),
  /**
   * Names accepted in the certificate, separated by commas; empty = the server name. A boolean stored by older panels
   * reads as empty.
   */
  verifyPeerCertByName: z.union([line(2048), z.boolean().transform(() => '')]).default(''),
  allowInsecure: z.boolean().default(false),
  echConfigList: line(MAX_TEXT).default(''),
  muxParams: objectText((mux) => (mux['enabled'] === false ? null : mux)),
  sockoptParams: objectText((sockopt) =>
    Object.fromEntries(Object.entries(sockopt).filter(([key]) => !INBOUND_ONLY.includes(key))),
  ),
  finalMask: objectText((mask) => mask),
  /**
   * Number, 0 to 65535, written into the VLESS ids of links, where the core's rules can match it. Lists and ranges are
   * stored, without effect.
   */
  vlessRoute: line(512)
    .refine(isVlessRoute, 'field.vlessRoute' satisfies FieldCode)
    .default(''),
  /** Subscription formats that leave this host out. */
  excludeFromSubTypes: z
    .array(z.enum(['raw', 'json', 'yaml']))
    .max(3)
    .default([]),
  yamlIpVersion: z.enum(['', 'dual', 'ipv4', 'ipv6', 'ipv4-prefer', 'ipv6-prefer']).default(''),
  /** Tells YAML apps that REALITY supports X25519MLKEM768. */
  yamlX25519: z.boolean().default(false),
  /** Stored, without effect. */
  shuffleHost: z.boolean().default(false),
  /** Stored, without effect. */
  nodeGuids: z.array(line(64)).max(100).default([]),
});
export type HostContent = z.output<typeof HostContent>;

/** Older callers send the opposite of `enable`. */
const Switch = { enable: z.boolean().optional(), isDisabled: z.boolean().optional() };
function withSwitch<T extends { enable?: boolean | undefined; isDisabled?: boolean | undefined }>(body: T) {
  const { isDisabled = false, ...rest } = body;
  return { ...rest, enable: body.enable ?? !isDisabled };
}
const HostPort = z.int().min(0).max(65_535).default(0);
const Id = z.int().min(1);
const GroupId = z.string().regex(/^[\w-]{1,64}$/, 'takes letters, digits, - and _ only');

const HostBody = HostContent.extend({ ...Switch, address: line(253).default(''), port: HostPort });
/** All fields of a host that an update may change. */
export const HostUpdate = HostBody.transform(withSwitch);
export type HostUpdate = z.output<typeof HostUpdate>;
const NewHost = HostBody.extend({
  inboundId: Id,
  groupId: GroupId.optional(),
  sortOrder: z.int().min(0).max(1_000_000).default(0),
}).transform(withSwitch);
export type NewHost = z.output<typeof NewHost>;

/** Adds a host with the same content for every address at every inbound. */
const GroupBody = HostContent.extend({
  ...Switch,
  inboundIds: z.array(Id).min(1).max(1000),
  /** Addresses: `name`, `name:443`, `[2001:db8::1]:443`, `:443` at the inbound's; none = one host per inbound, with its address. */
  hosts: z.array(line(300)).max(1000).default([]),
  /** Port for addresses without one; 0 = that of the inbound. */
  port: HostPort,
  groupId: GroupId.optional(),
  sortOrder: z.int().min(0).max(1_000_000).default(0),
}).transform(withSwitch);
export type GroupBody = z.output<typeof GroupBody>;

const HostShared = z.object({
  groupId: z.string(),
  sortOrder: z.int(),
  enable: z.boolean(),
  remark: z.string(),
  serverDescription: z.string(),
  isHidden: z.boolean(),
  tags: z.array(z.string()),
  port: z.int(),
  security: z.string(),
  sni: z.string(),
  overrideSniFromAddress: z.boolean(),
  keepSniBlank: z.boolean(),
  hostHeader: z.string(),
  path: z.string(),
  alpn: z.array(z.string()),
  fingerprint: z.string(),
  pinnedPeerCertSha256: z.array(z.string()),
  verifyPeerCertByName: z.string(),
  allowInsecure: z.boolean(),
  echConfigList: z.string(),
  muxParams: z.string(),
  sockoptParams: z.string(),
  finalMask: z.string(),
  vlessRoute: z.string(),
  excludeFromSubTypes: z.array(z.string()),
  yamlIpVersion: z.string(),
  yamlX25519: z.boolean(),
  shuffleHost: z.boolean(),
  nodeGuids: z.array(z.string()),
});

export const Host = HostShared.extend({
  id: z.int(),
  inboundId: z.int(),
  address: z.string(),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type Host = z.infer<typeof Host>;

export const HostGroup = HostShared.extend({ inboundIds: z.array(z.int()), hosts: z.array(z.string()) });
export type HostGroup = z.infer<typeof HostGroup>;

const BASE = '/panel/api/hosts';
const Ids = z.array(Id).max(MAX_ROWS).default([]);
const Enable = z.object({ enable: z.boolean() });
const byId = z.object({ id: IdParam });
const byGroup = z.object({ groupId: z.string().max(64) });

export const listHosts = endpoint('GET', `${BASE}/list`, {
  summary: 'All hosts, by inbound and order.',
  result: z.array(Host),
});
export const getHost = endpoint('GET', `${BASE}/get/:id`, {
  summary: 'One host.',
  params: byId,
  result: Host,
});
export const hostsOfInbound = endpoint('GET', `${BASE}/byInbound/:inboundId`, {
  summary: 'Hosts of an inbound, in order.',
  params: z.object({ inboundId: IdParam }),
  result: z.array(Host),
});
export const hostTags = endpoint('GET', `${BASE}/tags`, {
  summary: 'Every tag in use.',
  result: z.array(z.string()),
});
export const addHost = endpoint('POST', `${BASE}/add`, {
  summary: 'Adds a host to an inbound.',
  body: NewHost,
  result: Host,
  message: 'host.added',
});
export const updateHost = endpoint('POST', `${BASE}/update/:id`, {
  summary: 'Replaces the content of a host; inbound, group and order stay.',
  params: byId,
  body: HostUpdate,
  result: Host,
  message: 'host.updated',
});
export const deleteHost = endpoint('POST', `${BASE}/del/:id`, {
  summary: 'Deletes a host.',
  params: byId,
  result: z.null(),
  message: 'host.deleted',
});
export const setHostEnable = endpoint('POST', `${BASE}/setEnable/:id`, {
  summary: 'Switches a host on or off.',
  params: byId,
  body: Enable,
  result: z.null(),
});
export const reorderHosts = endpoint('POST', `${BASE}/reorder`, {
  summary: 'Orders the named hosts as listed; others keep their place.',
  body: z.object({ ids: Ids }),
  result: z.null(),
});
export const bulkSetHostEnable = endpoint('POST', `${BASE}/bulk/setEnable`, {
  summary: 'Switches hosts on or off; unknown ids are passed over.',
  body: z.object({ ids: Ids, enable: z.boolean() }),
  result: z.null(),
});
export const bulkDeleteHosts = endpoint('POST', `${BASE}/bulk/del`, {
  summary: 'Deletes hosts; unknown ids are passed over.',
  body: z.object({ ids: Ids }),
  result: z.null(),
});
export const bulkAddHosts = endpoint('POST', `${BASE}/bulk/add`, {
  summary: 'Adds a group: every address at every inbound, all or nothing.',
  body: GroupBody,
  result: z.array(Host),
  message: 'host.added',
});
export const listHostGroups = endpoint('GET', `${BASE}/groups`, {
  summary: 'Groups of hosts that were added together.',
  result: z.array(HostGroup),
});
export const getHostGroup = endpoint('GET', `${BASE}/group/:groupId`, {
  summary: 'One group of hosts.',
  params: byGroup,
  result: HostGroup,
});
export const updateHostGroup = endpoint('POST', `${BASE}/group/update/:groupId`, {
  summary: 'Makes a group exactly the given addresses at the given inbounds; rows that stay keep their ids.',
  params: byGroup,
  body: GroupBody,
  result: z.array(Host),
  message: 'host.updated',
});
export const deleteHostGroup = endpoint('POST', `${BASE}/group/del/:groupId`, {
  summary: 'Deletes the hosts of a group.',
  params: byGroup,
  result: z.null(),
  message: 'host.deleted',
});
export const setHostGroupEnable = endpoint('POST', `${BASE}/group/setEnable/:groupId`, {
  summary: 'Switches the hosts of a group on or off.',
  params: byGroup,
  body: Enable,
  result: z.null(),
});
export const reorderHostGroups = endpoint('POST', `${BASE}/group/reorder`, {
  summary: 'Gives all hosts of each listed group its position as their order.',
  body: z.object({ ids: z.array(z.string().max(64)).max(MAX_ROWS).default([]) }),
  result: z.null(),
});
