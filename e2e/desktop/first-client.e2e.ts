import { expect, it } from 'vitest';
import { forAllTests } from '../../src-server/testing/for-each-test.ts';
import { freePort } from '../../src-server/testing/free-port.ts';
import { allowPrivateEgress } from '../harness/open-egress.ts';
import { createApi } from '../harness/api.ts';
import { makeToken } from '../harness/panel-process.ts';
import { startTargetServer } from '../harness/target-server.ts';
import { fetchThrough, firstLinkOf, outboundOf } from '../harness/core/through-link.ts';
import { scanCode } from '../ui/scan-code.ts';
import { openDesktop } from './application/electron.ts';
import { fetchFromPanel, useThisComputer } from './application/steps.ts';
import { addVlessInbound } from '../harness/vless-inbound.ts';

const desktop = forAllTests(openDesktop);
const site = forAllTests(startTargetServer);

it('from the first start to a client whose code, scanned from the window, carries traffic', async () => {
  const { page, dataDir, quit } = await desktop.launch({ args: [`--sub-port=${await freePort()}`] });
  await useThisComputer(page);
  const [local] = await page.evaluate(() => globalThis.desktop.connections.list());
  const api = createApi(local?.address ?? '', makeToken(dataDir));
  await allowPrivateEgress(api);
  await addVlessInbound(api, {
    remark: 'Home',
    streamSettings: { network: 'ws', security: 'none', wsSettings: { path: '/w' } },
  });
  await page.goto('app://panel/panel/clients?edit=');
  await page.getByLabel('E-mail or name').fill('phone');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Client phone is saved.').waitFor();
  expect(await fetchFromPanel(page, '/panel/api/clients/get/phone')).toMatchObject({ client: { email: 'phone' } });

  await page.goto('app://panel/panel/clients?client=phone');
  const subscription = await scanCode(page.getByRole('img', { name: /QR/ }).first());
  const body = await (await fetch(subscription.replace('localhost', '127.0.0.1'))).text();
  expect(await fetchThrough(outboundOf(firstLinkOf(body)), `${site.url}/bytes/50000`)).toBe(50_000);
  await quit();
});
