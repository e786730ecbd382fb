import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { startCoreClient, type CoreClient } from '../harness/core-client.ts';
import { photographWindow } from '../desktop/photograph-window.ts';
import { makeToken, disposePanel, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { startTargetServer } from '../harness/target-server.ts';
import { openBrowser, signIn } from './browser.ts';
import type { Sample } from './sample/fill-panel.ts';
import { startSamplePanel } from './sample/sample-panel.ts';
import { steadyReadings } from './sample/steady-readings.ts';
import { SCREENS, type Screen } from './walk/screens.ts';
import { addVlessInbound } from '../harness/vless-inbound.ts';

const FOLDER = join(import.meta.dirname, '../../docs/screenshots/interface');
const WIDE = { width: 1280, height: 820 };
const PHONE = { width: 360, height: 740 };
const LOOKS: Readonly<Record<string, { context: BrowserContextOptions; language: string }>> = {
  light: { context: { viewport: WIDE, colorScheme: 'light' }, language: 'en' },
  dark: { context: { viewport: WIDE, colorScheme: 'dark' }, language: 'en' },
  persian: { context: { viewport: WIDE, colorScheme: 'light' }, language: 'fa' },
  phone: { context: { viewport: PHONE, colorScheme: 'light', hasTouch: true, isMobile: true }, language: 'en' },
};
/** Dialogs and other states of a page have pictures in these looks; pages in all of them. */
const STATE_LOOKS = ['light', 'phone'];
const OFFLINE: Screen = { route: 'clients', name: 'offline', address: 'clients' };
/** Clients of the sample that are online while the pictures are taken, with their bytes per second. */
const ONLINE = { 'omid@example.org': 90_000, 'sara-laptop': 40_000, 'nadia@example.org': 20_000 };

/** A fresh panel's empty states, where later the rows are. */
const EMPTY: readonly Screen[] = ['inbounds', 'clients', 'groups', 'hosts', 'nodes'].map((route) => ({
  route,
  name: `empty-${route}`,
  address: route,
}));

/**
 * `npm run screenshots`: every page of the interface in every look, from a real panel with invented clients, some of
 * them online. `npm run screenshots -- clients phone` takes only those whose name or look contains every word; `--
 * window` those of the desktop window for several panels, some of which are kept in git.
 */
async function main(words: readonly string[]): Promise<void> {
  if (words.length === 0 || words.includes('window')) await photographWindow();
  if (words.length === 1 && words[0] === 'window') return;
  const browser = await openBrowser();
  if (words.length === 0) await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const isWanted: Wanted = ({ name, address, prepare }, look) =>
    words.length > 0
      ? words.every((word) => `${name} ${look}`.includes(word))
      : STATE_LOOKS.includes(look) || (prepare === undefined && !address.includes('?'));
  try {
    await photographFresh(browser, isWanted);
    await photographSample(browser, isWanted);
  } finally {
    await browser.close();
  }
}

type Wanted = (screen: Screen, look: string) => boolean;

async function photographFresh(browser: Browser, isWanted: Wanted): Promise<void> {
  const panel = await startPanel();
  try {
    await takeAll(browser, panel, [{ route: '/', name: 'sign-in', address: '../' }], isWanted, undefined);
    await takeAll(browser, panel, EMPTY, isWanted, await signedIn(browser, panel));
  } finally {
    await disposePanel(panel);
  }
}

async function photographSample(browser: Browser, isWanted: Wanted): Promise<void> {
  const [{ panel, sample }, node] = await Promise.all([startSamplePanel(), startPanel()]);
  const site = await startTargetServer();
  const clients: CoreClient[] = [];
  try {
    const state = await signedIn(browser, panel);
    await connectSome(panel, sample, site.url, clients);
    await addNode(panel, node);
    await takeAll(browser, panel, SCREENS, isWanted, state);
    await takeTrouble(browser, panel, isWanted, state);
  } finally {
    for (const client of clients) await client.close();
    await site.close();
    await disposePanel(panel);
    await disposePanel(node);
  }
}

/** Real clients with a transfer under way. Each is in `running` as soon as it runs, so that failures stop it too. */
async function connectSome(
  { api }: PanelProcess,
  { plain }: Sample,
  site: string,
  running: CoreClient[],
): Promise<void> {
  for (const [email, bytesPerSec] of Object.entries(ONLINE)) {
    const { client } = await api.get<{ client: { id: string } }>(`/panel/api/clients/get/${email}`);
    const core = await startCoreClient({
      protocol: 'vless',
      settings: { address: '127.0.0.1', port: plain.port, id: client.id, encryption: 'none' },
      streamSettings: { network: 'ws', wsSettings: { path: '/feed' } },
    });
    running.push(core);
    await core.stream(`${site}/drip/${bytesPerSec}`);
  }
}

/** A second panel as a node that answers, with an inbound and a client on it. */
async function addNode({ api }: PanelProcess, node: PanelProcess): Promise<void> {
  const { id } = await api.post<{ id: number }>('/panel/api/nodes/add', {
    name: 'Singapore',
    remark: 'Behind the office router',
    scheme: 'http',
    address: '127.0.0.1',
    port: Number(new URL(node.url).port),
    apiToken: makeToken(node.dataDir),
    allowPrivateAddress: true,
  });
  const inbound = await addVlessInbound(api, {
    remark: 'Singapore door',
    nodeId: id,
    streamSettings: { network: 'ws', security: 'none', wsSettings: { path: '/sg' } },
  });
  const emails = ['mei.lin@example.org', 'arjun-phone'];
  const bodies = emails.map((email) => ({ client: { email }, inboundIds: [inbound.id] }));
  await api.post('/panel/api/clients/bulkCreate', bodies);
  // Some probes, so that its chart has a line.
  await new Promise((resolve) => setTimeout(resolve, 12_000));
}

/** Failure states: the core stopped, then the panel unreachable. */
async function takeTrouble(browser: Browser, panel: PanelProcess, isWanted: Wanted, state: State): Promise<void> {
  await panel.api.post('/panel/api/server/stopCoreService');
  const stopped = [
    { route: '', name: 'core-stopped', address: '' },
    { route: 'core/:section?', name: 'core-stopped-state', address: 'core/state' },
  ];
  await takeAll(browser, panel, stopped, isWanted, state);
  const open: [look: string, page: Page][] = [];
  for (const look of Object.keys(LOOKS).filter((name) => isWanted(OFFLINE, name))) {
    const page = await (await newContext(browser, look, state)).newPage();
    await visit(page, panel, OFFLINE.address);
    open.push([look, page]);
  }
  await panel.stop();
  for (const [look, page] of open) {
    await page.waitForTimeout(2_000);
    await take(page, OFFLINE.name, look);
    await page.context().close();
  }
}

type State = Awaited<ReturnType<BrowserContext['storageState']>> | undefined;

async function signedIn(browser: Browser, panel: PanelProcess): Promise<State> {
  const context = await browser.newContext();
  await signIn(await context.newPage(), panel);
  const state = await context.storageState();
  await context.close();
  return state;
}

async function takeAll(
  browser: Browser,
  panel: PanelProcess,
  screens: readonly Screen[],
  isWanted: Wanted,
  state: State,
): Promise<void> {
  for (const look of Object.keys(LOOKS)) {
    const context = await newContext(browser, look, state);
    for (const { name, address, prepare } of screens.filter((screen) => isWanted(screen, look))) {
      // A new page: nothing of the picture before is left, neither an open dialog nor a focused field.
      const page = await context.newPage();
      await visit(page, panel, address);
      await prepare?.(page);
      await take(page, name, look);
      await page.close();
    }
    await context.close();
  }
}

async function newContext(browser: Browser, look: string, state: State): Promise<BrowserContext> {
  const { context: options, language } = LOOKS[look]!;
  const context = await browser.newContext({
    ...options,
    ...(state && { storageState: state }),
    reducedMotion: 'reduce',
  });
  await context.addInitScript((chosen) => localStorage.setItem('panel.language', chosen), language);
  await steadyReadings(context);
  return context;
}

async function visit(page: Page, panel: PanelProcess, address: string): Promise<void> {
  await page.goto(`${panel.url}panel/${address}`);
  await page.locator('main, [role="main"]').first().waitFor();
  await page.waitForLoadState('networkidle').catch(() => undefined);
}

async function take(page: Page, name: string, look: string): Promise<void> {
  // Late parts: charts, editors, a reading of the stream.
  await page.waitForTimeout(600);
  await page.screenshot({ path: join(FOLDER, `${name}-${look}.png`), caret: 'hide' });
}

await main(process.argv.slice(2));
