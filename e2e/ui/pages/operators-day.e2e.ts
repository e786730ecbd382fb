import { readFile } from 'node:fs/promises';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCoreClient, type CoreClient } from '../../harness/core-client.ts';
import { freePort } from '../../../src-server/testing/free-port.ts';
import { allowPrivateEgress } from '../../harness/open-egress.ts';
import { startTargetServer } from '../../harness/target-server.ts';
import { addVlessInbound } from '../../harness/vless-inbound.ts';
import { expectAccessible } from '../browser.ts';
import { startJourney, type Journey } from '../journey.ts';

const BYTES_PER_SEC = 60_000;
let journey: Journey;
let site: Awaited<ReturnType<typeof startTargetServer>>;
let client: CoreClient | undefined;

beforeAll(async () => {
  [journey, site] = await Promise.all([startJourney(), startTargetServer()]);
});
afterAll(async () => {
  await client?.close();
  await site?.close();
  await journey?.close();
});

it('an operator sees a real client live and in the charts, and edits it from its row by keyboard', async () => {
  const { page, panel } = journey;
  const { api, url } = panel;
  const port = await freePort();
  await allowPrivateEgress(api);
  const inbound = await addVlessInbound(api, { remark: 'Door', port });
  const expiryTime = Date.now() + 5 * 86_400_000;
  await api.post('/panel/api/clients/add', {
    client: { email: 'mina', totalGB: 1024 ** 3, expiryTime, group: 'vip' },
    inboundIds: [inbound.id],
  });
  const { client: stored } = await api.get<{ client: { id: string } }>('/panel/api/clients/get/mina');
  client = await startCoreClient({
    protocol: 'vless',
    settings: { address: '127.0.0.1', port, id: stored.id, encryption: 'none' },
    streamSettings: { network: 'tcp', security: 'none' },
  });
  await client.stream(`${site.url}/drip/${BYTES_PER_SEC}`);

  // Live: who, where to, how fast.
  await page.goto(`${url}panel/sessions`);
  const row = page.getByRole('row', { name: /mina/ });
  await row.getByText('Door').waitFor();
  await row.getByText('This panel').waitFor();
  await row
    .getByText(/^\d[\d.,]* KiB\/s$/)
    .first()
    .waitFor();
  // Custom columns, by keyboard, also after a reload.
  await page.getByRole('button', { name: 'Columns' }).press('Enter');
  await page.getByRole('checkbox', { name: 'Served by' }).press('Space');
  await page.getByRole('button', { name: 'Move Down earlier' }).press('Enter');
  await page.getByText('Compact').click();
  await page.keyboard.press('Escape');
  await page.reload();
  await row.getByText('Door').waitFor();
  const heads = (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim());
  expect(heads).not.toContain('Served by');
  expect(heads.indexOf('Down')).toBeLessThan(heads.indexOf('Up'));

  // Charts: the same bytes for the total, the inbound, the group and the client.
  const ledger = async () =>
    (await api.get<{ ledger: { down: number } }>('/panel/api/clients/ledger/mina')).ledger.down;
  for (const query of [
    '',
    '?subject=client&name=mina',
    '?subject=group&name=vip',
    `?subject=inbound&name=${inbound.id}`,
  ]) {
    await page.goto(`${url}panel/traffic${query}`);
    const chart = page.getByRole('slider', { name: 'Traffic by time and source' });
    await chart.waitFor();
    await page.getByText(/counted at one place/).waitFor();
  }
  const { total } = await api.get<{ total: { down: number } }>('/panel/api/traffic/history?subject=client&name=mina');
  expect(total.down).toBeGreaterThan(0);
  expect(total.down).toBeLessThanOrEqual(await ledger());

  // Exported as a picture and as figures.
  await page.goto(`${url}panel/traffic`);
  const save = async (name: string): Promise<Buffer> => {
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name }).click()]);
    return readFile(await download.path());
  };
  const picture = PNG.sync.read(await save('Picture (PNG)'));
  const colours = new Set<number>();
  for (let at = 0; at < picture.data.length; at += 4) colours.add(picture.data.readUInt32BE(at));
  expect(picture.width).toBeGreaterThan(600);
  expect(colours.size).toBeGreaterThan(3);
  expect((await save('Figures (CSV)')).toString()).toMatch(
    /^\uFEFFfrom,to,source,up_bytes,down_bytes\r\n.*This panel,/,
  );

  // From the row, without a mouse.
  await page.goto(`${url}panel/clients`);
  const line = page.getByRole('row', { name: /^Select mina/ });
  await line.focus();
  await page.keyboard.press('m');
  await page.getByRole('menuitem', { name: '+30 days' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('mina: +30 days.').waitFor();
  const longer = await api.get<{ client: { expiryTime: number } }>('/panel/api/clients/get/mina');
  expect(longer.client.expiryTime).toBe(expiryTime + 30 * 86_400_000);
  await line.focus();
  await page.keyboard.press('m');
  await page.getByRole('menuitem', { name: 'Show code' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'mina' }).getByRole('img', { name: 'QR code of mina' }).waitFor();
  await page.keyboard.press('Escape');

  // All selected clients expire on one day, chosen by keyboard in the panel's calendar.
  await api.post('/panel/api/setting/update', { datepicker: 'jalalian' });
  await page.goto(`${url}panel/clients`);
  await line.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Adjust' }).click();
  const adjust = page.getByRole('dialog', { name: 'Adjust 1 client' });
  await adjust.getByText('To a date').click();
  const day = adjust.getByRole('textbox', { name: 'Expires at the end of' });
  await expect.poll(() => day.inputValue()).toMatch(/^14\d\d\/\d\d\/\d\d$/);
  await day.fill('1499/12/28');
  await adjust.getByRole('button', { name: 'Choose in the calendar' }).click();
  const calendar = page.getByRole('dialog', { name: 'Calendar' });
  await calendar.getByRole('button', { name: /1499/ }).and(page.locator(':focus')).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await calendar.waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await calendar.getByRole('button', { name: /1499/ }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await calendar.waitFor({ state: 'hidden' });
  expect(await day.inputValue()).toBe('1499/12/29');
  await adjust.getByRole('button', { name: 'Adjust' }).click();
  await adjust.waitFor({ state: 'hidden' });
  const dated = await api.get<{ client: { expiryTime: number } }>('/panel/api/clients/get/mina');
  expect(dated.client.expiryTime).toBe(new Date(2121, 2, 20, 23, 59, 59).getTime());
  await api.post('/panel/api/setting/update', { datepicker: 'gregorian' });

  // A saved view, on every device.
  await page.goto(`${url}panel/clients?group=vip`);
  await page.getByRole('group', { name: 'Filters in use' }).waitFor();
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.getByLabel('Save what is shown as').fill('VIPs');
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByText('View VIPs is saved.').waitFor();
  await page.goto(`${url}panel/clients`);
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.getByRole('button', { name: 'VIPs', exact: true }).click();
  await page.waitForURL(/group=vip/);

  // A plan: created, chosen at "add", changed, and applied to its clients after a preview.
  await page.goto(`${url}panel/groups/plans`);
  await page.getByRole('button', { name: 'Add plan' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Gold');
  await page.getByLabel('Quota, 0 = unlimited').fill('50');
  await page.getByRole('combobox', { name: /^Inbounds/ }).click();
  await page.getByRole('option', { name: /^Door/ }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('50 GiB · 30 days · 1 inbound').waitFor();
  await page.goto(`${url}panel/clients?edit=`);
  await page.getByLabel('E-mail or name').fill('nora');
  await page.getByRole('combobox', { name: 'Plan' }).click();
  await page.getByRole('option', { name: 'Gold' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Client nora is saved.').waitFor();
  const nora = () =>
    api.get<{ client: { totalGB: number; planId: number }; inboundIds: number[] }>('/panel/api/clients/get/nora');
  expect(await nora()).toMatchObject({ client: { totalGB: 50 * 1024 ** 3, planId: 1 }, inboundIds: [inbound.id] });
  await page.goto(`${url}panel/groups/plans`);
  await page.getByRole('button', { name: 'Gold', exact: true }).press('Enter');
  await page.getByLabel('Quota, 0 = unlimited').fill('60');
  await page.getByRole('button', { name: 'Save' }).click();
  const bring = page.getByRole('dialog', { name: 'Apply plan Gold to its clients' });
  await bring.getByText('1 client of 1 would change:').waitFor();
  await bring.getByRole('row', { name: /nora.*50 GiB.*60 GiB/ }).waitFor();
  await bring.getByRole('button', { name: 'Change 1 client' }).click();
  await bring.waitFor({ state: 'hidden' });
  expect((await nora()).client.totalGB).toBe(60 * 1024 ** 3);

  // Ended by hand: connections that this machine cannot cut are reported as such.
  await page.goto(`${url}panel/sessions`);
  await page.getByRole('button', { name: 'End the sessions of mina' }).click();
  const dialog = page.getByRole('dialog', { name: 'End the sessions of 1 client?' });
  await dialog.getByRole('radio', { name: /Restart/ }).check();
  await dialog.getByRole('button', { name: 'End sessions' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(journey.faults).toEqual([]);
});
