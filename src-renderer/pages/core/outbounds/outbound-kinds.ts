import type { JsonObject } from '#wire/json';
import { objectAt, readAt, textAt, withMember, writeAt, type Path } from '../../../forms/draft/json.ts';
import { bracketed, hostAndPort } from '#wire/host-and-port';

export const PROTOCOLS = [
  'freedom',
  'blackhole',
  'vless',
  'vmess',
  'trojan',
  'shadowsocks',
  'hysteria',
  'wireguard',
  'socks',
  'http',
  'dns',
  'loopback',
] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** Initial settings of each kind. The operator fills in addresses. */
const BLANK: Readonly<Record<Protocol, JsonObject>> = {
  freedom: { domainStrategy: 'AsIs' },
  blackhole: {},
  vless: { address: '', port: 443, id: '', encryption: 'none' },
  vmess: { vnext: [{ address: '', port: 443, users: [{ id: '', security: 'auto' }] }] },
  trojan: { servers: [{ address: '', port: 443, password: '' }] },
  shadowsocks: { servers: [{ address: '', port: 443, method: '2022-blake3-aes-128-gcm', password: '' }] },
  hysteria: { version: 2, address: '', port: 443 },
  wireguard: { secretKey: '', address: [], peers: [{ publicKey: '', endpoint: '' }], noKernelTun: true },
  socks: { servers: [{ address: '', port: 1080 }] },
  http: { servers: [{ address: '', port: 8080 }] },
  dns: {},
  loopback: { inboundTag: '' },
};
/** Kinds with their own transport or none. */
const WITHOUT_STREAM: readonly string[] = ['freedom', 'blackhole', 'wireguard', 'dns', 'loopback'];

export function hasStream(outbound: JsonObject): boolean {
  return !WITHOUT_STREAM.includes(textAt(outbound['protocol']));
}

/** Kinds without a server, so there is nothing to test. */
const UNTESTABLE: readonly string[] = ['freedom', 'blackhole', 'dns', 'loopback'];

export function isTestable(outbound: JsonObject): boolean {
  return !UNTESTABLE.includes(textAt(outbound['protocol']));
}

/** Where address and port are: older configs and some kinds keep them in a list of servers. */
export function serverPath(outbound: JsonObject): Path {
  const settings = objectAt(outbound['settings']);
  if (Array.isArray(settings['vnext'])) return ['settings', 'vnext', 0];
  return Array.isArray(settings['servers']) ? ['settings', 'servers', 0] : ['settings'];
}

/** Where id, user name or password of the account are. */
export function userPath(outbound: JsonObject): Path {
  const server = serverPath(outbound);
  const protocol = textAt(outbound['protocol']);
  if (server.includes('vnext')) return [...server, 'users', 0];
  return server.includes('servers') && (protocol === 'socks' || protocol === 'http') ? [...server, 'users', 0] : server;
}

/** Without an account that has neither name nor password: the core would sign in with empty ones. */
export function withoutBlankAccount(outbound: JsonObject): JsonObject {
  const user = userPath(outbound);
  const isBlank = user.at(-2) === 'users' && Object.keys(objectAt(readAt(outbound, user))).length === 0;
  return isBlank ? writeAt(outbound, user.slice(0, -1), undefined) : outbound;
}

/** `host:port`, for lists; empty for kinds without a server. */
export function addressOf(outbound: JsonObject): string {
  const protocol = textAt(outbound['protocol']);
  if (protocol === 'wireguard') return textAt(readAt(outbound, ['settings', 'peers', 0, 'endpoint']));
  const server = objectAt(readAt(outbound, serverPath(outbound)));
  const host = textAt(server['address']);
  if (host === '') return '';
  return typeof server['port'] === 'number' ? hostAndPort(host, server['port']) : bracketed(host);
}

/** The same outbound as another kind: address, port, account name and transport are kept where the kind has them. */
export function asProtocol(outbound: JsonObject, protocol: Protocol): JsonObject {
  const from = objectAt(readAt(outbound, serverPath(outbound)));
  const { settings: _, ...rest } = outbound;
  let next: JsonObject = { ...rest, protocol, settings: BLANK[protocol] };
  const to = serverPath(next);
  for (const key of ['address', 'port']) {
    const isThere = readAt(next, [...to, key]) !== undefined;
    if (protocol !== 'wireguard' && isThere && from[key] !== undefined && !Array.isArray(from[key]))
      next = writeAt(next, [...to, key], from[key]);
  }
  const id = readAt(outbound, [...userPath(outbound), 'id']);
  if (id !== undefined && (protocol === 'vless' || protocol === 'vmess'))
    next = writeAt(next, [...userPath(next), 'id'], id);
  if (!hasStream(next)) return withMember(next, 'streamSettings', undefined);
  const { hysteriaSettings: _own, ...stream } = objectAt(next['streamSettings']);
  if (protocol === 'hysteria') {
    // The core refuses settings of this transport without their version.
    const own = { network: 'hysteria', security: 'tls', hysteriaSettings: { version: 2 } };
    return { ...next, streamSettings: withMember(own, 'sockopt', stream['sockopt']) };
  }
  // No other kind has this transport.
  return stream['network'] === 'hysteria' ? { ...next, streamSettings: { ...stream, network: 'raw' } } : next;
}

export function newOutbound(tag: string): JsonObject {
  return { tag, protocol: 'vless', settings: BLANK.vless, streamSettings: { network: 'raw', security: 'tls' } };
}
