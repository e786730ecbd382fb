import { afterAll, beforeAll, expect, test } from 'vitest';
import { stopToken } from '../../domains/mail/stop-token.ts';
import { openReading } from '../../store/postgres/open-reading.ts';
import { writeBeside } from '../../store/postgres/write-beside.ts';
import { peekSecrets } from '../../store/secrets/secret-key.ts';
import { openPanel, type TestPanel } from '../../testing/panels/open-panel.ts';
import { sendRaw } from '../../testing/peers/raw-request.ts';
import { databaseOf, giveBack, takeAway } from '../../testing/postgres/databases.ts';
import { createSubscriptionServer, type SubscriptionServer } from './subscription-server.ts';

const NOW = 1_800_000_000_000;
const HOST = 's.example:8443';
const APP = 'v2rayNG/1.9';

let panel: TestPanel;
let server: SubscriptionServer;
const closers: (() => Promise<void>)[] = [];
const lost: string[] = [];

beforeAll(async () => {
  panel = await openPanel({ startMs: NOW });
  const nodeId = await panel.unreachableNode();
  await panel.set({
    subTitle: 'Nørd {{EMAIL}}',
    subAnnounce: 'Hello {{SUB_ID}}',
    subURI: 'https://links.example/sub/',
    subJsonEnable: true,
    subYamlEnable: true,
    subEncrypt: false,
    subYamlUserAgentRegex: 'clash',
    remarkTemplate: '{{INBOUND}}-{{EMAIL}}-{{TRAFFIC_LEFT}}-{{DAYS_LEFT}}',
    smtpEnable: true,
  });
  const socket = await panel.inbound(8443, {
    remark: 'ws',
    streamSettings: { network: 'ws', security: 'none', wsSettings: { path: '/w' } },
  });
  const own = await panel.inbound(8444, { remark: 'own', listen: '127.0.0.1' });
  const vmess = await panel.inbound(8445, { protocol: 'vmess', remark: 'vm', settings: {} });
  await panel.inbound(8446, { protocol: 'trojan', remark: 'off', settings: {}, enable: false });
  await panel.done('/hosts/add', { inboundId: socket, address: 'h.example', security: 'tls', remark: 'host' });
  await panel.add({ email: 'nina', subId: 'both', totalGB: 20 * 2 ** 30, expiryTime: NOW + 86_400_000 * 9 }, [
    socket,
    own,
    vmess,
  ]);
  await panel.add({ email: 'omar', subId: 'omar', enable: false }, [socket]);
  panel.write(`UPDATE clients SET subId = 'both' WHERE subId = 'omar'`);
  await panel.add({ email: 'pia', subId: 'away', expiryTime: -86_400_000 * 30 }, [vmess]);
  panel.write('UPDATE inbounds SET nodeId = ? WHERE id = ?', nodeId, vmess);
  panel.write(
    `UPDATE clientStates SET upBytes = 12345678, downBytes = 987654321, lastOnlineAtMs = ? WHERE quotaBytes > 0`,
    NOW,
  );
  await panel.done('/clients/nina/externalLinks', {
    externalLinks: [{ kind: 'link', value: 'trojan://p@far.example:443#far', remark: 'Far' }],
  });
  panel.parts.engine.traffic.onlineEverywhere = () => new Set(['nina']);

  const url = databaseOf(panel.dataDir)!;
  let look = (): void => undefined;
  const reading = await openReading({
    url,
    role: 'reader',
    backupFolder: panel.dataDir,
    clock: panel.clock,
    log: panel.log,
    mayWrite() {
      throw new Error('not here');
    },
    onCommit: () => look(),
    onLost: (reason) => void lost.push(reason),
  });
  const noting = writeBeside({ url, log: panel.log });
  server = await createSubscriptionServer({
    reading,
    noting,
    secrets: await peekSecrets(panel.dataDir),
    overrides: { subListen: '127.0.0.1', subPort: 0 },
    onCommit: (refresh) => (look = refresh),
    clock: panel.clock,
    log: panel.log,
    schedule: panel.schedule,
  });
  closers.push(
    () => server.close(),
    () => noting.close(),
    () => reading.close(),
    () => panel.close(),
  );
});
afterAll(async () => {
  for (const close of closers) await close();
});

/** A whole response, without the time at which it was given. */
async function responseOf(url: string, path: string, method = 'GET', headers: readonly string[] = []): Promise<string> {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${HOST}`, 'Connection: close', ...headers];
  return (await sendRaw(url, lines)).text.replace(/^Date: .*\r\n/m, '');
}
const pair = async (...request: [path: string, method?: string, headers?: readonly string[]]) => [
  await responseOf(panel.app.sub, ...request),
  await responseOf(server.url, ...request),
];

test("responses equal the panel's, byte for byte, in every format", async () => {
  const requests: [string, string?, string[]?][] = [];
  for (const id of ['both', 'away', 'nobody'])
    for (const [path, ...headers] of [
      ['/sub/', `User-Agent: ${APP}`],
      ['/sub/', 'User-Agent: clash.meta'],
      ['/json/'],
      ['/yaml/'],
      ['/sub/', 'Accept: text/html', 'Accept-Language: fa', 'User-Agent: Mozilla/5.0 (iPhone)'],
    ])
      requests.push([`${path}${id}`, 'GET', headers], [`${path}${id}`, 'HEAD', headers]);
  requests.push(
    ['/sub/both?format=info'],
    ['/json/both?view=raw'],
    ['/yaml/both?view=raw'],
    ['/'],
    ['/sub/both', 'POST'],
  );
  requests.push(['/sub/both', 'GET', ['X-Forwarded-Host: other.example', 'X-Forwarded-Proto: https']]);
  const id = (await panel.store.reader.selectFrom('clients').select('id').where('email', '=', 'nina').execute())[0]!.id;
  const token = stopToken(await panel.parts.base.settings.hidden('secret'), id);
  requests.push([`/sub/mail/${token}`], ['/sub/mail/none'], [`/sub/mail/${token}?on=1`, 'POST']);
  const statuses = [];
  for (const one of requests) {
    const [ofPanel, ofServer] = await pair(...one);
    expect(ofServer, JSON.stringify(one)).toBe(ofPanel);
    statuses.push(ofPanel!.split('\r\n')[0]!.slice(9, 12));
  }
  // They really are responses.
  expect(statuses.filter((status) => status === '200').length).toBeGreaterThan(24);
  const body = await responseOf(server.url, '/sub/both');
  for (const part of ['@h.example:', '@s.example:', '@far.example:']) expect(body).toContain(part);
  expect(await responseOf(server.url, '/sub/both?format=info')).toContain('"isOnline":true');
  expect(server.complaints).toEqual([]);
  const tag = /^ETag: (.*)$/m.exec(body)![1]!;
  expect((await pair('/sub/both', 'GET', [`If-None-Match: ${tag}`])).map((text) => text.slice(9, 12))).toEqual([
    '304',
    '304',
  ]);

  // One click stops e-mails, and the page says so at once.
  expect(await responseOf(server.url, `/sub/mail/${token}`, 'POST')).toContain('You receive no more e-mails');
  expect(await panel.read('/clients/mailChoice/nina')).toMatchObject({ isStopped: true });
});

test("it sees the panel's changes, notes fetches, and reports a database that is away", async () => {
  await panel.set({ subPath: '/other/' });
  await expect.poll(() => responseOf(server.url, '/other/both')).toContain('200 OK');
  await panel.done('/clients/bulkDisable', { emails: ['nina'] });
  await expect.poll(() => responseOf(server.url, '/other/both')).toContain('404 Not Found');
  await panel.set({ subPath: '/sub/' });
  const fetchedAt = async (): Promise<number> => (await panel.state('pia'))!.lastSubFetchAtMs;
  expect(await fetchedAt()).toBe(0);
  await expect.poll(() => responseOf(server.url, '/sub/away')).toContain('200 OK');
  await takeAway(panel.dataDir);
  await expect.poll(() => responseOf(server.url, '/sub/away')).toMatch(/^HTTP\/1.1 503 .*\r\nRetry-After: 30\r\n/s);
  await giveBack(panel.dataDir);
  await expect.poll(() => responseOf(server.url, '/sub/away'), { timeout: 20_000 }).toContain('200 OK');
  await expect.poll(async () => (await panel.advance(5_000), fetchedAt()), { timeout: 20_000 }).toBeGreaterThan(0);

  expect(lost).toEqual([]);
  panel.write('UPDATE schemaVersion SET version = version + 1');
  await panel.store.write(async () => undefined);
  await expect.poll(() => lost).toContain('store.newerVersion');
});
