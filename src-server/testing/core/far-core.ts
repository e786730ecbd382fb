import { spawn } from 'node:child_process';
import { randomUUID, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../core/config/source.ts';
import { freePort } from '../free-port.ts';
import { accepts, listening, portOf, shut } from '../peers/local-server.ts';
import { makeSelfSigned } from '../peers/self-signed.ts';
import { realCore, until } from './core-bench.ts';
import { farConfig, METHOD, outboundsToFar, PLACES, vlessAt, wireguardKeys, type FarSetup } from './far-core-config.ts';

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

/** @param sites ports of the sites: behind the protocols, and behind the two linked inbounds */
export async function startFarCore(sites: [number, number, number]): Promise<FarCore> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-far-'));
  const { certPem, keyPem } = makeSelfSigned();
  const [certificateFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await Promise.all([writeFile(certificateFile, certPem), writeFile(keyFile, keyPem)]);
  const pin = new X509Certificate(certPem).fingerprint256.replaceAll(':', '').toLowerCase();
  const ports = {} as FarSetup['ports'];
  for (const place of PLACES) ports[place] = await freePort();
  const setup: FarSetup = {
    ports,
    id: randomUUID(),
    here: wireguardKeys(),
    there: wireguardKeys(),
    tls: { files: { certificateFile, keyFile }, pin },
  };
  await writeFile(join(folder, 'far.json'), JSON.stringify(farConfig(setup, sites)));
  const child = spawn(realCore(), ['run', '-c', join(folder, 'far.json')], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`the far core ended: ${output}`);
    const { vless, vmess, trojan, shadowsocks, first, second } = ports;
    return (await Promise.all([vless, vmess, trojan, shadowsocks, first, second].map(accepts))).every(Boolean);
  }, 'the far core listens');
  const door = await openSlowDoor(ports.vless);

  const link = (port: number, password: string): string =>
    `ss://${Buffer.from(`${METHOD}:${password}`).toString('base64url')}@127.0.0.1:${port}#Tokyo`;
  return {
    outbounds: outboundsToFar(setup),
    slow: vlessAt(setup.id, portOf(door)),
    dead: vlessAt(setup.id, ports.dead),
    links: [link(ports.first, 'one'), link(ports.second, 'two')],
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
