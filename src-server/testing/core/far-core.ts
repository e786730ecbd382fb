import { spawn } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, randomUUID, X509Certificate, type KeyObject } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../core/config/source.ts';
import { freePort } from '../free-port.ts';
import { accepts, listening, portOf, shut } from '../peers/local-server.ts';
import { makeSelfSigned } from '../peers/self-signed.ts';
import { realCore, until } from './core-bench.ts';

/** A core on the far side: whatever a client requests, it gets the site behind the inbound it used. */
export interface FarCore {
  /** How a panel's core reaches each inbound: vless, vmess, trojan, shadowsocks, hysteria, wireguard. */
  outbounds: Record<string, JsonObject>;
  /** The vless inbound behind a line that takes `SLOW_MS` to connect. */
  slow: JsonObject;
  /** An address where nothing listens. */
  dead: JsonObject;
  /** Share links of two shadowsocks inbounds, each with its own site. */
  links: [string, string];
  close(): Promise<void>;
}

/** Longer than a request takes on a busy machine: connecting is compared with a request. */
export const SLOW_MS = 1_500;
const METHOD = 'aes-256-gcm';

/** @param sites ports of the sites: behind the protocols, and behind the two linked inbounds */
export async function startFarCore(sites: [number, number, number]): Promise<FarCore> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-far-'));
  const { certPem, keyPem } = makeSelfSigned();
  const [certificateFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await Promise.all([writeFile(certificateFile, certPem), writeFile(keyFile, keyPem)]);
  const pin = new X509Certificate(certPem).fingerprint256.replaceAll(':', '').toLowerCase();
  const id = randomUUID();
  const ports: number[] = [];
  while (ports.length < 9) ports.push(await freePort());
  const [
    vless = 0,
    vmess = 0,
    trojan = 0,
    shadowsocks = 0,
    hysteria = 0,
    wireguard = 0,
    first = 0,
    second = 0,
    dead = 0,
  ] = ports;
  const [here, there] = [wireguardKeys(), wireguardKeys()];
  const alpn = ['h3'];
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
  const config = {
    log: { loglevel: 'warning' },
    inbounds: [
      inbound('vless', vless, 'vless', { clients: [{ id, email: 'a' }], decryption: 'none' }),
      inbound('vmess', vmess, 'vmess', { clients: [{ id, email: 'a' }] }),
      inbound('trojan', trojan, 'trojan', { clients: [{ password: 'p', email: 'a' }] }),
      inbound('shadowsocks', shadowsocks, 'shadowsocks', { method: METHOD, password: 'p', network: 'tcp' }),
      inbound(
        'hysteria',
        hysteria,
        'hysteria',
        { version: 2, clients: [{ auth: 'p', email: 'a' }] },
        {
          network: 'hysteria',
          hysteriaSettings: { version: 2 },
          security: 'tls',
          tlsSettings: { certificates: [{ certificateFile, keyFile }], alpn },
        },
      ),
      inbound('wireguard', wireguard, 'wireguard', {
        secretKey: here.secret,
        noKernelTun: true,
        peers: [{ publicKey: there.open, allowedIPs: ['10.0.0.2/32'] }],
      }),
      inbound('first', first, 'shadowsocks', { method: METHOD, password: 'one', network: 'tcp' }),
      inbound('second', second, 'shadowsocks', { method: METHOD, password: 'two', network: 'tcp' }),
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
        { port: ports.join(','), outboundTag: 'plain' },
        { inboundTag: ['first'], outboundTag: 'one' },
        { inboundTag: ['second'], outboundTag: 'two' },
      ],
    },
  };
  await writeFile(join(folder, 'far.json'), JSON.stringify(config));
  const child = spawn(realCore(), ['run', '-c', join(folder, 'far.json')], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`the far core ended: ${output}`);
    return (await Promise.all([vless, vmess, trojan, shadowsocks, first, second].map(accepts))).every(Boolean);
  }, 'the far core listens');
  const door = await openSlowDoor(vless);

  const place = (port: number): JsonObject => ({ address: '127.0.0.1', port });
  const vlessAt = (port: number): JsonObject => ({
    protocol: 'vless',
    settings: { ...place(port), id, encryption: 'none' },
  });
  const link = (port: number, password: string): string =>
    `ss://${Buffer.from(`${METHOD}:${password}`).toString('base64url')}@127.0.0.1:${port}#Tokyo`;
  return {
    outbounds: {
      vless: vlessAt(vless),
      vmess: { protocol: 'vmess', settings: { vnext: [{ ...place(vmess), users: [{ id }] }] } },
      trojan: { protocol: 'trojan', settings: { servers: [{ ...place(trojan), password: 'p' }] } },
      shadowsocks: {
        protocol: 'shadowsocks',
        settings: { servers: [{ ...place(shadowsocks), method: METHOD, password: 'p' }] },
      },
      hysteria: {
        protocol: 'hysteria',
        settings: { version: 2, ...place(hysteria) },
        streamSettings: {
          network: 'hysteria',
          hysteriaSettings: { version: 2, auth: 'p' },
          security: 'tls',
          tlsSettings: { serverName: 'localhost', pinnedPeerCertSha256: pin, alpn },
        },
      },
      wireguard: {
        protocol: 'wireguard',
        settings: {
          secretKey: there.secret,
          address: ['10.0.0.2/32'],
          peers: [{ publicKey: here.open, endpoint: `127.0.0.1:${wireguard}` }],
        },
      },
    },
    slow: vlessAt(portOf(door)),
    dead: vlessAt(dead),
    links: [link(first, 'one'), link(second, 'two')],
    async close() {
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGTERM');
      await gone;
      await shut(door);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Forwards connections to a port, each after a delay. */
async function openSlowDoor(target: number): Promise<Server> {
  const server = createServer((inner) => {
    inner.pause();
    const outer = connect(target, '127.0.0.1');
    const timer = setTimeout(() => void inner.pipe(outer).pipe(inner), SLOW_MS);
    for (const [one, other] of [
      [inner, outer],
      [outer, inner],
    ] as const)
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          clearTimeout(timer);
          other.destroy();
        });
  });
  await listening(server);
  return server;
}

function wireguardKeys(): { secret: string; open: string } {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const raw = (key: KeyObject, type: 'pkcs8' | 'spki'): string =>
    (key.export({ type, format: 'der' } as { type: 'spki'; format: 'der' }) as Buffer).subarray(-32).toString('base64');
  return {
    secret: raw(createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })), 'pkcs8'),
    open: raw(publicKey, 'spki'),
  };
}
