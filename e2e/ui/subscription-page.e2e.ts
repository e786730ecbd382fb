import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATABASE_NAME } from '../../src-server/store/open-store.ts';
import { disposePanel, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { expectAccessible, openBrowser } from './browser.ts';
import { scanCode } from './scan-code.ts';

/** With PICTURES=1 a screenshot of the page is kept beside the manuals. */
const PICTURES = fileURLToPath(new URL('../../docs/screenshots/subscription-page/', import.meta.url));
const isKept = process.env['PICTURES'] === '1';
/** The operator's logo: four coloured fields. */
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGN4Ecnzf5I2w/8DFTc9+AEvugZxOPFB5gAAAABJRU5ErkJggg==';
const GIB = 1024 ** 3;
const LINKS = 40;

let panel: PanelProcess;
let browser: Browser;
let address: string;

beforeAll(async () => {
  [panel, browser] = await Promise.all([startPanel({ core: null }), openBrowser()]);
  const post = <T>(path: string, body: object): Promise<T> => panel.api.post<T>(path, body);
  await post('/panel/api/setting/update', {
    subTitle: 'Nordlys',
    subAnnounce: 'Maintenance on Friday, 02:00 to 03:00 UTC.',
    subSupportUrl: 'https://t.example/help',
    subPageColor: '#e8590c',
    subPagePicture: PICTURE,
    subJsonEnable: true,
    subYamlEnable: true,
    timeLocation: 'UTC',
  });
  const inbound = await post<{ id: number }>('/panel/api/inbounds/add', {
    remark: 'Oslo',
    listen: '203.0.113.77',
    port: 8443,
    protocol: 'vless',
    settings: { decryption: 'none', encryption: 'none' },
    streamSettings: { network: 'ws', security: 'none', wsSettings: { path: '/stream', host: 'front.nordlys.example' } },
  });
  const host = { inboundIds: [inbound.id], security: 'tls', fingerprint: 'chrome', alpn: ['h2', 'http/1.1'] };
  const hosts = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `edge-${from + at}.nordlys.example:443`);
  await post('/panel/api/hosts/bulk/add', { ...host, remark: 'Edge', hosts: hosts(1, LINKS) });
  // Handshake keys too long for any code.
  await post('/panel/api/hosts/bulk/add', {
    ...host,
    remark: 'Quantum',
    hosts: ['pq.nordlys.example'],
    echConfigList: 'A'.repeat(2_400),
    sortOrder: 9,
  });
  const client = { email: 'nina', subId: 'k3v9-5d2e-8fa1', totalGB: 20 * GIB, expiryTime: Date.UTC(2027, 0, 24) };
  await post('/panel/api/clients/add', { client, inboundIds: [inbound.id] });
  // Traffic of an unknown client.
  const database = new Database(join(panel.dataDir, DATABASE_NAME));
  const seen = Date.UTC(2026, 10, 20, 18, 42);
  database
    .prepare('UPDATE clientStates SET upBytes = ?, downBytes = ?, lastOnlineAtMs = ?')
    .run(GIB, Math.round(6.4 * GIB), seen);
  database.close();
  address = new URL('/sub/k3v9-5d2e-8fa1', panel.ready.sub).href;
});
afterAll(async () => {
  await browser.close();
  await disposePanel(panel);
});

/** Opens the page in its own browser, without scripts; every requested address is recorded. */
async function opened(options: BrowserContextOptions, query = ''): Promise<{ page: Page; requests: string[] }> {
  const context = await browser.newContext({ javaScriptEnabled: false, ...options });
  const page = await context.newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(address + query);
  return { page, requests };
}

const SIZES = { 320: { width: 320, height: 640 }, 1280: { width: 1280, height: 900 } } as const;
const LOOKS = [
  { name: 'light', colorScheme: 'light', locale: 'en-US', title: 'Your subscription link' },
  { name: 'dark', colorScheme: 'dark', locale: 'en-US', title: 'Your subscription link' },
  { name: 'persian', colorScheme: 'light', locale: 'fa-IR', title: 'پیوند اشتراک شما' },
] as const;

describe.each(Object.entries(SIZES))('%s pixels wide', (width, viewport) => {
  it.each(LOOKS)(
    '$name: whole, readable, nothing wider than the screen',
    async ({ name, colorScheme, locale, title }) => {
      const { page, requests } = await opened({ viewport, colorScheme, locale });
      await page.getByRole('heading', { name: title }).waitFor();
      const folds = page.locator('summary');
      for (let at = 0; at < (await folds.count()); at += 1) await folds.nth(at).click();
      expect(await page.locator('details[open]').count()).toBe(2);
      const overflow = await wideParts(page);
      expect(overflow).toEqual([]);
      expect(requests).toEqual([address]);
      if (isKept) {
        for (let at = 0; at < (await folds.count()); at += 1) await folds.nth(at).click();
        await mkdir(PICTURES, { recursive: true });
        await page.screenshot({ path: `${PICTURES}${width}-${name}.png`, fullPage: true });
      }
      await page.context().close();

      const scripted = await opened({ viewport, colorScheme, locale, javaScriptEnabled: true, bypassCSP: true });
      await expectAccessible(scripted.page);
      const ground = () => scripted.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const before = await ground();
      await scripted.page.locator('.theme').click();
      expect(await ground()).not.toBe(before);
      await scripted.page.reload();
      expect(await ground()).not.toBe(before);
      await expectAccessible(scripted.page);
      await scripted.page.context().close();
    },
  );
});

/** What overflows an edge of the screen. */
function wideParts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    const wide = [...document.querySelectorAll('main *')].filter((part) => {
      const { left, right, width } = part.getBoundingClientRect();
      return width > 0 && (left < -0.5 || right > root.clientWidth + 0.5);
    });
    const found = wide.map((part) => part.outerHTML.slice(0, 100));
    return root.scrollWidth > root.clientWidth ? [...found, `${root.scrollWidth} pixels`] : found;
  });
}

it('the code of every link is one tap away, without scripts, and contains the link', async () => {
  const { page } = await opened({ viewport: SIZES[320] });
  const scan = () => scanCode(page.getByRole('img', { name: 'QR' }).last());
  expect(await scan()).toBe(await page.locator('.link code').innerText());
  await page.locator('summary').last().click();
  await page.getByRole('link', { name: 'QR code' }).last().click();
  const row = page.locator('#code');
  await row.waitFor();
  expect(await scan()).toBe(await row.locator('code').innerText());

  await page.goto(`${address}?html=1&code=yaml`);
  expect(await scan()).toBe(new URL('/yaml/k3v9-5d2e-8fa1', panel.ready.sub).href);
  await page.context().close();
});

it('says in words that a link is too long for a code, stays small, and makes no external requests', async () => {
  const response = await fetch(address, { headers: { accept: 'text/html' } });
  const html = await response.text();
  expect(Buffer.byteLength(html)).toBeLessThan(30_000);
  expect(html).toContain(`Single links (${LINKS})`);
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]+' 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
  const last = await (await fetch(`${address}?html=1&code=${LINKS - 1}`)).text();
  expect(last).toContain('<details id="links" open>');
  expect(last).toContain('This link is too long for a QR code.');
  expect(Buffer.byteLength(last)).toBeLessThan(30_000);
});

it('phones are shown their own apps, the link is copied, and all links are reached page by page', async () => {
  const { page } = await opened({
    viewport: SIZES[320],
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)',
  });
  await page.getByRole('link', { name: 'Add the subscription: Streisand' }).waitFor();
  await page.getByRole('link', { name: 'Android' }).click();
  await page.getByRole('link', { name: 'Install an app: v2rayNG' }).waitFor();
  expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);

  const links = new Set<string>();
  await page.locator('summary').last().click();
  for (;;) {
    for (const link of await page.locator('#links .row code').allInnerTexts()) links.add(link);
    const more = page.getByRole('link', { name: 'More links' });
    if ((await more.count()) === 0) break;
    await more.click();
    await page.locator('#links[open]').waitFor();
  }
  expect(links.size).toBe(LINKS);
  await page.context().close();

  const scripted = await opened({ javaScriptEnabled: true, permissions: ['clipboard-read'] });
  await scripted.page.getByRole('button', { name: 'Copy', exact: true }).first().click();
  await scripted.page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await scripted.page.getByRole('status').textContent()).toBe('Copied');
  expect(await scripted.page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  // Of many equal names the description says which link it is.
  const row = scripted.page.locator('#links .row').first();
  const actions = row.locator('button, a');
  expect(await actions.evaluateAll((all) => all.map((one) => one.getAttribute('title')))).toEqual(
    Array.from({ length: await actions.count() }, () => expect.stringMatching(/./)),
  );
  await scripted.page.context().close();
});

it('dates follow the operator’s calendar setting', async () => {
  await panel.api.post('/panel/api/setting/update', { datepicker: 'jalalian' });
  const { page } = await opened({ locale: 'fa-IR', viewport: SIZES[320] });
  await page.getByText('۴ بهمن ۱۴۰۵').waitFor();
  await page.getByText('۱۲٫۶۰\u{a0}GB').waitFor();
  await page.getByText('پیوندهای جداگانه (۴۰)').waitFor();
  await page.goto(`${address}?html=1&lang=en`);
  await page.getByText('Bahman 4, 1405').waitFor();
  await panel.api.post('/panel/api/setting/update', { datepicker: 'gregorian' });
  await page.goto(`${address}?html=1&lang=en`);
  await page.getByText('January 24, 2027').waitFor();
  await page.context().close();
});
