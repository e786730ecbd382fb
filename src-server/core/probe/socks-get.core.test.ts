import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { realCore } from '../../testing/core/core-bench.ts';
import { startFarCore, type FarCore } from '../../testing/core/far-core.ts';
import { listening, shut } from '../../testing/peers/local-server.ts';
import { probeConfig } from './probe-config.ts';
import { reservePorts, startProbeCore, type ProbeCore } from './probe-core.ts';
import { socksGet } from './socks-get.ts';

const URL_204 = new URL('http://198.51.100.7/generate_204');
/** Longer than the core waits for the first bytes of a connection. */
const LATE_MS = 250;
const PROTOCOLS = ['vmess', 'shadowsocks'];

let folder: string;
let far: FarCore;
let core: ProbeCore;
let ports: number[];
const target = createHttpServer((_request, response) => response.writeHead(204).end());

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probe-'));
  const port = await listening(target);
  far = await startFarCore([port, port, port]);
  const reserved = await reservePorts(PROTOCOLS.length);
  ({ ports } = reserved);
  await reserved.release();
  const lanes = PROTOCOLS.map((tag, at) => ({ tag, port: ports[at]! }));
  const outbounds = PROTOCOLS.map((tag) => ({ tag, ...far.outbounds[tag] }));
  const started = await startProbeCore(probeConfig(lanes, outbounds), ports, {
    binary: realCore(),
    env: process.env,
    folder,
  });
  if ('failed' in started) throw new Error(started.failed);
  core = started;
});
afterAll(async () => {
  await core.stop();
  await far.close();
  await shut(target);
  await rm(folder, { recursive: true });
});

it.each(PROTOCOLS)('connects to %s again when the panel would be too late with its first bytes', async (protocol) => {
  let connections = 0;
  const relay = createServer((client) => {
    connections += 1;
    const holdMs = connections === 1 ? LATE_MS : 0;
    const behind = connect(ports[PROTOCOLS.indexOf(protocol)]!, '127.0.0.1');
    client.on('error', () => behind.destroy());
    behind.on('error', () => client.destroy());
    client.pipe(behind);
    behind.on('data', (bytes) => setTimeout(() => client.write(bytes), holdMs));
    behind.on('end', () => client.end());
  });
  const port = await listening(relay);
  try {
    const timings = await socksGet({ port, url: URL_204, isWarm: false, timeoutMs: 10_000 });
    expect(timings.httpStatus).toBe(204);
    expect(connections).toBeGreaterThan(1);
  } finally {
    await shut(relay);
  }
});
