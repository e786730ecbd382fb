import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { openRecordedPanel } from '../../src-server/testing/peers/recorded-panel.ts';
import { electronBinary } from '../../src-server/cli/electron/electron-binary.ts';
import { freePort } from '../../src-server/testing/free-port.ts';
import { allowPrivateEgress } from '../harness/open-egress.ts';
import { disposePanel, makeToken, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { vlessInbound } from '../harness/vless-inbound.ts';
import { openDesktop } from './application/electron.ts';
import { useThisComputer } from './application/steps.ts';
import { listening, originOf } from '../../src-server/testing/peers/local-server.ts';

const FOLDER = join(import.meta.dirname, '../../docs/screenshots/window');
const LOOKS = {
  light: { language: 'en', scheme: 'light' },
  dark: { language: 'en', scheme: 'dark' },
  persian: { language: 'fa', scheme: 'light' },
} as const;
const TAKEN = 'sara-laptop@example.org';

/** The window's pages for several panels, in every look; some are kept in git. Skipped without an Electron. */
export async function photographWindow(): Promise<void> {
  if (electronBinary() === null) return;
  await mkdir(FOLDER, { recursive: true });
  const [desktop, frankfurt, paris, tokyo] = await Promise.all([
    openDesktop(),
    startPanel(),
    startPanel({ core: null }),
    openRecordedPanel({ token: 'theirs' }),
  ]);
  try {
    await fill(frankfurt, paris);
    const { page } = await desktop.launch();
    await useThisComputer(page);
    await savePanels(page, [
      ['Frankfurt', frankfurt.url, makeToken(frankfurt.dataDir)],
      ['Paris', paris.url, makeToken(paris.dataDir)],
      ['Tokyo', tokyo.url, 'theirs'],
      ['Old office', `http://127.0.0.1:${await freePort()}/`, 'none'],
    ]);
    await tryFromHere(page, frankfurt);
    for (const [look, { language, scheme }] of Object.entries(LOOKS)) {
      await page.evaluate(
        ([chosen, colours]) => {
          localStorage.setItem('panel.language', chosen!);
          localStorage.setItem('mantine-color-scheme-value', colours!);
        },
        [language, scheme],
      );
      await takeAll(page, look);
    }
  } finally {
    await desktop.close();
    await tokyo.close();
    await Promise.all([frankfurt, paris].map(disposePanel));
  }
}

async function fill(frankfurt: PanelProcess, paris: PanelProcess): Promise<void> {
  const inbound = (panel: PanelProcess, remark: string, port: number) =>
    panel.api.post<{ id: number }>('/panel/api/inbounds/add', vlessInbound(port, { remark }));
  const [front, feed] = [
    await inbound(frankfurt, 'Front door', await freePort()),
    await inbound(frankfurt, 'Feed', await freePort()),
  ];
  const there = await inbound(paris, 'Side door', await freePort());
  const clients = ['sara@example.org', TAKEN, 'omid@example.org', 'nadia@example.org', 'mei.lin@example.org'];
  for (const [index, email] of clients.entries()) {
    const client = { email, totalGB: (index + 1) * 20 * 1024 ** 3, expiryTime: Date.UTC(2030, index, 1) };
    await frankfurt.api.post('/panel/api/clients/add', { client, inboundIds: index > 3 ? [feed.id] : [front.id] });
    const used = { upload: index * 700_000_000, download: index * 5_000_000_000 };
    await frankfurt.api.post(`/panel/api/clients/updateTraffic/${email}`, used);
  }
  await paris.api.post('/panel/api/clients/add', { client: { email: TAKEN }, inboundIds: [there.id] });
  await frankfurt.api.post('/panel/api/setting/update', { pageSize: 50, sessionMaxAge: 720, trafficDiff: 5 });
}

async function savePanels(page: Page, panels: readonly (readonly [string, string, string])[]): Promise<void> {
  await page.evaluate(
    (drafts) => Promise.all(drafts.map((draft) => globalThis.desktop.connections.save(draft))),
    panels.map(([name, address, token], index) => ({
      name,
      address,
      token,
      signIn: 'token' as const,
      trust: { mode: 'verify' as const },
      color: index === 0 ? ('teal' as const) : ('grape' as const),
    })),
  );
}

/** Reached twice; then a host of one inbound points nowhere, and the inbound is unreachable. */
async function tryFromHere(page: Page, frankfurt: PanelProcess): Promise<void> {
  const site = createServer((request, response) => {
    response.end(request.url === '/ip' ? 'ip=203.0.113.7' : Buffer.alloc(1024 * 1024, 'x'));
  });
  await listening(site);
  const address = originOf(site);
  await allowPrivateEgress(frankfurt.api);
  await page.evaluate(async (url) => {
    const { maintenance } = globalThis.desktop;
    const { choices } = await maintenance.reachability();
    await maintenance.setReachability({ ...choices, downloadUrl: `${url}/mega`, addressUrl: `${url}/ip` });
  }, address);
  const again = async (): Promise<void> => {
    await page.evaluate(async () => {
      const { connections, maintenance } = globalThis.desktop;
      const { id } = (await connections.list()).find(({ name }) => name === 'Frankfurt')!;
      const task = await maintenance.tryPanel(id);
      const isRunning = async (): Promise<boolean> =>
        (await maintenance.tasks()).some((each) => each.id === task && each.state === 'running');
      while (await isRunning()) await new Promise((resolve) => setTimeout(resolve, 200));
    });
  };
  try {
    for (let time = 0; time < 3; time += 1) await again();
    const feed = (await frankfurt.api.get<{ id: number; remark: string }[]>('/panel/api/inbounds/list')).find(
      ({ remark }) => remark === 'Feed',
    )!;
    const host = { inboundId: feed.id, remark: 'Blocked', address: '127.0.0.1', port: await freePort() };
    await frankfurt.api.post('/panel/api/hosts/add', host);
    for (let time = 0; time < 2; time += 1) await again();
  } finally {
    site.close();
    site.closeAllConnections();
  }
}

async function takeAll(page: Page, look: string): Promise<void> {
  const ids = await page.evaluate(async () =>
    Object.fromEntries((await globalThis.desktop.connections.list()).map(({ id, name }) => [name, id])),
  );
  const [from, to] = [ids['Frankfurt'], ids['Paris']];
  const take = async (name: string): Promise<void> => {
    // Late parts: charts, and what opens with an animation.
    await page.waitForTimeout(800);
    await page.screenshot({ path: join(FOLDER, `${name}-${look}.png`), caret: 'hide' });
  };
  await page.goto('app://panel/desktop/home');
  // Cards of all panels, one of them unreachable.
  await page.getByRole('article').nth(4).waitFor();
  await page.waitForTimeout(10_000);
  await take('home');
  await page.keyboard.press('/');
  await page.keyboard.type('sara');
  await page.getByRole('option').nth(2).waitFor();
  await take('search');
  await page.goto(`app://panel/desktop/compare?left=${from}&right=${to}`);
  await page.locator('form button[type=submit]').click();
  await page.getByRole('row').nth(2).waitFor();
  await take('comparison');
  await page.goto(`app://panel/desktop/transfer?mode=move&from=${from}&to=${to}`);
  await page.getByRole('checkbox').first().check();
  await page.locator('form button[type=submit]').click();
  await page.getByRole('row').nth(4).waitFor();
  await take('plan');
  await page.goto(`app://panel/desktop/home/vantage?panel=${from}`);
  await page.getByRole('dialog').getByRole('row').nth(2).waitFor();
  await take('vantage');
}
