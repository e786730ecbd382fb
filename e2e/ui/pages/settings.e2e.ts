import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../../src-server/testing/for-each-test.ts';
import { freePort } from '../../../src-server/testing/free-port.ts';
import type { PanelProcess } from '../../harness/panel-process.ts';
import { expectAccessibleInBothThemes } from '../both-themes.ts';
import { startJourney } from '../journey.ts';

let panel: PanelProcess;
let page: Page;

const journey = forAllTests(startJourney);
beforeAll(async () => {
  ({ panel, page } = journey);
});

const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const open = (section: string) => page.goto(`${panel.url}panel/settings/${section}`);
const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
const stored = () => panel.api.post<Record<string, unknown>>('/panel/api/setting/all');

describe('settings in a browser', () => {
  it('are found by a search over all sections', async () => {
    await open('general');
    await page.getByRole('searchbox').fill('announce');
    await page.getByLabel('Announcement').waitFor();
    expect(await page.getByLabel('Port', { exact: true }).count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('q')).toBe('announce');
  });

  it('show a refused value at its field and store nothing; the fixed one is saved', async () => {
    await open('general');
    await field('Time zone').fill('Mars/Base');
    await page.getByLabel('Failed probes until an outbound is down').fill('7');
    await page.getByText('2 changes').waitFor();
    await page.keyboard.press('Control+s');
    await page.locator('[id$="-error"]', { hasText: 'time location not exist: Mars/Base' }).waitFor();
    expect(await stored()).toMatchObject({ timeLocation: 'Local', outboundDownThreshold: 3 });
    await field('Time zone').fill('Europe/Berlin');
    await save();
    await page.getByText('The settings are saved.').waitFor();
    expect(await stored()).toMatchObject({ timeLocation: 'Europe/Berlin', outboundDownThreshold: 7 });
  });

  it('refuse a port of an inbound while it is typed; an inbound that lost its port says so', async () => {
    const port = await freePort();
    const body = { protocol: 'vless', settings: { decryption: 'none' }, streamSettings: { network: 'tcp' } };
    const inbound = { enable: true, remark: 'Clash', port, ...body };
    const { id } = await panel.api.post<{ id: number }>('/panel/api/inbounds/add', inbound);
    await open('panel');
    await page.getByLabel('Port', { exact: true }).fill(String(port));
    const refusal = page.locator('[id$="-error"]', { hasText: `port ${port} (tcp) already used by inbound 'Clash'` });
    await refusal.waitFor();
    await save();
    await page.getByRole('alert').getByText("already used by inbound 'Clash'").waitFor();
    expect((await stored())['webPort']).not.toBe(port);
    await page.getByRole('button', { name: 'Discard' }).click();

    await panel.api.post('/panel/api/server/stopCoreService');
    await page.goto(`${panel.url}panel/inbounds`);
    const row = page.getByRole('row', { name: 'Clash' });
    await row.getByText('Not running: the core is stopped').waitFor();
    const other = createServer().listen(port);
    await once(other, 'listening');
    await panel.api.post('/panel/api/server/restartCoreService');
    await row.getByText(/Not running: .*port/).waitFor();
    await expectAccessibleInBothThemes(page);
    other.close();
    await panel.api.post('/panel/api/server/restartCoreService');
    await row.getByText('Not running').waitFor({ state: 'detached' });
    await panel.api.post(`/panel/api/inbounds/del/${id}`);
  });

  it('preview the headers of subscriptions while they are typed', async () => {
    await open('subscription');
    await page.getByLabel('Refresh interval, hours').fill('37');
    await page.getByRole('row', { name: 'Profile-Update-Interval 37' }).waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('row', { name: 'Profile-Update-Interval 12' }).waitFor();
  });

  it('give a subscription’s page a colour, and a picture that is shrunk from any file', async () => {
    await open('subscription');
    await field('Colour').fill('#c2410c');
    // Its swatches close beneath the focus that leaves it.
    await page.keyboard.press('Tab');
    await expect.poll(() => field('Colour').evaluate((input) => input === document.activeElement)).toBe(false);
    const large = fileURLToPath(new URL('../../../docs/screenshots/subscription-page/1280-light.png', import.meta.url));
    await page.locator('input[type=file]').setInputFiles(large);
    await page.getByRole('img', { name: 'Picture' }).waitFor();
    const placeOf = async () => (await field('Colour').boundingBox())?.y;
    const before = await placeOf();
    // A click of the test itself may scroll.
    await page.keyboard.press('Control+s');
    await page.getByText('The settings are saved.').first().waitFor();
    expect(await placeOf()).toBe(before);
    const { subPageColor, subPagePicture } = await stored();
    expect([subPageColor, String(subPagePicture).slice(0, 23)]).toEqual(['#c2410c', 'data:image/webp;base64,']);
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('img', { name: 'Picture' }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  it('restart the panel, wait for it, and keep what was typed', async () => {
    await open('subscription');
    await page.getByLabel('Title', { exact: true }).fill('Draft over a restart');
    await page.getByRole('button', { name: 'Restart panel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restart panel' }).click();
    await page.getByText('Usually 5–10 seconds').waitFor();
    await page.getByText('The panel is back.').waitFor({ timeout: 40_000 });
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Draft over a restart');
    await save();
    await page.getByText('The settings are saved.').waitFor();
    expect(await stored()).toMatchObject({ subTitle: 'Draft over a restart' });
  });

  it('show a token once; it works, is disabled, and refused', async () => {
    await open('security');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('robot');
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    const value = page.getByLabel('Value of token robot', { exact: true });
    const token = await value.inputValue();
    await expectAccessibleInBothThemes(page);
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    expect(await value.isVisible()).toBe(true);
    await page.getByRole('button', { name: 'I stored it' }).click();
    await value.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(token);
    const statusWith = async () =>
      (
        await fetch(`${panel.url}panel/api/server/status`, {
          headers: { authorization: `Bearer ${token}`, 'x-requested-with': 'XMLHttpRequest' },
        })
      ).status;
    expect(await statusWith()).toBe(200);
    const toggle = page.getByRole('switch', { name: 'Token robot is enabled' });
    await toggle.click();
    await expect.poll(() => toggle.isChecked()).toBe(false);
    expect(await statusWith()).toBe(401);
  });

  it('nothing broke', () => expect(journey.faults).toEqual([]));
});
