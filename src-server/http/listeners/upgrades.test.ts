import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestPanel, type TestPanel } from '../../testing/panels/test-panel.ts';
import type { UpgradeSession } from './upgrades.ts';

let panel: TestPanel;
let folder: string;
let socketPath: string;
const admitted: UpgradeSession[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-ws-'));
  socketPath = join(folder, 'panel.sock');
  panel = await openTestPanel({ settings: { webBasePath: '/base/' }, privateSocket: socketPath });
  panel.server.onUpgrade('/ws', (_request, socket, _head, session) => {
    admitted.push(session);
    socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
  });
});
afterAll(async () => {
  await panel.close();
  await rm(folder, { recursive: true });
});

/** Status of the response to an upgrade. */
async function upgrade(
  headers: Record<string, string>,
  options: { path?: string; socketPath?: string } = {},
): Promise<number> {
  const sent = request({
    ...(options.socketPath === undefined
      ? { port: panel.listening.port, host: '127.0.0.1' }
      : { socketPath: options.socketPath }),
    path: options.path ?? '/base/ws',
    agent: false,
    headers: { connection: 'Upgrade', upgrade: 'websocket', ...headers },
  });
  sent.end();
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('upgrade', (response: IncomingMessage, socket: Duplex) => {
      socket.destroy();
      resolve(response.statusCode ?? 0);
    });
  });
}

test('a domain that was saved does not lock out the browser that saved it before the next start', async () => {
  const cookie = (await panel.signedIn()).cookieHeader();
  panel.settings.webDomain = 'panel.example.com';
  expect(await upgrade({ cookie })).toBe(101);
  panel.settings.webDomain = '';
});

test('a signed-in browser gets through, with a session that is checked again later', async () => {
  const browser = await panel.signedIn();
  const cookie = browser.cookieHeader();
  expect(await upgrade({ cookie })).toBe(101);
  expect(await upgrade({ cookie, origin: 'https://127.0.0.1:8443' })).toBe(101);
  const session = admitted.at(-1);
  expect(session?.idHash).toMatch(/^[0-9a-f]{64}$/);
  expect(await session?.isStillValid()).toBe(true);
  await browser.post('logout');
  expect(await session?.isStillValid()).toBe(false);
  expect(await upgrade({ cookie })).toBe(401);
});

test('no one else does', async () => {
  const cookie = (await panel.signedIn()).cookieHeader();
  const before = admitted.length;
  expect(await upgrade({})).toBe(401);
  expect(await upgrade({ cookie: 'panel_session=nothing' })).toBe(401);
  expect(await upgrade({ authorization: `Bearer ${await panel.token()}` })).toBe(401);
  expect(await upgrade({ cookie, origin: 'https://evil.example' })).toBe(403);
  expect(await upgrade({ cookie, origin: 'null' })).toBe(403);
  expect(await upgrade({ cookie, host: 'rebound.example', origin: 'http://rebound.example' })).toBe(403);
  expect(await upgrade({ cookie }, { path: '/ws' })).toBe(404);
  expect(await upgrade({ cookie }, { path: '/base/other' })).toBe(404);
  expect(admitted).toHaveLength(before);
});

test('the private socket needs no cookie', async () => {
  expect(await upgrade({ host: 'anything' }, { socketPath })).toBe(101);
  expect(await admitted.at(-1)?.isStillValid()).toBe(true);
});

test('other upgrades are ordinary requests', async () => {
  const sent = request(`${panel.listening.url}csrf-token`, {
    agent: false,
    headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' },
  });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(200);
});
