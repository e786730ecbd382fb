import { randomBytes } from 'node:crypto';
import type { TestCertificate } from '../certificate.ts';

type Json = Record<string, unknown>;

export interface KindContext {
  port: number;
  certificate: TestCertificate;
  realityTargetPort: number;
  reality: { privateKey: string; publicKey: string };
}

/** The created client, as in the panel's response. */
export interface Credentials {
  email: string;
  id: string;
  password: string;
  auth: string;
}

export interface InboundKind {
  name: string;
  protocol: string;
  /** False for protocols whose users are accounts in the settings. */
  hasClients: boolean;
  flow?: string;
  settings: Json;
  stream: (context: KindContext) => Json | null;
  outbound: (context: KindContext, client: Credentials) => Json;
}

const TRANSPORTS: Record<string, Json> = {
  tcp: { network: 'tcp' },
  ws: { network: 'ws', wsSettings: { path: '/w' } },
  grpc: { network: 'grpc', grpcSettings: { serviceName: 'g' } },
  httpupgrade: { network: 'httpupgrade', httpupgradeSettings: { path: '/u' } },
  xhttp: { network: 'xhttp', xhttpSettings: { path: '/x' } },
  kcp: { network: 'kcp' },
};

type Security = 'none' | 'tls' | 'reality';

function serverSecurity(security: Security, context: KindContext): Json {
  if (security === 'none') return { security: 'none' };
  if (security === 'tls') {
    const { certFile, keyFile } = context.certificate;
    return { security: 'tls', tlsSettings: { certificates: [{ certificateFile: certFile, keyFile }] } };
  }
  return {
    security: 'reality',
    realitySettings: {
      target: `127.0.0.1:${context.realityTargetPort}`,
      serverNames: ['test.local'],
      privateKey: context.reality.privateKey,
      shortIds: ['abcd'],
    },
  };
}

function clientSecurity(security: Security, context: KindContext): Json {
  if (security === 'none') return {};
  if (security === 'tls')
    return {
      security: 'tls',
      tlsSettings: { serverName: 'test.local', pinnedPeerCertSha256: context.certificate.pin },
    };
  return {
    security: 'reality',
    realitySettings: {
      serverName: 'test.local',
      fingerprint: 'chrome',
      password: context.reality.publicKey,
      shortId: 'abcd',
      spiderX: '/',
    },
  };
}

const ENDPOINT = (context: KindContext): Json => ({ address: '127.0.0.1', port: context.port });

const USERS = {
  vless: (client: Credentials): Json => ({ id: client.id, encryption: 'none' }),
  vmess: (client: Credentials): Json => ({ id: client.id, security: 'auto' }),
  trojan: (client: Credentials): Json => ({ password: client.password }),
};

const SETTINGS = { vless: { decryption: 'none', encryption: 'none' }, vmess: {}, trojan: {} };

interface Variant {
  name: string;
  flow: string;
  settings: Json;
  user: Json;
}

function kind(
  protocol: keyof typeof USERS,
  security: Security,
  transport: string,
  { name = '', flow, settings = SETTINGS[protocol], user = {} }: Partial<Variant> = {},
): InboundKind {
  return {
    name: `${protocol} ${name}${transport} ${security}`,
    protocol,
    hasClients: true,
    ...(flow !== undefined && { flow }),
    settings,
    stream: (context) => ({ ...TRANSPORTS[transport], ...serverSecurity(security, context) }),
    outbound: (context, client) => ({
      protocol,
      settings: { ...ENDPOINT(context), ...USERS[protocol](client), ...user },
      streamSettings: { ...TRANSPORTS[transport], ...clientSecurity(security, context) },
    }),
  };
}

const kinds = (protocol: keyof typeof USERS, security: Security, transports: string): InboundKind[] =>
  transports.split(' ').map((transport) => kind(protocol, security, transport));

const VISION = { flow: 'xtls-rprx-vision' };
const vision = (security: Security): InboundKind =>
  kind('vless', security, 'tcp', { name: 'vision ', ...VISION, user: VISION });

/** A key pair from the core's own documentation. */
const VLESS_KEYS = {
  decryption: 'mlkem768x25519plus.native.600s.6J6-nSYZrOiT5CTwMr5NMj1u93i3-wIDXnB6xIhktkA',
  encryption: 'mlkem768x25519plus.native.0rtt.APNUqmK08MqmpLp-6x-VuC2rbSFC8Q6lci8308vXD0o',
};

/** VLESS encryption carries Vision over any transport and without TLS. */
const encryptedVision = (transport: string): InboundKind =>
  kind('vless', 'none', transport, {
    name: 'vision encryption ',
    ...VISION,
    settings: VLESS_KEYS,
    user: { ...VISION, encryption: VLESS_KEYS.encryption },
  });

function shadowsocks(method: string, keyBytes: number): InboundKind {
  const serverKey = keyBytes === 0 ? '' : randomBytes(keyBytes).toString('base64');
  return {
    name: `shadowsocks ${method}`,
    protocol: 'shadowsocks',
    hasClients: true,
    settings: { method, password: serverKey, network: 'tcp,udp' },
    stream: () => ({ network: 'tcp', security: 'none' }),
    outbound: (context, client) => ({
      protocol: 'shadowsocks',
      settings: {
        ...ENDPOINT(context),
        method,
        password: serverKey === '' ? client.password : `${serverKey}:${client.password}`,
      },
    }),
  };
}

const HYSTERIA_STREAM = { network: 'hysteria', hysteriaSettings: { version: 2 } };

const hysteria2: InboundKind = {
  name: 'hysteria2 tls',
  protocol: 'hysteria2',
  hasClients: true,
  settings: { version: 2 },
  stream: (context) => ({ ...HYSTERIA_STREAM, ...serverSecurity('tls', context) }),
  outbound: (context, client) => ({
    protocol: 'hysteria',
    settings: { version: 2, ...ENDPOINT(context) },
    streamSettings: {
      ...clientSecurity('tls', context),
      network: 'hysteria',
      hysteriaSettings: { version: 2, auth: client.auth },
    },
  }),
};

function accounts(protocol: 'http' | 'mixed'): InboundKind {
  const account = { user: `${protocol}-user`, pass: 'p-1' };
  return {
    name: protocol,
    protocol,
    hasClients: false,
    settings: protocol === 'http' ? { accounts: [account] } : { auth: 'password', accounts: [account], udp: false },
    stream: () => null,
    outbound: (context) => ({
      protocol: protocol === 'http' ? 'http' : 'socks',
      settings: { ...ENDPOINT(context), ...account },
    }),
  };
}

/** Every protocol over its main transports and securities. */
export const INBOUND_KINDS: InboundKind[] = [
  ...kinds('vless', 'none', 'tcp ws grpc httpupgrade xhttp kcp'),
  ...kinds('vless', 'tls', 'tcp ws grpc httpupgrade xhttp kcp'),
  ...kinds('vless', 'reality', 'tcp grpc xhttp'),
  vision('tls'),
  vision('reality'),
  ...['tcp', 'ws', 'xhttp'].map((transport) => encryptedVision(transport)),
  ...kinds('vmess', 'none', 'tcp ws grpc httpupgrade xhttp kcp'),
  ...kinds('vmess', 'tls', 'tcp ws grpc httpupgrade xhttp'),
  ...kinds('trojan', 'tls', 'tcp ws grpc httpupgrade xhttp'),
  ...kinds('trojan', 'reality', 'tcp grpc xhttp'),
  shadowsocks('aes-256-gcm', 0),
  shadowsocks('chacha20-ietf-poly1305', 0),
  shadowsocks('2022-blake3-aes-128-gcm', 16),
  shadowsocks('2022-blake3-aes-256-gcm', 32),
  hysteria2,
  accounts('http'),
  accounts('mixed'),
];
