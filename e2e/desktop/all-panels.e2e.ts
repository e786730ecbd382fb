import { X509Certificate } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { connect, createServer as createRelay, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTls } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSelfSigned } from '../../src-server/testing/peers/self-signed.ts';
import { openRecordedPanel } from '../../src-server/testing/peers/recorded-panel.ts';
import { freePort } from '../harness/free-port.ts';
import { admin, disposePanel, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { vlessInbound } from '../harness/vless-inbound.ts';
import { expectAccessible } from '../ui/browser.ts';
import { openDesktop, type Desktop, type Running } from './electron.ts';
import { useThisComputer } from './steps.ts';

const CLIENT = 'far.client@example.org';
const SLOW_MS = 700;

let desktop: Desktop;
let running: Running;
let far: PanelProcess;
let slow: PanelProcess;
let other: Awaited<ReturnType<typeof openRecordedPanel>>;
let tokens: { far: string; slow: string };
const pair = makeSelfSigned();
const through = new Set<Socket>();
const closing: (() => unknown)[] = [];

/** What stands in front of a panel. @param delayMs before each piece of an answer goes on */
function pass(socket: Socket, { url }: PanelProcess, delayMs: number): void {
  const inner = connect(Number(new URL(url).port), '127.0.0.1');
  through.add(socket);
  for (const end of [socket, inner]) end.on('error', () => undefined);
  socket.pipe(inner);
  inner.on('data', (piece) => setTimeout(() => socket.writable && socket.write(piece), delayMs));
  socket.once('close', () => {
    inner.destroy();
    through.delete(socket);
  });
  inner.once('close', () => socket.destroy());
}

async function inFrontOf(panel: PanelProcess, server: ReturnType<typeof createRelay>, scheme: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}${new URL(panel.url).pathname}`;
}

beforeAll(async () => {
  [desktop, far, slow, other] = await Promise.all([
    openDesktop(),
    startPanel(),
    startPanel({ core: null }),
    openRecordedPanel({ token: 'theirs' }),
  ]);
  const inbound = await far.api.post<{ id: number }>('/panel/api/inbounds/add', vlessInbound(await freePort()));
  await far.api.post('/panel/api/clients/add', { client: { email: CLIENT }, inboundIds: [inbound.id] });
  const [forFar, forSlow] = await Promise.all(
    [far, slow].map(({ dataDir }) => admin(dataDir, 'token', 'create', 'window')),
  );
  tokens = { far: forFar!, slow: forSlow! };
  running = await desktop.launch();
  await useThisComputer(running.page);
});
afterAll(async () => {
  await desktop?.close();
  for (const socket of through) socket.destroy();
  for (const close of closing) await close();
  await other?.close();
  await Promise.all([far, slow].map((panel) => panel && disposePanel(panel)));
});

const tile = (name: string) => running.page.getByRole('article', { name, exact: true });

it('all panels stand on one page: pinned, slow, dead, of another version; what one holds is found and opened by keys', async () => {
  const { page } = running;
  const tls = createTls({ cert: pair.certPem, key: pair.keyPem }, (socket) => pass(socket, far, 0));
  tls.on('tlsClientError', () => undefined);
  const farAddress = await inFrontOf(far, tls, 'https');
  const slowAddress = await inFrontOf(
    slow,
    createRelay((socket) => pass(socket, slow, SLOW_MS)),
    'http',
  );
  const fingerprint = new X509Certificate(pair.certPem).fingerprint256;
  const saved = await page.evaluate(
    (drafts) => Promise.all(drafts.map((draft) => globalThis.desktop.connections.save(draft))),
    [
      { name: 'Far', address: farAddress, trust: { mode: 'pin' as const, fingerprint }, token: tokens.far },
      { name: 'Slow', address: slowAddress, trust: { mode: 'verify' as const }, token: tokens.slow },
      { name: 'Other', address: other.url, trust: { mode: 'verify' as const }, token: 'theirs' },
      {
        name: 'Dead',
        address: `http://127.0.0.1:${await freePort()}/`,
        trust: { mode: 'verify' as const },
        token: 'x',
      },
    ].map((draft) => ({ ...draft, color: 'teal' as const, signIn: 'token' as const })),
  );
  expect(saved.map(({ ok }) => ok)).toEqual([true, true, true, true]);

  await page.goto('app://panel/panel');
  await page.getByRole('button', { name: 'Connected to This computer. Switch panel' }).click();
  await page.getByRole('menuitem', { name: 'All panels' }).click();
  await tile('Dead').getByText('no answer').waitFor();
  for (const name of ['This computer', 'Far', 'Slow', 'Other'])
    await tile(name)
      .getByText(/answers|matter/)
      .waitFor();
  await tile('Far').getByText('1 day').waitFor();
  await tile('Other').getByText('core 26.6.1').waitFor();
  await page.getByText('4 of 5').waitFor();
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

it('a panel that goes down is told once with what it was serving, is shown in the tray, and can still be looked into', async () => {
  const { page, app, dataDir } = running;
  await page.goto('app://panel/desktop/home');
  await tile('Far')
    .getByText(/answers|matter/)
    .waitFor();
  await app.evaluate(({ Notification, Menu }) => {
    const told: string[] = [];
    const labels: (string | undefined)[] = [];
    Object.assign(globalThis, { told, labels });
    Notification.isSupported = () => true;
    // What is shown is heard of by the click that is waited for: the rest of a notification belongs to the system.
    Notification.prototype.on = function hear(this: Electron.Notification) {
      told.push(`${this.title}: ${this.body}`);
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
    .poll(() => kept('told'))
    .toEqual(['Far does not answer: It was serving 1 inbounds and 0 clients online.']);
  await expect.poll(() => kept('labels')).toContain('Far — no answer');

  await tile('Far').getByRole('button', { name: 'Far', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: 'Far' });
  await drawer.getByText('This panel is not reached').waitFor();
  await drawer.getByRole('tab', { name: 'Clients' }).click();
  await drawer.getByRole('cell', { name: CLIENT }).waitFor();

  // Nothing of the panels, nor their tokens, lies on the disk in the clear.
  const folder = join(dataDir, 'window');
  for (const name of (await readdir(folder)).filter((each) => each.startsWith('panels'))) {
    const bytes = await readFile(join(folder, name));
    for (const known of [CLIENT, tokens.far, other.clients[0]!.email]) expect(bytes.includes(known)).toBe(false);
  }
});
