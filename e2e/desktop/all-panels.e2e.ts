import { randomBytes, X509Certificate } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSelfSigned } from '../../src-server/testing/peers/self-signed.ts';
import { openRecordedPanel } from '../../src-server/testing/peers/recorded-panel.ts';
import { freePort } from '../../src-server/testing/free-port.ts';
import { disposePanel, makeToken, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { vlessInbound } from '../harness/vless-inbound.ts';
import { expectAccessible } from '../ui/browser.ts';
import { openDesktop, type Desktop, type Running } from './application/electron.ts';
import { killPanelsProcess } from './application/panels-process.ts';
import { fetchFromPanel, useThisComputer } from './application/steps.ts';
import { byTls, slowly, through } from './application/way-to-panel.ts';

const CLIENT = 'far.client@example.org';
const SLOW_MS = 700;
/** A client that two panels have. */
const SHARED = 'shared.client@example.org';
const EXPIRY_MS = Date.UTC(2040, 0, 1);
const MONTH_MS = 30 * 86_400_000;
let nearPort: number;

let desktop: Desktop;
let running: Running;
let far: PanelProcess;
let slow: PanelProcess;
let other: Awaited<ReturnType<typeof openRecordedPanel>>;
let token: string;
let near: PanelProcess;
let third: PanelProcess;
let fourth: PanelProcess;
const pair = makeSelfSigned();
/** As on a system with a key store: data about panels outlives the application. */
const env = { TEST_KEY_STORE: randomBytes(32).toString('hex') };
const closing: (() => unknown)[] = [];

/** An inbound with two clients, one of which another panel has, too. */
async function fillNear(): Promise<void> {
  nearPort = await freePort();
  const body = { ...vlessInbound(nearPort), remark: 'Near door' };
  const inbound = await near.api.post<{ id: number }>('/panel/api/inbounds/add', body);
  const farther = await third.api.post<{ id: number }>('/panel/api/inbounds/add', vlessInbound(await freePort()));
  const add = (panel: PanelProcess, email: string, id: number) =>
    panel.api.post('/panel/api/clients/add', { client: { email, expiryTime: EXPIRY_MS }, inboundIds: [id] });
  await add(near, SHARED, inbound.id);
  await add(near, 'near.client@example.org', inbound.id);
  await add(third, SHARED, farther.id);
  await near.api.post(`/panel/api/clients/updateTraffic/${SHARED}`, { upload: 1_000, download: 2_000 });
  await near.api.post('/panel/api/setting/update', { pageSize: 77 });
}

beforeAll(async () => {
  [desktop, far, slow, other, near, third, fourth] = await Promise.all([
    openDesktop(),
    startPanel(),
    startPanel({ core: null }),
    openRecordedPanel({ token: 'theirs' }),
    startPanel({ core: null }),
    startPanel({ core: null }),
    startPanel({ core: null }),
  ]);
  const inbound = await far.api.post<{ id: number }>('/panel/api/inbounds/add', vlessInbound(await freePort()));
  await far.api.post('/panel/api/clients/add', { client: { email: CLIENT }, inboundIds: [inbound.id] });
  token = makeToken(far.dataDir);
  await fillNear();
  running = await desktop.launch({ env });
  await useThisComputer(running.page);
});
afterAll(async () => {
  await desktop?.close();
  for (const socket of through) socket.destroy();
  for (const close of closing) await close();
  await other?.close();
  await Promise.all([far, slow, near, third, fourth].map((panel) => panel && disposePanel(panel)));
});

const tile = (name: string) => running.page.getByRole('article', { name, exact: true });

it('all panels on one page: pinned, slow, dead, of another version; keys find and open what one has', async () => {
  const { page } = running;
  const ways = await Promise.all([byTls(far, pair), slowly(slow, SLOW_MS), byTls(near, pair)]);
  closing.push(...ways.map(({ close }) => close));
  const [farAddress, slowAddress, nearAddress] = ways.map(({ address }) => address) as [string, string, string];
  const fingerprint = new X509Certificate(pair.certPem).fingerprint256;
  const saved = await page.evaluate(
    (drafts) => Promise.all(drafts.map((draft) => globalThis.desktop.connections.save(draft))),
    [
      { name: 'Far', address: farAddress, trust: { mode: 'pin' as const, fingerprint }, token },
      { name: 'Slow', address: slowAddress, trust: { mode: 'verify' as const }, token: makeToken(slow.dataDir) },
      { name: 'Other', address: other.url, trust: { mode: 'verify' as const }, token: 'theirs' },
      {
        name: 'Dead',
        address: `http://127.0.0.1:${await freePort()}/`,
        trust: { mode: 'verify' as const },
        token: 'x',
      },
      {
        name: 'Near',
        address: nearAddress,
        trust: { mode: 'pin' as const, fingerprint },
        token: makeToken(near.dataDir),
      },
      ...[third, fourth].map((panel, index) => ({
        name: ['Third', 'Fourth'][index]!,
        address: panel.url,
        trust: { mode: 'verify' as const },
        token: makeToken(panel.dataDir),
      })),
    ].map((draft) => ({ ...draft, color: 'teal' as const, signIn: 'token' as const })),
  );
  expect(saved.every(({ ok }) => ok)).toBe(true);

  await page.goto('app://panel/panel');
  await page.getByRole('button', { name: 'Connected to This computer. Switch panel' }).click();
  await page.getByRole('menuitem', { name: 'All panels' }).click();
  await tile('Dead').getByText('no answer').waitFor();
  for (const name of ['This computer', 'Far', 'Slow', 'Other', 'Near', 'Third', 'Fourth'])
    await tile(name)
      .getByText(/answers|matter/)
      .waitFor();
  await tile('Far').getByText('1 day').waitFor();
  await tile('Other').getByText('core 26.6.1').waitFor();
  await page.getByText('7 of 8').waitFor();
  await expectAccessible(page);

  const [first] = other.clients;
  await page.keyboard.press('/');
  await page.keyboard.type(first!.uuid);
  await page.getByRole('option', { name: first!.email }).waitFor();
  await page.getByRole('combobox', { name: 'Search in all panels' }).fill(CLIENT);
  await page.getByRole('option', { name: CLIENT }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: CLIENT }).waitFor();
  const current = await page.evaluate(() => globalThis.desktop.connections.list());
  expect(current.find(({ isCurrent }) => isCurrent)?.name).toBe('Far');
});

/** Presses Tab until an element has the focus, as without a mouse. */
async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  const isThere = () => target.evaluate((element) => element === document.activeElement);
  for (let step = 0; step < 80 && !(await isThere()); step += 1) await running.page.keyboard.press('Tab');
  expect(await isThere()).toBe(true);
}
async function press(target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(target);
  await running.page.keyboard.press(key);
}
const idOf = async (name: string): Promise<string> =>
  (await running.page.evaluate(() => globalThis.desktop.connections.list())).find((each) => each.name === name)!.id;
interface Row {
  email: string;
  uuid: string;
  expiryTime: number;
  traffic: { up: number; down: number };
}

it('by keys alone: an action on several panels, a move that is tested first, and a line copied', async () => {
  const { page } = running;
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const row = (name: string) => page.getByRole('row', { name, exact: true });
  await page.goto('app://panel/desktop/home?search=');
  await page.getByRole('combobox', { name: 'Search in all panels' }).waitFor();
  await expect
    .poll(async () => {
      await page.getByRole('combobox', { name: 'Search in all panels' }).fill(SHARED);
      return page.getByRole('option', { name: SHARED }).count();
    })
    .toBe(2);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  // The panels that have the client, and then all.
  await press(page.getByRole('checkbox', { name: 'All panels' }), 'Space');
  await press(button('Show what it will do'));
  await row('Dead').getByText('It does not answer').waitFor();
  for (const name of ['Near', 'Third']) await row(name).getByText('Jan 1, 2040 → Jan 31, 2040').waitFor();
  for (const name of ['Far', 'Slow', 'Fourth']) await row(name).getByText('None of these clients is here.').waitFor();
  await expectAccessible(page);
  await press(button('Do it on 2 panels'));
  for (const name of ['Near', 'Third']) await row(name).getByText('1 changed').waitFor();
  for (const { api } of [near, third])
    expect(await api.get(`/panel/api/clients/traffic/${SHARED}`)).toMatchObject({ expiryTime: EXPIRY_MS + MONTH_MS });

  const [nearId, thirdId] = [await idOf('Near'), await idOf('Third')];
  await page.goto(`app://panel/desktop/transfer?mode=move&from=${nearId}&to=local`);
  await press(page.getByRole('checkbox', { name: /Near door/ }), 'Space');
  await press(button('Make a plan'));
  await row(SHARED).waitFor();
  await page.getByText('2 clients get their subscriptions from the new panel').waitFor();
  await expectAccessible(page);
  await press(button('Move 1 inbound and 2 clients'));
  await page.getByText('Done: 1 inbound and 2 clients in the new panel.').waitFor();
  expect(await near.api.get('/panel/api/inbounds/list/counted')).toMatchObject([{ port: nearPort, enable: false }]);
  await press(button('Open This computer'));
  await page.getByText('The core is running').waitFor();
  const here = await fetchFromPanel<Row[]>(page, '/panel/api/clients/list');
  const there = await near.api.get<Row[]>('/panel/api/clients/list');
  expect(here.map(({ email, uuid, expiryTime }) => [email, uuid, expiryTime])).toEqual(
    there.map(({ email, uuid, expiryTime }) => [email, uuid, expiryTime]),
  );
  expect(here.find(({ email }) => email === SHARED)?.traffic).toMatchObject({ up: 1_000, down: 2_000 });

  await page.goto(`app://panel/desktop/compare?left=${nearId}&right=${thirdId}`);
  await press(button('Compare'));
  await press(button('Take pageSize over to Third'));
  await page.getByText('pageSize is now the same in both panels.').waitFor();
  expect(await third.api.post('/panel/api/setting/all')).toMatchObject({ pageSize: 77 });
});

it('a copy whose process, then whose application, is killed leaves nothing behind, and reports that', async () => {
  const begin = async (): Promise<void> => {
    const { page } = running;
    const [nearId, slowId] = [await idOf('Near'), await idOf('Slow')];
    await page.goto(`app://panel/desktop/transfer?from=${nearId}&to=${slowId}`);
    await page.getByRole('checkbox', { name: /Near door/ }).check();
    await page.getByRole('button', { name: 'Make a plan' }).click();
    await page.getByRole('button', { name: 'Copy 1 inbound and 2 clients' }).click();
    await expect.poll(() => slow.api.get<unknown[]>('/panel/api/inbounds/list')).toHaveLength(1);
  };
  const isTakenBack = async (): Promise<void> => {
    await expect
      .poll(async () => [
        await slow.api.get<unknown[]>('/panel/api/inbounds/list'),
        await slow.api.get<unknown[]>('/panel/api/clients/list'),
      ])
      .toEqual([[], []]);
    const { page } = running;
    await page.goto('app://panel/desktop/transfer');
    await page.getByText('It is taken back: both panels are as they were before.').waitFor();
    await page.getByRole('button', { name: 'I have read it' }).click();
    await page.getByText('It is taken back').waitFor({ state: 'detached' });
  };
  await begin();
  await killPanelsProcess(running.app.process().pid!);
  await running.page.getByText('This plan is no longer known').waitFor();
  await isTakenBack();

  await begin();
  const { app, dataDir } = running;
  const ended = new Promise<void>((resolve) => app.once('close', () => resolve()));
  app.process().kill('SIGKILL');
  await ended;
  running = await desktop.launch({ dataDir, env });
  await running.page.getByText('The core is running').waitFor();
  await isTakenBack();
});

it('a panel that goes down is reported once with its load, is shown in the tray, and can still be viewed', async () => {
  const { page, app, dataDir } = running;
  await page.goto('app://panel/desktop/home');
  await tile('Far')
    .getByText(/answers|matter/)
    .waitFor();
  await app.evaluate(({ Notification, Menu }) => {
    const notifications: string[] = [];
    const labels: (string | undefined)[] = [];
    Object.assign(globalThis, { notifications, labels });
    Notification.isSupported = () => true;
    // The test waits for the click on a notification: showing it is the system's job.
    Notification.prototype.on = function hear(this: Electron.Notification) {
      notifications.push(`${this.title}: ${this.body}`);
      return this;
    };
    const build = Menu.buildFromTemplate.bind(Menu);
    Menu.buildFromTemplate = (template) => {
      labels.push(...template.map(({ label }) => label));
      return build(template);
    };
  });
  await far.stop();
  for (const socket of through) socket.destroy();
  await tile('Far').getByText('no answer').waitFor();
  const kept = (name: string) =>
    app.evaluate((_, key) => (globalThis as unknown as Record<string, unknown>)[key], name);
  await expect
    .poll(() => kept('notifications'))
    .toEqual(['Far does not answer: Inbounds it served: 1. Clients online: 0.']);
  await expect.poll(() => kept('labels')).toContain('Far — no answer');

  await tile('Far').getByRole('button', { name: 'Far', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: 'Far' });
  await drawer.getByText('This panel cannot be reached').waitFor();
  await drawer.getByRole('tab', { name: 'Clients' }).click();
  await drawer.getByRole('rowheader', { name: CLIENT }).waitFor();

  // No data of the panels, nor their tokens, is on disk unsealed.
  const folder = join(dataDir, 'window');
  for (const name of (await readdir(folder)).filter((each) => each.startsWith('panels'))) {
    const bytes = await readFile(join(folder, name));
    for (const known of [CLIENT, token, other.clients[0]!.email]) expect(bytes.includes(known)).toBe(false);
  }
});
