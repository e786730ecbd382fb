import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testFolder } from '../../src-server/testing/for-each-test.ts';
import { API_TOKEN } from '../../src-server/testing/credentials.ts';
import { openPanel, type TestPanel } from '../../src-server/testing/panels/open-panel.ts';
import { openBrokenPanel, type Way } from '../../src-server/testing/peers/broken-panels.ts';
import { listening, originOf, shut } from '../../src-server/testing/peers/local-server.ts';
import { openRecordedPanel } from '../../src-server/testing/peers/recorded-panel.ts';
import type { PanelCard, PanelInventory, SearchResult, StoredClientPage } from '../bridge/panels.ts';
import { createPanels, type Panels } from './panels.ts';
import { target } from './testing-target.ts';
import { openSealedStore } from './store/sealed-store.ts';

let folder: string;
let panels: Panels;
let cards: Map<string, PanelCard>;
const key = randomBytes(32);
const closing: (() => unknown)[] = [];
const start = (): void => {
  cards = new Map();
  panels = createPanels({
    store: openSealedStore(join(folder, 'panels.db'), key),
    onCards: (changed) => changed.forEach((card) => cards.set(card.id, card)),
    clock: Date.now,
    monotonic: () => performance.now(),
  });
};
beforeEach(async () => {
  folder = await testFolder();
  start();
});
afterEach(async () => {
  panels.close();
  for (const close of closing.splice(0)) await close();
});

async function found(text: string): Promise<string[]> {
  const { hits } = (await panels.handle({ verb: 'search', params: text })) as SearchResult;
  return hits.map(({ panelId, kind, title }) => `${panelId} ${kind} ${title}`);
}
const inventory = (id: string): PanelInventory => panels.handle({ verb: 'inventory', params: id }) as PanelInventory;

async function ours(): Promise<TestPanel> {
  // As of now: ages on a card are by this computer's clock.
  const panel = await openPanel({ startMs: Date.now() });
  closing.push(() => panel.close());
  const inboundId = await panel.inbound(4430, { remark: 'Front door' });
  for (const email of ['ali@example.org', 'sara@example.org'])
    await panel.add({ email, subId: `sub-${email}` }, [inboundId]);
  await panel.unreachableNode();
  return panel;
}

it('reads our panel and another one, finds everything in both, and shows it all while they are off', async () => {
  const [panel, other, older] = await Promise.all([
    ours(),
    openRecordedPanel({ token: 'theirs' }),
    openRecordedPanel({ token: 'theirs', withClients: false }),
  ]);
  closing.push(other.close, older.close);
  const targets = [
    target('ours', panel.app.panel.url),
    target('other', other.url, 'theirs'),
    target('older', older.url, 'theirs'),
    target('stranger', other.url, 'not the token'),
  ];
  panels.setTargets(targets);
  panels.setMode('shown');
  await expect.poll(() => cards.get('ours')?.clients).toMatchObject({ total: 2, online: 0, depleted: 0 });
  await expect.poll(() => cards.get('ours')?.nodes).toEqual({ total: 1, offline: expect.any(Number) as number });
  await expect.poll(() => cards.get('other')?.clients).toMatchObject({ total: other.clients.length, online: null });
  await expect.poll(() => cards.get('stranger')?.state).toBe('refused');
  expect(cards.get('ours')).toMatchObject({
    state: 'ok',
    inbounds: { total: 1, on: 1 },
    backupAtMs: expect.any(Number),
  });
  expect(cards.get('other')).toMatchObject({
    state: 'ok',
    machine: { cpuPct: 12.5, memPct: 25, coreVersion: '26.6.1', panelVersion: '', coreRestarts: null },
    inbounds: { total: other.inbounds.length },
    nodes: { total: 0 },
    backupAtMs: null,
  });
  expect(cards.get('other')!.line.at(-1)).toBe(25_000);

  const [first] = other.clients;
  await expect.poll(() => found(first!.uuid)).toEqual(expect.arrayContaining([`other client ${first!.email}`]));
  await expect.poll(() => found(first!.email)).toContain(`older client ${first!.email}`);
  const own = await panel.read<{ uuid: string }[]>('/clients/list');
  await expect.poll(() => found('sub-ali')).toEqual(['ours client ali@example.org']);
  expect(await found(own[0]!.uuid)).toEqual(['ours client ali@example.org']);
  expect(await found('front door')).toEqual(['ours inbound Front door']);
  expect(await found('4430')).toContain('ours inbound Front door');
  expect(await found('node.invalid')).toEqual(['ours node away']);
  expect(await found('sessionmaxage')).toEqual(['ours setting sessionMaxAge']);

  // The application ends, and the panels stop.
  panels.close();
  for (const close of closing.splice(0)) await close();
  for (const name of await readdir(folder)) {
    const bytes = await readFile(join(folder, name));
    for (const known of ['ali@', first!.email, first!.uuid, 'Front door', API_TOKEN, 'theirs'])
      expect(bytes.includes(known)).toBe(false);
  }
  start();
  panels.setTargets(targets);
  await expect
    .poll(() => cards.get('ours'))
    .toMatchObject({ state: 'waiting', clients: { total: 2 }, inbounds: { total: 1 } });
  // The first search waits for the index.
  expect(await found('sub-ali')).toEqual(['ours client ali@example.org']);
  expect(inventory('ours')).toMatchObject({ inbounds: [{ name: 'Front door', port: 4430 }], clientCount: 2 });
  const page = (text: string, offset: number) =>
    panels.handle({ verb: 'clients', params: { id: 'other', text, offset, limit: 10 } }) as Promise<StoredClientPage>;
  expect(await page('', other.clients.length - 1)).toMatchObject({ clients: [{}], found: other.clients.length });
  expect((await page(first!.email, 0)).clients[0]?.uuid).toBe(first!.uuid);
  panels.setMode('shown');
  await expect.poll(() => cards.get('ours')?.state).toBe('down');
  expect(cards.get('ours')).toMatchObject({
    clients: { total: 2 },
    detail: expect.stringContaining('ECONNREFUSED') as string,
  });

  panels.setTargets(targets.slice(1));
  expect(await found('sub-ali')).toEqual([]);
  expect(inventory('ours').inbounds).toEqual([]);
});

it('goes on with the others while panels hang, drip, flood, explode and lie', async () => {
  const ways: Way[] = ['hangs', 'drips', 'floods', 'explodes', 'breaksOff', 'isNone', 'lies', 'leavesOut', 'fails'];
  const broken = await Promise.all(ways.map(async (way) => [way, await openBrokenPanel(way)] as const));
  closing.push(...broken.map(([, { close }]) => close));
  const panel = await ours();
  panels.setTargets([...broken.map(([way, { url }]) => target(way, url)), target('ours', panel.app.panel.url)]);
  panels.setMode('shown');
  await expect.poll(() => found('ali@example.org')).toEqual(['ours client ali@example.org']);
  const stateOf = (way: Way): string | undefined => cards.get(way)?.state;
  await expect
    .poll(() => ['floods', 'explodes', 'isNone', 'leavesOut'].map((way) => stateOf(way as Way)))
    .toEqual(['wrong', 'wrong', 'wrong', 'wrong']);
  await expect.poll(() => [stateOf('breaksOff'), stateOf('fails')]).toEqual(['down', 'down']);
  await expect
    .poll(() => cards.get('lies'))
    .toMatchObject({
      state: 'ok',
      machine: { cpuPct: null, upPerSec: null, coreState: '', coreRestarts: 0, panelVersion: '  evil' },
    });
  expect(cards.get('lies')!.machine!.coreVersion).toHaveLength(200);
  // Silent ones are given up by a timeout, which the tests shorten.
  for (const way of ['hangs', 'drips'] as const) expect(['waiting', 'down']).toContain(stateOf(way));
});

it('reads the other parts of a panel that answers some of them in another shape', async () => {
  const responses: Record<string, unknown> = {
    '/panel/api/server/status': { core: { state: 'running', version: '26.7.28' } },
    '/panel/api/server/certificates': [
      // Also the name of a member that every object has.
      { owner: 'web', name: 'door', warnings: [{ kind: 'constructor', at: 1, message: 'unheard of' }] },
    ],
  };
  const server = createServer((request, response) => {
    const obj = responses[request.url!] ?? ['of another shape'];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ success: true, msg: '', obj }));
  });
  await listening(server);
  closing.push(() => shut(server));
  panels.setTargets([target('odd', `${originOf(server)}/`)]);
  panels.setMode('shown');
  await expect
    .poll(() => cards.get('odd'))
    .toMatchObject({ state: 'ok', matters: [{ kind: 'certificateOther', name: 'door', words: 'unheard of' }] });
});

it('after sleep no call waits on a connection from before it', async () => {
  const connections: Socket[] = [];
  let isAsleep = false;
  const server = createServer((request, response) => {
    // Packets of a connection from before the sleep are lost without a word.
    if (isAsleep && connections.indexOf(request.socket) === 0) return;
    const obj = request.url!.includes('status') ? { core: { state: 'running' } } : null;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ success: true, msg: '', obj }));
  });
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => connections.push(socket));
  await listening(server);
  closing.push(() => shut(server));
  panels.setTargets([target('one', `${originOf(server)}/`)]);
  panels.setMode('watching');
  await expect.poll(() => cards.get('one')?.state).toBe('ok');
  // It waits for the next reading.
  await expect.poll(() => cards.get('one')?.inbounds).toMatchObject({ total: 0 });
  isAsleep = true;
  const wokeAtMs = Date.now();
  panels.wake();
  await expect.poll(() => cards.get('one')!.readAtMs, { timeout: 5_000 }).toBeGreaterThan(wokeAtMs);
});

it('reads nothing while nothing needs it', async () => {
  const panel = await openRecordedPanel({ token: 'theirs' });
  closing.push(panel.close);
  panels.setTargets([target('other', panel.url, 'theirs'), { kind: 'local', place: null }]);
  await expect.poll(() => [cards.get('other')?.state, cards.get('local')?.state]).toEqual(['waiting', 'stopped']);
  panels.setMode('watching');
  await expect.poll(() => cards.get('other')?.inbounds?.total).toBe(panel.inbounds.length);
  // Watching does not need names of clients.
  expect(inventory('other').clientCount).toBe(0);
});
