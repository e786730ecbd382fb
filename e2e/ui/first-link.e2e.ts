import jsQR from 'jsqr';
import type { Browser, Page } from 'playwright';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseLink } from '../../src-server/links/parse/parse-link.ts';
import { startCoreClient } from '../harness/core-client.ts';
import { allowPrivateEgress } from '../harness/open-egress.ts';
import { disposePanel, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { startTargetServer, type TargetServer } from '../harness/target-server.ts';
import { expectAccessible, firstCredentials, openBrowser } from './browser.ts';
import { addVlessInbound } from '../harness/vless-inbound.ts';

// The package exports the function itself; its types speak of a default member.
const readCode = jsQR as unknown as typeof jsQR.default;

let panel: PanelProcess;
let browser: Browser;
let site: TargetServer;

beforeAll(async () => {
  [panel, browser, site] = await Promise.all([startPanel(), openBrowser(), startTargetServer()]);
  await allowPrivateEgress(panel.api);
  await addVlessInbound(panel.api, {
    remark: 'Home',
    streamSettings: { network: 'ws', security: 'none', wsSettings: { path: '/w' } },
  });
});
afterAll(async () => {
  await browser.close();
  await Promise.all([disposePanel(panel), site.close()]);
});

it('first start, a client added in the browser, its code scanned, a page fetched through it', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(firstCredentials(panel).setupUrl);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Set up your panel' }).waitFor();
  await page.goto(`${panel.url}panel/clients?edit=`);
  await page.getByLabel('E-mail or name').fill('phone');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Client phone is saved.').waitFor();

  await page.goto(`${panel.url}panel/clients?client=phone`);
  const subscription = await scan(page);
  expect(new URL(subscription).port).toBe(new URL(panel.ready.sub).port);
  await page.getByRole('note').first().getByText('only reached from this device or its network').waitFor();
  await expectAccessible(page);

  const body = await (await fetch(subscription.replace('localhost', '127.0.0.1'))).text();
  const [link = ''] = Buffer.from(body, 'base64').toString('utf8').split('\n');
  const parsed = parseLink(link);
  if (!('outbound' in parsed)) throw new Error(`${parsed.error}: ${link}`);
  const core = await startCoreClient({ ...parsed.outbound });
  try {
    expect(await core.fetchBytes(`${site.url}/bytes/50000`)).toBe(50_000);
  } finally {
    await core.close();
  }
});

/** What a phone's camera reads off the screen: the first code of the open drawer. */
async function scan(page: Page): Promise<string> {
  const code = page.getByRole('img', { name: /QR/ }).first();
  await code.waitFor();
  const picture = PNG.sync.read(await code.screenshot());
  const found = readCode(new Uint8ClampedArray(picture.data), picture.width, picture.height);
  return found?.data ?? '';
}
