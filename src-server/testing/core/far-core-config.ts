import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { JsonObject } from '../../core/config/source.ts';

export const METHOD = 'aes-256-gcm';
const ALPN = ['h3'];
/** Inbounds of the far core, and `dead`, where nothing listens. */
export const PLACES = [
  'vless',
  'vmess',
  'trojan',
  'shadowsocks',
  'hysteria',
  'wireguard',
  'first',
  'second',
  'dead',
] as const;

/** What the two sides of every connection share. */
export interface FarSetup {
  ports: Record<(typeof PLACES)[number], number>;
  /** Of the client of vless and vmess. */
  id: string;
  /** Keys of the far core, and of its wireguard peer. */
  here: WireguardKeys;
  there: WireguardKeys;
  tls: { files: { certificateFile: string; keyFile: string }; pin: string };
}

interface WireguardKeys {
  secret: string;
  open: string;
}

/** The config of the far core. */
export function farConfig({ ports, id, here, there, tls }: FarSetup, sites: readonly number[]): JsonObject {
  return {
    log: { loglevel: 'warning' },
    inbounds: [
      inbound('vless', ports.vless, 'vless', { clients: [{ id, email: 'a' }], decryption: 'none' }),
      inbound('vmess', ports.vmess, 'vmess', { clients: [{ id, email: 'a' }] }),
      inbound('trojan', ports.trojan, 'trojan', { clients: [{ password: 'p', email: 'a' }] }),
      inbound('shadowsocks', ports.shadowsocks, 'shadowsocks', { method: METHOD, password: 'p', network: 'tcp' }),
      inbound(
        'hysteria',
        ports.hysteria,
        'hysteria',
        { version: 2, clients: [{ auth: 'p', email: 'a' }] },
        {
          network: 'hysteria',
          hysteriaSettings: { version: 2 },
          security: 'tls',
          tlsSettings: { certificates: [tls.files], alpn: ALPN },
        },
      ),
      inbound('wireguard', ports.wireguard, 'wireguard', {
        secretKey: here.secret,
        noKernelTun: true,
        peers: [{ publicKey: there.open, allowedIPs: ['10.0.0.2/32'] }],
      }),
      inbound('first', ports.first, 'shadowsocks', { method: METHOD, password: 'one', network: 'tcp' }),
      inbound('second', ports.second, 'shadowsocks', { method: METHOD, password: 'two', network: 'tcp' }),
    ],
    outbounds: [
      ...['site', 'one', 'two'].map((tag, index) => ({
        tag,
        protocol: 'freedom',
        settings: { redirect: `127.0.0.1:${sites[index]}`, finalRules: [{ action: 'allow' }] },
      })),
      { tag: 'plain', protocol: 'freedom', settings: { finalRules: [{ action: 'allow' }] } },
    ],
    routing: {
      rules: [
        // The inner connections of chains.
        { port: Object.values(ports).join(','), outboundTag: 'plain' },
        { inboundTag: ['first'], outboundTag: 'one' },
        { inboundTag: ['second'], outboundTag: 'two' },
      ],
    },
  };
}

const inbound = (
  tag: string,
  port: number,
  protocol: string,
  settings: JsonObject,
  streamSettings: JsonObject = {},
): JsonObject => ({
  tag,
  listen: '127.0.0.1',
  port,
  protocol,
  settings,
  streamSettings,
});

/** How a core reaches each inbound. */
export function outboundsToFar({ ports, id, here, there, tls }: FarSetup): Record<string, JsonObject> {
  return {
    vless: vlessAt(id, ports.vless),
    vmess: { protocol: 'vmess', settings: { vnext: [{ ...place(ports.vmess), users: [{ id }] }] } },
    trojan: { protocol: 'trojan', settings: { servers: [{ ...place(ports.trojan), password: 'p' }] } },
    shadowsocks: {
      protocol: 'shadowsocks',
      settings: { servers: [{ ...place(ports.shadowsocks), method: METHOD, password: 'p' }] },
    },
    hysteria: {
      protocol: 'hysteria',
      settings: { version: 2, ...place(ports.hysteria) },
      streamSettings: {
        network: 'hysteria',
        hysteriaSettings: { version: 2, auth: 'p' },
        security: 'tls',
        tlsSettings: { serverName: 'localhost', pinnedPeerCertSha256: tls.pin, alpn: ALPN },
      },
    },
    wireguard: {
      protocol: 'wireguard',
      settings: {
        secretKey: there.secret,
        address: ['10.0.0.2/32'],
        peers: [{ publicKey: here.open, endpoint: `127.0.0.1:${ports.wireguard}` }],
      },
    },
  };
}

const place = (port: number): JsonObject => ({ address: '127.0.0.1', port });
export const vlessAt = (id: string, port: number): JsonObject => ({
  protocol: 'vless',
  settings: { ...place(port), id, encryption: 'none' },
});

export function wireguardKeys(): WireguardKeys {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const raw = (key: KeyObject, type: 'pkcs8' | 'spki'): string =>
    (key.export({ type, format: 'der' } as { type: 'spki'; format: 'der' }) as Buffer).subarray(-32).toString('base64');
  return {
    secret: raw(createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })), 'pkcs8'),
    open: raw(publicKey, 'spki'),
  };
}
