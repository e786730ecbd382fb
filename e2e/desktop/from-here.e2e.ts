import { readdir, readFile } from 'node:fs/promises';
import { createServer as createWeb } from 'node:http';
import { connect, createServer as createRelay, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../src-server/testing/free-port.ts';
import { allowPrivateEgress } from '../harness/open-egress.ts';
import { makeToken, disposePanel, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { vlessInbound } from '../harness/vless-inbound.ts';
import { expectAccessible } from '../ui/browser.ts';
import { openDesktop, type Desktop, type Running } from './application/electron.ts';
import { useThisComputer } from './application/steps.ts';
import { listening, originOf } from '../../src-server/testing/peers/local-server.ts';

const CLIENT = 'far.client@example.org';
const SPENT = 'spent.client@example.org';
const PASSPHRASE = 'only in this window';

let desktop: Desktop;
let running: Running;
let far: PanelProcess;
let token: string;
let uuid: string;
let relay: Server;
const through = new Set<Socket>();
const web = createWeb((request, response) => {
  if (request.url === '/ip') response.end(`ip=${request.socket.remoteAddress}\n`);
  else response.end(Buffer.alloc(1024 * 1024, 'x'));
});

beforeAll(async () => {
  [desktop, far] = await Promise.all([openDesktop(), startPanel()]);
  const port = await freePort();
  // Its host is a proxy before the inbound: it can be cut off while the panel goes on.
  relay = createRelay((socket) => {
    const inner = connect(port, '127.0.0.1');
    for (const end of [socket, inner]) {
      through.add(end);
      end.on('error', () => undefined);
    }
    socket.pipe(inner).pipe(socket);
  });
  const front = await listening(relay);
  const { id } = await far.api.post<{ id: number }>(
    '/panel/api/inbounds/add',
    vlessInbound(port, { remark: 'Front door' }),
  );
  const host = { inboundId: id, remark: 'Front', address: '127.0.0.1', port: front };
  await far.api.post('/panel/api/hosts/add', host);
  await far.api.post('/panel/api/clients/add', { client: { email: SPENT, enable: false }, inboundIds: [id] });
  await far.api.post('/panel/api/clients/add', { client: { email: CLIENT, totalGB: 1e9 }, inboundIds: [id] });
  await allowPrivateEgress(far.api);
  ({ uuid } = (await far.api.get<{ client: { uuid: string } }>(`/panel/api/clients/get/${CLIENT}`)).client);
  token = makeToken(far.dataDir);
  await listening(web);
  running = await desktop.launch();
  const { page } = running;
  await useThisComputer(page);
  const draft = { name: 'Far', address: far.url, trust: { mode: 'verify' as const }, token };
  await page.evaluate((each) => globalThis.desktop.connections.save(each), {
    ...draft,
    color: 'teal' as const,
    signIn: 'token' as const,
  });
});
afterAll(async () => {
  await desktop?.close();
  for (const socket of through) socket.destroy();
  relay?.close();
  web.closeAllConnections();
  web.close();
  if (far !== undefined) await disposePanel(far);
});

it('by keys, a backup of another panel is pulled and opened, and one client is restored', async () => {
  const { page } = running;
  await page.goto('app://panel/desktop/home/backups');
  // This system has no key store: nothing is kept unsealed, so a passphrase comes first.
  await page.getByText('Nothing here seals backups').waitFor();
  expect(await page.getByRole('button', { name: 'Back up Far now' }).isDisabled()).toBe(true);
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByLabel('Once more').fill(PASSPHRASE);
  await page.keyboard.press('Enter');
  await page.getByText('Nothing here seals backups').waitFor({ state: 'detached' });
  // A typed value counts on blur or Enter.
  await page.getByLabel('Days kept').press('Control+a');
  await page.keyboard.type('14');
  await page.getByLabel('From', { exact: true }).fill('23:30');
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => (await page.evaluate(() => globalThis.desktop.maintenance.backups())).choices)
    .toMatchObject({ atMin: 23 * 60 + 30, keep: { daily: 14 } });
  await page.getByRole('button', { name: 'Back up Far now' }).press('Enter');
  const row = page.getByRole('row', { name: /^Far \w/ });
  await row.getByText('sound').waitFor();
  await row.getByText('1 inbound, 2 clients').waitFor();
  await expectAccessible(page);

  await far.api.post(`/panel/api/clients/del/${CLIENT}`);
  await row.getByRole('button', { name: /^More of Far/ }).press('Enter');
  await page.getByRole('menuitem', { name: 'Look inside…' }).press('Enter');
  const drawer = page.getByRole('dialog', { name: /^Far,/ });
  await drawer.getByRole('textbox', { name: 'Find a client by e-mail or comment' }).fill('far.');
  await drawer.getByRole('checkbox', { name: SPENT }).waitFor({ state: 'detached' });
  await drawer.getByRole('checkbox', { name: CLIENT }).press('Space');
  await drawer.getByRole('button', { name: 'Plan 1 part' }).press('Enter');
  await drawer.getByText('is created').waitFor();
  await expectAccessible(page);
  await drawer.getByRole('button', { name: 'Create 1' }).press('Enter');
  await page.getByText('The chosen parts were restored.').waitFor();
  const back = await far.api.get<{ client: { uuid: string } }>(`/panel/api/clients/get/${CLIENT}`);
  expect(back.client.uuid).toBe(uuid);
});

it('an inbound is reached from here by real traffic; one that is up but blocked here is noticed', async () => {
  const { page } = running;
  const target = originOf(web);
  await page.goto('app://panel/desktop/home/vantage');
  await page.getByRole('textbox', { name: 'Download from' }).fill(`${target}/mega`);
  await page.getByRole('textbox', { name: 'Ask the address at (empty: do not)' }).fill(`${target}/ip`);
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await page.getByText('Saved.').waitFor();
  const section = page.getByRole('region', { name: 'Far' });
  await section.getByRole('button', { name: 'Try now: Far' }).press('Enter');
  const way = section.getByRole('row', { name: /^Front door/ });
  await way.getByText('reached', { exact: true }).waitFor();
  await way.getByText(CLIENT).waitFor();
  await way.getByText(/MiB\/s$/).waitFor();
  await way.getByRole('cell', { name: '127.0.0.1', exact: true }).waitFor();
  const traffic = await far.api.get<{ down: number }>(`/panel/api/clients/traffic/${CLIENT}`);
  await expect
    .poll(async () => (await far.api.get<typeof traffic>(`/panel/api/clients/traffic/${CLIENT}`)).down)
    .toBeGreaterThan(1024 * 1024);

  relay.close();
  for (const socket of through) socket.destroy();
  await section.getByRole('button', { name: 'Try now: Far' }).press('Enter');
  await way.getByText('not reached').waitFor();
  await section.getByRole('button', { name: 'History of Far' }).press('Enter');
  const history = page.getByRole('dialog', { name: 'Far, seen from here' });
  await history
    .getByRole('cell', { name: /reached/ })
    .nth(1)
    .waitFor();
  await expectAccessible(page);

  await page.goto('app://panel/desktop/home');
  const tile = page.getByRole('article', { name: 'Far', exact: true });
  await tile.getByText('1 not reached').waitFor();
  await tile.getByText('The inbound Front door cannot be reached from here.').waitFor();
});

it('a locked window holds nothing, calls nothing, and resumes where it was; nothing on disk is unsealed', async () => {
  const { page, app, dataDir } = running;
  await page.goto('app://panel/desktop/lock');
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByLabel('Once more').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Set the lock' }).press('Enter');
  await page.getByRole('button', { name: 'Lock now' }).waitFor();
  await expectAccessible(page);
  await page.goto('app://panel/desktop/home');
  await page.getByRole('article', { name: 'Far', exact: true }).waitFor();

  // By the menu entry, as its shortcut does.
  await app.evaluate(({ Menu }) => {
    const all = (items: Electron.MenuItem[]): Electron.MenuItem[] =>
      items.flatMap((item) => [item, ...all(item.submenu?.items ?? [])]);
    all(Menu.getApplicationMenu()!.items)
      .find(({ label }) => label === 'Lock the window')!
      .click();
  });
  await page.getByRole('heading', { name: 'The window is locked' }).waitFor();
  await expectAccessible(page);
  expect(await page.content()).not.toContain('Front door');
  const refused = await page.evaluate(async () => {
    const response = await fetch('/panel/api/server/status');
    const said = (work: Promise<unknown>): Promise<string> => work.then(String, (error: Error) => error.message);
    return [
      response.status,
      await said(globalThis.desktop.panels.show(true)),
      await said(globalThis.desktop.maintenance.backups()),
    ];
  });
  expect(refused).toEqual([423, expect.stringContaining('locked'), expect.stringContaining('locked')]);
  await page.goBack().catch(() => undefined);
  await page.getByLabel('Passphrase', { exact: true }).fill('not this one');
  await page.keyboard.press('Enter');
  await page.getByText('This is not the passphrase.').waitFor();
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.keyboard.press('Enter');
  await page.getByRole('article', { name: 'Far', exact: true }).waitFor();

  const known = [CLIENT, uuid, token, PASSPHRASE, 'Front door'];
  const folder = join(dataDir, 'window');
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
    found.push(...known.filter((text) => bytes.includes(text)).map((text) => `${entry.name}: ${text}`));
  }
  expect(found).toEqual([]);
});
