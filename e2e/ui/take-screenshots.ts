import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright';
import { freePort } from '../harness/free-port.ts';
import { disposePanel, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { openBrowser, signIn } from './browser.ts';

const FOLDER = join(import.meta.dirname, '../../docs/screenshots/interface');
/** Name of the picture and address below the panel. */
const PAGES: readonly (readonly [name: string, address: string])[] = [
  ['overview', ''],
  ['inbounds', 'inbounds'],
  ['inbound-editor', 'inbounds/1'],
  ['clients', 'clients'],
  ['client', 'clients?client=lena'],
  ['client-editor', 'clients?edit=lena'],
  ['groups', 'groups'],
  ['hosts', 'hosts'],
  ['core', 'core'],
  ['core-routing', 'core/routing'],
  ['core-outbounds', 'core/outbounds'],
  ['core-template', 'core/template'],
  ['settings', 'settings'],
  ['settings-security', 'settings/security'],
  ['settings-backup', 'settings/backup'],
  ['logs', 'logs'],
  ['api-reference', 'api-reference'],
  ['about', 'about'],
];
const WIDE = { width: 1280, height: 820 };
const LOOKS: Readonly<Record<string, { context: BrowserContextOptions; language: string }>> = {
  light: { context: { viewport: WIDE, colorScheme: 'light' }, language: 'en' },
  dark: { context: { viewport: WIDE, colorScheme: 'dark' }, language: 'en' },
  persian: { context: { viewport: WIDE, colorScheme: 'light' }, language: 'fa' },
  phone: { context: { viewport: { width: 360, height: 740 }, colorScheme: 'light' }, language: 'en' },
};

/** `npm run screenshots`: every page of the interface in every look, from a real panel with a handful of invented clients. */
async function main(): Promise<void> {
  const panel = await startPanel();
  const browser = await openBrowser();
  try {
    await fill(panel);
    await rm(FOLDER, { recursive: true, force: true });
    await mkdir(FOLDER, { recursive: true });
    const state = await signedIn(browser, panel);
    for (const [look, { context, language }] of Object.entries(LOOKS))
      await takeAll(browser, panel, look, language, { ...context, storageState: state });
  } finally {
    await browser.close();
    await disposePanel(panel);
  }
}

async function signedIn(browser: Browser, panel: PanelProcess) {
  const context = await browser.newContext();
  await signIn(await context.newPage(), panel);
  const state = await context.storageState();
  await context.close();
  return state;
}

async function takeAll(
  browser: Browser,
  panel: PanelProcess,
  look: string,
  language: string,
  options: BrowserContextOptions,
): Promise<void> {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
  await context.addInitScript((chosen) => localStorage.setItem('panel.language', chosen), language);
  const page = await context.newPage();
  for (const [name, address] of PAGES) {
    await page.goto(`${panel.url}panel/${address}`);
    await page.locator('main, [role="main"]').first().waitFor();
    await page.waitForLoadState('networkidle').catch(() => undefined);
    await page.waitForTimeout(700);
    await page.screenshot({ path: join(FOLDER, `${name}-${look}.png`) });
  }
  await context.close();
}

/** Something to look at: two inbounds, a host, clients in every state. */
async function fill({ api }: PanelProcess): Promise<void> {
  const inbound = async (remark: string, network: string) =>
    api.post<{ id: number }>('/panel/api/inbounds/add', {
      remark,
      port: await freePort(),
      listen: '127.0.0.1',
      protocol: 'vless',
      settings: { decryption: 'none' },
      streamSettings: { network, security: 'none' },
    });
  const office = await inbound('Office', 'tcp');
  const travel = await inbound('Travel', 'ws');
  await api.post('/panel/api/hosts/add', {
    inboundId: office.id,
    address: 'cdn.example.net',
    port: 8443,
    remark: '{{INBOUND}} by relay',
  });
  const day = 86_400_000;
  const gib = 1024 ** 3;
  const people = [
    {
      email: 'lena',
      group: 'family',
      totalGB: 50 * gib,
      expiryTime: Date.now() + 30 * day,
      comment: 'phone and laptop',
    },
    { email: 'omid', group: 'family', totalGB: 0, expiryTime: 0, comment: '' },
    { email: 'کاربر-۷', group: 'VIP', totalGB: 10 * gib, expiryTime: Date.now() + day / 2, comment: 'renews by hand' },
    { email: 'guest-2026', group: '', totalGB: gib, expiryTime: -7 * day, comment: 'starts with first use' },
    {
      email: 'mikhail',
      group: 'VIP',
      totalGB: 200 * gib,
      expiryTime: Date.now() + 90 * day,
      comment: '',
      enable: false,
    },
  ];
  for (const client of people) await api.post('/panel/api/clients/add', { client, inboundIds: [office.id, travel.id] });
  await api.post('/panel/api/clients/updateTraffic/lena', { upload: 3 * gib, download: 21 * gib });
  await api.post('/panel/api/clients/updateTraffic/mikhail', { upload: 20 * gib, download: 180 * gib });
}

await main();
