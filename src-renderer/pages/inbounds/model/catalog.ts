import type { JsonObject } from '#wire/json';

/** Protocols that can be chosen, in the order of the list. `tun` of older panels is only shown. */
export const PROTOCOLS = [
  'vless',
  'vmess',
  'trojan',
  'shadowsocks',
  'hysteria',
  'hysteria2',
  'wireguard',
  'http',
  'mixed',
  'tunnel',
] as const;
export type Protocol = (typeof PROTOCOLS)[number];

export const TRANSPORTS = ['tcp', 'ws', 'grpc', 'httpupgrade', 'xhttp', 'kcp', 'hysteria'] as const;
export type Transport = (typeof TRANSPORTS)[number];

export const SECURITIES = ['none', 'tls', 'reality'] as const;
export type Security = (typeof SECURITIES)[number];

interface ProtocolTraits {
  /** Members of the settings that mean something to it. */
  settings: readonly string[];
  /** Empty = it has no choice of transport. */
  transports: readonly Transport[];
  securities: readonly Security[];
  /** Members of the stream settings that it keeps although it has no transport; null = it has no stream settings. */
  stream: readonly string[] | null;
  hasClients: boolean;
}

const ORDINARY: readonly Transport[] = ['tcp', 'ws', 'grpc', 'httpupgrade', 'xhttp', 'kcp'];
const WITH_CLIENTS = { transports: ORDINARY, stream: [], hasClients: true } as const;
const HYSTERIA: ProtocolTraits = {
  settings: ['clients', 'version'],
  transports: ['hysteria'],
  securities: ['tls'],
  stream: [],
  hasClients: true,
};
const ALONE = { transports: [], securities: [], hasClients: false } as const;

/** What belongs to each protocol. */
export const TRAITS: Readonly<Record<Protocol, ProtocolTraits>> = {
  vless: {
    ...WITH_CLIENTS,
    settings: ['clients', 'decryption', 'encryption', 'fallbacks', 'testseed'],
    securities: ['none', 'tls', 'reality'],
  },
  vmess: { ...WITH_CLIENTS, settings: ['clients'], securities: ['none', 'tls'] },
  trojan: { ...WITH_CLIENTS, settings: ['clients', 'fallbacks'], securities: ['none', 'tls', 'reality'] },
  shadowsocks: {
    ...WITH_CLIENTS,
    settings: ['clients', 'method', 'password', 'network', 'ivCheck'],
    securities: ['none', 'tls'],
  },
  hysteria: HYSTERIA,
  hysteria2: HYSTERIA,
  wireguard: {
    ...ALONE,
    settings: ['secretKey', 'mtu', 'noKernelTun', 'peers', 'dns', 'domainStrategy', 'address', 'reserved'],
    stream: ['sockopt', 'finalmask'],
  },
  http: { ...ALONE, settings: ['accounts', 'allowTransparent'], stream: null },
  mixed: { ...ALONE, settings: ['accounts', 'auth', 'udp', 'ip'], stream: null },
  tunnel: {
    ...ALONE,
    settings: ['rewriteAddress', 'rewritePort', 'allowedNetwork', 'portMap', 'followRedirect'],
    stream: ['sockopt'],
  },
};

/** What a new inbound of a protocol starts with; secrets come from the generators. */
export const FRESH_SETTINGS: Readonly<Record<Protocol, JsonObject>> = {
  vless: { decryption: 'none', encryption: 'none' },
  vmess: {},
  trojan: {},
  shadowsocks: { method: '2022-blake3-aes-256-gcm', network: 'tcp,udp' },
  hysteria: { version: 2 },
  hysteria2: { version: 2 },
  wireguard: { mtu: 1420, peers: [] },
  http: { accounts: [], allowTransparent: false },
  mixed: { auth: 'password', accounts: [], udp: false },
  tunnel: { allowedNetwork: 'tcp,udp' },
};

/** REALITY needs a transport that looks like an ordinary TLS site. */
const REALITY_TRANSPORTS: readonly Transport[] = ['tcp', 'grpc', 'xhttp'];

/** Securities that a protocol has over a transport. */
export function securitiesOf(protocol: Protocol, transport: string): readonly Security[] {
  return TRAITS[protocol].securities.filter(
    (security) => security !== 'reality' || REALITY_TRANSPORTS.some((name) => name === transport),
  );
}

export function isProtocol(name: string): name is Protocol {
  return PROTOCOLS.some((protocol) => protocol === name);
}

/** Where a transport keeps its settings. */
export const settingsKeyOf = (transport: string): string => `${transport}Settings`;

/** Fallbacks work behind a bare TLS handshake only. */
export function canHaveFallbacks(protocol: string, transport: string, security: string): boolean {
  return (
    (protocol === 'vless' || protocol === 'trojan') && transport === 'tcp' && security !== 'none' && security !== ''
  );
}
