/** What server and interface know of the protocols, transports and securities of an inbound. */

/** Protocols that can be written, in the order of lists. Stored `tun` rows of old panels are only shown. */
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

interface ProtocolFacts {
  /** Empty = there is no choice of transport. */
  transports: readonly Transport[];
  /** What the core accepts; `securitiesOf` tells what is offered. */
  securities: readonly Security[];
  /** Whether clients of the panel can be attached to it, which then have links. */
  hasClients: boolean;
}

const ORDINARY: readonly Transport[] = ['tcp', 'ws', 'grpc', 'httpupgrade', 'xhttp', 'kcp'];
const WITH_CLIENTS: ProtocolFacts = { transports: ORDINARY, securities: SECURITIES, hasClients: true };
const HYSTERIA: ProtocolFacts = { transports: ['hysteria'], securities: ['tls'], hasClients: true };
const ALONE: ProtocolFacts = { transports: [], securities: [], hasClients: false };

export const PROTOCOL_FACTS: Readonly<Record<Protocol, ProtocolFacts>> = {
  vless: WITH_CLIENTS,
  vmess: WITH_CLIENTS,
  trojan: WITH_CLIENTS,
  shadowsocks: { ...WITH_CLIENTS, securities: ['none', 'tls'] },
  hysteria: HYSTERIA,
  hysteria2: HYSTERIA,
  wireguard: ALONE,
  http: ALONE,
  mixed: ALONE,
  tunnel: ALONE,
};

export const CLIENT_PROTOCOLS: readonly Protocol[] = PROTOCOLS.filter((name) => PROTOCOL_FACTS[name].hasClients);

export function isProtocol(name: string): name is Protocol {
  return PROTOCOLS.some((protocol) => protocol === name);
}

/** REALITY needs a transport that looks like an ordinary TLS site. */
const REALITY_TRANSPORTS: readonly string[] = ['tcp', 'grpc', 'xhttp'];

/** Securities offered for a protocol over a transport. REALITY is left out for vmess: no link can express it. */
export function securitiesOf(protocol: Protocol, transport: string): readonly Security[] {
  const hasReality = protocol !== 'vmess' && REALITY_TRANSPORTS.includes(transport);
  return PROTOCOL_FACTS[protocol].securities.filter((security) => security !== 'reality' || hasReality);
}

/** Fallbacks work behind a bare TLS handshake only. */
export function canHaveFallbacks(protocol: string, transport: string, security: string): boolean {
  return (
    (protocol === 'vless' || protocol === 'trojan') && transport === 'tcp' && security !== 'none' && security !== ''
  );
}
