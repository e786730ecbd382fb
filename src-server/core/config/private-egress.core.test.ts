import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as base from '../../testing/core-config/base.ts';
import { buildCoreConfig } from './core-config.ts';
import { defaultTemplate } from './template/default-template.ts';
import type { JsonObject } from './source.ts';
import { freePort } from '../../testing/free-port.ts';
import { listening, portOf } from '../../testing/peers/local-server.ts';

const binary = resolve(process.env['CORE_BINARY'] ?? 'resources/core/xray');
if (!existsSync(binary)) throw new Error('The core binary is missing: set CORE_BINARY or put it into resources/core.');

const SECRET = 'only for this machine';
const SILENT_MS = 1000;
const local = createServer((_request, response) => response.end(SECRET));
let folder = '';
let core: ChildProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-egress-'));
  await listening(local, '::');
});
afterEach(() => core?.kill());
afterAll(async () => {
  local.close();
  await rm(folder, { recursive: true });
});

/** Runs a core with an open proxy for this test; returns the proxy's port. */
async function startCore(template: JsonObject): Promise<number> {
  const port = await freePort();
  const inbound = base.source({ protocol: 'mixed', port, settings: { auth: 'noauth' } });
  const options = { apiListen: join(folder, 'api.sock,0600'), logFolder: folder };
  const { config } = buildCoreConfig(base.configSource({ template, inbounds: [inbound] }), options);
  const path = join(folder, `${port}.json`);
  await writeFile(path, JSON.stringify({ ...config, metrics: null }));
  core = spawn(binary, ['run', '-c', path], { env: { XRAY_LOCATION_ASSET: folder } });
  if (core.stdout !== null) await once(core.stdout, 'data');
  for (let tries = 0; tries < 50 && !(await isOpen(port)); tries += 1)
    await new Promise((done) => setTimeout(done, 50));
  return port;
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      done(true);
    });
    socket.on('error', () => done(false));
  });
}

/**
 * What a proxy client gets from our local server under that name; a blocked connection hangs or ends without a
 * response.
 */
function fetchThrough(proxyPort: number, host: string): Promise<string> {
  const port = portOf(local);
  return new Promise((done) => {
    let received = '';
    const socket = connect(proxyPort, '127.0.0.1', () => {
      socket.write(`GET http://${host}:${port}/ HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: close\r\n\r\n`);
    });
    socket.setTimeout(SILENT_MS, () => socket.destroy());
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => done(received));
  });
}

describe('the default template', () => {
  const HOSTS = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '0.0.0.0', '127.1.2.3'];

  it('keeps clients away from this machine, by address and by name', async () => {
    const port = await startCore(defaultTemplate());
    const responses = await Promise.all(HOSTS.map((host) => fetchThrough(port, host)));
    expect(responses.filter((response) => response.includes(SECRET))).toEqual([]);
  });

  it('alone keeps them away: a template without its rules lets them through', async () => {
    const finalRules = [{ action: 'allow' }];
    const port = await startCore({ outbounds: [{ tag: 'direct', protocol: 'freedom', settings: { finalRules } }] });
    const responses = await Promise.all(HOSTS.slice(0, 4).map((host) => fetchThrough(port, host)));
    expect(responses.map((response) => response.includes(SECRET))).toEqual([true, true, true, true]);
  });
});
