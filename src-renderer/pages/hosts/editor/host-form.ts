import * as z from 'zod';
import type { Host, HostGroup } from '#contract/hosts';

/** Port 0 and empty texts inherit the inbound's value. */
export const HostForm = z.object({
  inboundIds: z.array(z.string()).min(1),
  /** Of a group: `name`, `name:443`; none = one row per inbound, with that inbound's address. */
  hosts: z.array(z.string()),
  /** Of a single host. */
  address: z.string().max(253),
  port: z.number().int().min(0).max(65_535),
  enable: z.boolean(),
  remark: z.string().trim().min(1).max(256),
  serverDescription: z.string().max(64),
  tags: z.array(z.string().regex(/^[A-Z0-9_:]{1,36}$/)).max(10),
  security: z.enum(['same', 'tls', 'none', 'reality']),
  sni: z.string(),
  overrideSniFromAddress: z.boolean(),
  keepSniBlank: z.boolean(),
  hostHeader: z.string(),
  path: z.string(),
  alpn: z.array(z.enum(['h3', 'h2', 'http/1.1'])),
  fingerprint: z.string(),
  pinnedPeerCertSha256: z.array(z.string()),
  verifyPeerCertByName: z.string(),
  allowInsecure: z.boolean(),
  echConfigList: z.string(),
  muxParams: z.string(),
  sockoptParams: z.string(),
  finalMask: z.string(),
  vlessRoute: z.string(),
  excludeFromSubTypes: z.array(z.enum(['raw', 'json', 'yaml'])),
  yamlIpVersion: z.enum(['', 'dual', 'ipv4', 'ipv6', 'ipv4-prefer', 'ipv6-prefer']),
});
export type HostForm = z.infer<typeof HostForm>;

export const NEW_HOST: HostForm = {
  inboundIds: [],
  hosts: [],
  address: '',
  port: 0,
  enable: true,
  remark: '',
  serverDescription: '',
  tags: [],
  security: 'same',
  sni: '',
  overrideSniFromAddress: false,
  keepSniBlank: false,
  hostHeader: '',
  path: '',
  alpn: [],
  fingerprint: '',
  pinnedPeerCertSha256: [],
  verifyPeerCertByName: '',
  allowInsecure: false,
  echConfigList: '',
  muxParams: '',
  sockoptParams: '',
  finalMask: '',
  vlessRoute: '',
  excludeFromSubTypes: [],
  yamlIpVersion: '',
};

/** A stored host or group as a form; members without a field stay with the stored row. */
export function toForm(stored: Host | HostGroup): HostForm {
  const isGroup = 'inboundIds' in stored;
  return HostForm.parse({
    ...stored,
    inboundIds: (isGroup ? stored.inboundIds : [stored.inboundId]).map(String),
    hosts: isGroup ? stored.hosts : [],
    address: isGroup ? '' : stored.address,
  });
}

/** What both kinds send: the fields, merged over stored members without a field. */
export function toContent(values: HostForm, stored: Host | HostGroup | null) {
  const { inboundIds: _inbounds, hosts: _hosts, address: _address, port: _port, ...content } = values;
  const { isHidden = false, yamlX25519 = false, shuffleHost = false, nodeGuids = [] } = stored ?? {};
  return { isHidden, yamlX25519, shuffleHost, nodeGuids, ...content };
}

/** Rows that a group creates: every address at every inbound. */
export function rowCount({ inboundIds, hosts }: Pick<HostForm, 'inboundIds' | 'hosts'>): number {
  return new Set(inboundIds).size * Math.max(1, new Set(hosts).size);
}
