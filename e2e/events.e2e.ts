import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ShownEvent, Subscriber } from '../src-server/domains/events/contract.ts';
import { BOT_TOKEN, startBotApiPeer, type BotApiPeer } from '../src-server/testing/bot-api/bot-api-peer.ts';
import { isAlive } from '../src-server/testing/is-alive.ts';
import { mailServer } from '../src-server/testing/peers/mail-server.ts';
import { createTestBrowser } from '../src-server/testing/peers/test-browser.ts';
import { makeSelfSigned } from '../src-server/testing/peers/self-signed.ts';
import { freePort } from '../src-server/testing/free-port.ts';
import { allowPrivateEgress } from './harness/open-egress.ts';
import { makeToken, disposePanel, startPanel, type PanelProcess } from './harness/panel-process.ts';
import { startTargetServer, type TargetServer } from './harness/target-server.ts';
import { waitFor } from './harness/wait-for.ts';
import { addVlessInbound, connectVless } from './harness/vless-inbound.ts';
import { listening, originOf, shut } from '../src-server/testing/peers/local-server.ts';

interface WebhookMessage {
  id: number;
  kind: string;
  facts: Record<string, unknown>;
}
const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await listening(server);
  closers.push(() => shut(server));
  return `${originOf(server)}/`;
}

/** A local webhook target that records its messages. */
async function webhookTarget(): Promise<{ url: string; received: WebhookMessage[] }> {
  const received: WebhookMessage[] = [];
  const url = await serving((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      received.push(JSON.parse(body) as WebhookMessage);
      response.end();
    });
  });
  return { url, received };
}

const ADMIN_CHAT = 11;
const ALL = ['core.crash', 'login.attempt', 'node.down', 'node.up', 'client.depleted'];

describe('events are delivered', () => {
  let panel: PanelProcess;
  let node: PanelProcess;
  let site: TargetServer;
  let target: Awaited<ReturnType<typeof webhookTarget>>;
  let mail: Awaited<ReturnType<typeof mailServer>>;
  let bot: BotApiPeer;
  beforeAll(async () => {
    site = await startTargetServer();
    const { certPem: cert, keyPem: key } = makeSelfSigned();
    [panel, node, target, mail, bot] = await Promise.all([
      startPanel(),
      startPanel(),
      webhookTarget(),
      mailServer({ key, cert }),
      startBotApiPeer(),
    ]);
    bot.knows(ADMIN_CHAT);
    await allowPrivateEgress(panel.api);
    const silent = createTcpServer((socket) => void socket.resume().on('error', () => {}));
    await listening(silent);
    const hanging = `${originOf(silent)}/`;
    for (const [name, url] of [
      ['target', target.url],
      ['hanging', hanging],
    ])
      await panel.api.post('/panel/api/webhooks/save', { name, url, kinds: ALL, allowPrivate: true });
    await panel.api.post('/panel/api/setting/update', {
      smtpEnable: true,
      smtpHost: '127.0.0.1',
      smtpPort: mail.port,
      smtpEncryptionType: 'none',
      smtpAllowPrivate: true,
      smtpFrom: 'panel@example.com',
      smtpTo: 'admin@example.com',
      smtpEnabledEvents: 'core.crash,client.depleted',
      smtpClientEvents: 'client.depleted',
      tgBotEnable: true,
      tgBotToken: BOT_TOKEN,
      tgBotAPIServer: bot.origin,
      tgBotAllowPrivate: true,
      tgBotChatId: String(ADMIN_CHAT),
      tgEnabledEvents: 'login.attempt,node.down',
      panelEnabledEvents: 'client.depleted,node.down,node.up',
    });
    closers.push(
      () => silent.close(),
      () => mail.close(),
      () => bot.close(),
      () => site.close(),
      () => disposePanel(node),
      () => disposePanel(panel),
    );
  });

  const kinds = (): string[] => target.received.map(({ kind }) => kind);
  const until = (kind: string): Promise<WebhookMessage> =>
    waitFor(`${kind} to be received`, () => target.received.find((one) => one.kind === kind), 60_000);

  test('a refused sign-in, a killed core, a lost node, a quota crossed by traffic: each once', async () => {
    await createTestBrowser(panel.url)
      .signIn('mallory', 'wrong')
      .catch(() => {});

    const token = makeToken(node.dataDir);
    const { port, pathname } = new URL(node.url);
    const place = { scheme: 'http', address: '127.0.0.1', port: Number(port), basePath: pathname };
    await panel.api.post('/panel/api/nodes/add', {
      name: 'away',
      apiToken: token,
      allowPrivateAddress: true,
      ...place,
    });
    await waitFor('the node to be online', async () =>
      (await panel.api.get<{ status: string }[]>('/panel/api/nodes/list')).some(({ status }) => status === 'online'),
    );

    const clientPort = await freePort();
    const { id: inboundId } = await addVlessInbound(panel.api, { port: clientPort });
    const email = 'alice@example.com';
    await panel.api.post('/panel/api/clients/add', { client: { email, totalGB: 1_000_000 }, inboundIds: [inboundId] });
    const alice = await connectVless(panel.api, clientPort, email);
    closers.push(() => alice.close());
    await alice.fetchBytes(`${site.url}/bytes/2000000`);
    expect((await until('client.depleted')).facts).toMatchObject({ email, quotaBytes: 1_000_000 });

    process.kill((await panel.api.get<{ core: { pid: number } }>('/panel/api/server/status')).core.pid, 'SIGKILL');
    await until('core.crash');
    await node.stop();
    expect((await until('node.down')).facts).toMatchObject({ name: 'away' });
    expect((await until('login.attempt')).facts).toMatchObject({ ok: false, username: 'mallory' });

    await waitFor('the mails', () => mail.received.length >= 3);
    expect(mail.received.map(({ to }) => to.join()).sort()).toEqual(['admin@example.com', 'admin@example.com', email]);
    const mailed = mail.received.map(
      ({ to, source }) => `${to.join()}: ${/^Subject: (.*)\r$/m.exec(source)?.[1] ?? ''}`,
    );
    expect(mailed.filter((one) => one.startsWith(email))).toEqual([expect.stringContaining('has used up the data')]);
    await waitFor('the bot', () => bot.taken.length >= 2);
    expect(bot.taken.map(({ chatId, text }) => `${chatId} ${text.split('\n')[1]}`).sort()).toEqual([
      `${ADMIN_CHAT} A sign-in was refused`,
      `${ADMIN_CHAT} Node away is not reached`,
    ]);
    const listed = await panel.api.get<{ events: ShownEvent[] }>('/panel/api/events/list');
    expect(listed.events.map(({ kind }) => kind).sort()).toEqual(['client.depleted', 'node.down']);
    expect(kinds().sort()).toEqual(['client.depleted', 'core.crash', 'login.attempt', 'node.down']);
    // Nothing waits for the targets that answer, so no more of these come.
    const queues = async () => {
      const subscribers = await panel.api.get<Subscriber[]>('/panel/api/events/subscribers');
      return Object.fromEntries(
        subscribers.map(({ label, name, waiting, dead }) => [label || name, `${waiting} ${dead}`]),
      );
    };
    const settled = { panel: '0 0', email: '0 0', 'email:clients': '0 0', bot: '0 0', target: '0 0', hanging: '4 0' };
    await expect.poll(queues, { timeout: 15_000 }).toEqual(settled);
  });

  test('a hanging peer does not delay the panel’s stop', async () => {
    expect(await panel.stop()).toBe(0);
  });
});

test('a long queue survives SIGKILL: each event is delivered, and at most the one under way twice', async () => {
  // `npm run soak -- event-queue` tests the long one.
  const COUNT = process.env['SOAK_SEED'] === undefined ? 500 : 10_000;
  const KILLS = 2;
  const first = await startPanel({ core: null });
  const target = await webhookTarget();
  await first.api.post('/panel/api/webhooks/save', {
    name: 'target',
    url: target.url,
    kinds: ['login.attempt'],
    allowPrivate: true,
  });
  await first.stop();
  fillQueue(first.dataDir, COUNT);
  for (let kill = 1; kill <= KILLS; kill++) {
    const panel = await startPanel({ dataDir: first.dataDir, core: null });
    await waitFor('some to arrive', () => target.received.length >= (kill * COUNT) / 8, 60_000, 5);
    panel.launcher.kill('SIGKILL');
    process.kill(panel.ready.pid, 'SIGKILL');
    await waitFor('its end', () => !isAlive(panel.ready.pid));
  }
  const last = await startPanel({ dataDir: first.dataDir, core: null });
  closers.push(() => disposePanel(last));
  const ids = (): Set<number> => new Set(target.received.map(({ id }) => id));
  await waitFor('all of them', () => ids().size === COUNT, 300_000);
  await waitFor('an empty queue', async () =>
    (await last.api.get<Subscriber[]>('/panel/api/events/subscribers')).every(({ waiting }) => waiting === 0),
  );
  expect(target.received.length).toBeLessThanOrEqual(COUNT + KILLS);
}, 400_000);

/** Undelivered events of a stopped panel. */
function fillQueue(dataDir: string, count: number): void {
  const db = new Database(join(dataDir, 'panel.db'));
  const event = db.prepare(`INSERT INTO events (kind, atMs, facts) VALUES ('login.attempt', ?, '{"ok":false}')`);
  const delivery = db.prepare(
    `INSERT INTO deliveries (channel, eventId, state, attempts, dueAtMs, lastError) VALUES ('webhook:1', ?, 'waiting', 0, 0, '')`,
  );
  db.transaction(() => {
    for (let i = 0; i < count; i++) delivery.run(event.run(Date.now()).lastInsertRowid);
  })();
  db.close();
}
