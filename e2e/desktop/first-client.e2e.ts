import jsQR from 'jsqr';
import type { Page } from 'playwright';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseLink } from '../../src-server/links/parse/parse-link.ts';
import { startCoreClient } from '../harness/core-client.ts';
import { freePort } from '../harness/free-port.ts';
import { allowPrivateEgress } from '../harness/open-egress.ts';
import { createApi } from '../harness/api.ts';
import { admin } from '../harness/panel-process.ts';
import { startTargetServer, type TargetServer } from '../harness/target-server.ts';
import { openDesktop, type Desktop } from './electron.ts';
import { ask, useThisComputer } from './steps.ts';
import { addVlessInbound } from '../harness/vless-inbound.ts';

// The package exports the function itself; its types speak of a default member.
const readCode = jsQR as unknown as typeof jsQR.default;

let desktop: Desktop;
let site: TargetServer;
beforeAll(async () => {
  [desktop, site] = await Promise.all([openDesktop(), startTargetServer()]);
});
afterAll(async () => {
  await Promise.all([desktop.close(), site.close()]);
});

it('from the first start to a client whose code, scanned off the window, carries traffic', async () => {
  const { page, dataDir, quit } = await desktop.launch({ args: [`--sub-port=${await freePort()}`] });
  await useThisComputer(page);
  const [local] = await page.evaluate(() => globalThis.desktop.connections.list());
  const api = createApi(local?.address ?? '', await admin(dataDir, 'token', 'create', 'journey'));
  await allowPrivateEgress(api);
  await addVlessInbound(api, {
    remark: 'Home',
    streamSettings: { network: 'ws', security: 'none', wsSettings: { path: '/w' } },
  });
  await page.goto('app://panel/panel/clients?edit=');
  await page.getByLabel('E-mail or name').fill('phone');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Client phone is saved.').waitFor();
  expect(await ask(page, '/panel/api/clients/get/phone')).toMatchObject({ client: { email: 'phone' } });

  await page.goto('app://panel/panel/clients?client=phone');
  const body = await (await fetch((await scan(page)).replace('localhost', '127.0.0.1'))).text();
  const [link = ''] = Buffer.from(body, 'base64').toString('utf8').split('\n');
  const parsed = parseLink(link);
  if (!('outbound' in parsed)) throw new Error(`${parsed.error}: ${link}`);
  const core = await startCoreClient({ ...parsed.outbound });
  try {
    expect(await core.fetchBytes(`${site.url}/bytes/50000`)).toBe(50_000);
  } finally {
    await core.close();
  }
  await quit();
});

/** What a phone's camera reads off the screen: the first code of the open drawer. */
async function scan(page: Page): Promise<string> {
  const code = page.getByRole('img', { name: /QR/ }).first();
  await code.waitFor();
  const picture = PNG.sync.read(await code.screenshot());
  return readCode(new Uint8ClampedArray(picture.data), picture.width, picture.height)?.data ?? '';
}
