import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createGuardedDialer, type GuardedDialer } from '../../../net/guarded-dialer.ts';
import { createRemoteSubscriptions } from './remote-subscriptions.ts';
import { listening, originOf } from '../../../testing/peers/local-server.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A provider, the subscriptions that read it, and the reports. The guard allows this test's own machine. */
async function provider(respond: RequestListener, isGuarded = false) {
  const server = createServer(respond);
  servers.push(server);
  await listening(server);
  const url = `${originOf(server)}/sub`;
  const time = { nowMs: 1_000_000 };
  const reports: [string, string][] = [];
  const dialer = createGuardedDialer();
  const open: Pick<GuardedDialer, 'fetch'> = {
    fetch: (to, options) => dialer.fetch(to, { ...options, allowPrivate: true }),
  };
  const remotes = createRemoteSubscriptions({
    dialer: isGuarded ? dialer : open,
    clock: () => time.nowMs,
    report: (to, error) => void reports.push([to, error]),
  });
  return { url, time, reports, lines: () => remotes.lines(url) };
}

const TWO = 'vless://a@h.example:1#one\r\n# note\n\nnonsense\ntrojan://b@h.example:2#two%0A\n';

test.each([
  ['plain', TWO],
  ['base64', Buffer.from(TWO).toString('base64')],
  ['base64url without padding, wrapped', Buffer.from(TWO).toString('base64url').replaceAll(/.{20}/g, '$&\n')],
])('%s bodies are read in order and unchanged', async (_kind, body) => {
  const agents: unknown[] = [];
  const remote = await provider((request, response) => {
    agents.push(request.headers['user-agent']);
    response.end(body);
  });
  expect(await remote.lines()).toEqual(['vless://a@h.example:1#one', 'trojan://b@h.example:2#two%0A']);
  expect(agents).toEqual(['v2rayNG/1.8.5']);
  expect(remote.reports).toEqual([[remote.url, '']]);
});

test('one fetch serves everyone for five minutes; then the old response is served during a new fetch', async () => {
  let requests = 0;
  const remote = await provider((_request, response) => {
    requests += 1;
    response.end(`vless://a@h.example:1#${requests}`);
  });
  const first = await Promise.all([remote.lines(), remote.lines(), remote.lines()]);
  expect([requests, first]).toEqual([
    1,
    [['vless://a@h.example:1#1'], ['vless://a@h.example:1#1'], ['vless://a@h.example:1#1']],
  ]);
  remote.time.nowMs += 299_999;
  await remote.lines();
  expect(requests).toBe(1);
  remote.time.nowMs += 1;
  expect(await remote.lines()).toEqual(['vless://a@h.example:1#1']);
  await expect.poll(remote.lines).toEqual(['vless://a@h.example:1#2']);
  expect(requests).toBe(2);
});

test('while a provider fails its last response is kept; one that never responded yields nothing', async () => {
  let status = 503;
  const remote = await provider((_request, response) => response.writeHead(status).end('vless://a@h.example:1#1'));
  expect(await remote.lines()).toEqual([]);
  expect(remote.reports).toEqual([[remote.url, 'non-2xx subscription response']]);
  status = 200;
  expect(await remote.lines()).toEqual([]);
  remote.time.nowMs += 300_000;
  expect(await remote.lines()).toEqual(['vless://a@h.example:1#1']);
  status = 500;
  remote.time.nowMs += 300_000;
  await remote.lines();
  await expect.poll(() => remote.reports.length).toBe(3);
  expect(await remote.lines()).toEqual(['vless://a@h.example:1#1']);
});

test('is fetched again when the clock was set back', async () => {
  let requests = 0;
  const remote = await provider((_request, response) => response.end(`vless://a@h.example:1#${++requests}`));
  await remote.lines();
  remote.time.nowMs -= 500_000;
  await remote.lines();
  await expect.poll(() => remote.reports.length).toBe(2);
});

test('two MiB are the limit', async () => {
  const line = 'vless://a@h.example:1#1\n';
  let size = 2 * 1024 * 1024;
  const remote = await provider((_request, response) => response.end(line + ' '.repeat(size - line.length)));
  expect(await remote.lines()).toHaveLength(1);
  size += 1;
  const other = await provider((_request, response) => response.end(line + ' '.repeat(size - line.length)));
  expect(await other.lines()).toEqual([]);
  expect(other.reports).toEqual([[other.url, 'subscription response body exceeds size limit']]);
});

test('a provider in the internal network is not fetched', async () => {
  let requests = 0;
  const remote = await provider((_request, response) => {
    requests += 1;
    response.end('vless://a@h.example:1#1');
  }, true);
  expect(await remote.lines()).toEqual([]);
  expect(requests).toBe(0);
  expect(remote.reports[0]?.[1]).not.toBe('');
});
