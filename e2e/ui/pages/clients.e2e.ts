import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { disposePanel, startPanel, type PanelProcess } from '../../harness/panel-process.ts';
import { expectAccessible, openBrowser, signIn } from '../browser.ts';
import { addVlessInbound } from '../../harness/vless-inbound.ts';

const CLIENTS = 10_000;
const emailOf = (index: number): string => `user${String(index).padStart(5, '0')}@example.org`;

let panel: PanelProcess;
let browser: Browser;
let page: Page;
const foreign: string[] = [];
const errors: string[] = [];

beforeAll(async () => {
  panel = await startPanel();
  // Every tenth has neither quota nor expiry, so an adjustment changes nothing there.
  const items = Array.from({ length: CLIENTS }, (_, index) => ({
    client: {
      email: emailOf(index),
      totalGB: index % 10 === 0 ? 0 : 1024 ** 3,
      expiryTime: 0,
      comment: index === 42 ? '<img src=x onerror=alert(1)>' : '',
    },
    inboundIds: [],
  }));
  const inbound = await addVlessInbound(panel.api, { remark: 'main' });
  const withInbound = items.map((item) => ({ ...item, inboundIds: [inbound.id] }));
  await panel.api.post('/panel/api/clients/bulkCreate', withInbound);
  browser = await openBrowser();
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== new URL(panel.url).origin) foreign.push(request.url());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  await signIn(page, panel);
});

afterAll(async () => {
  await browser?.close();
  if (panel !== undefined) await disposePanel(panel);
});

describe('10,000 clients in a browser', () => {
  it('searches, with the search in the address and hostile text as text', async () => {
    await page.goto(`${panel.url}panel/clients`);
    await page.getByText('10,000 clients').waitFor();
    await page.getByRole('searchbox').fill('user00042');
    await page.getByText('1 client', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('user00042');
    expect(await page.getByText('<img src=x onerror=alert(1)>').count()).toBe(1);
  });

  it('sorts on the server', async () => {
    await page.goto(`${panel.url}panel/clients?sort=email&order=descend`);
    await page.getByRole('row', { name: new RegExp(emailOf(CLIENTS - 1)) }).waitFor();
    await page.getByRole('button', { name: 'E-mail' }).click();
    await page.getByRole('row', { name: new RegExp(emailOf(0)) }).waitFor();
  });

  it('starts another list at its top, returns to where the one before was left, and cuts off no figure', async () => {
    await page.goto(`${panel.url}panel/clients?size=100&sort=email&order=ascend`);
    const first = page.locator('tbody tr[data-index="0"] th');
    const frame = page.getByRole('grid').locator('..');
    const at = (px: number) => expect.poll(() => frame.evaluate(({ scrollTop }) => scrollTop)).toBe(px);
    await first.getByText(emailOf(0)).waitFor();
    await frame.evaluate((element) => element.scrollTo(0, 1_500));
    await at(1_500);
    await page.getByRole('button', { name: 'Next page' }).click();
    await first.getByText(emailOf(100)).waitFor();
    await at(0);
    await page.goBack();
    await at(1_500);
    expect(new URL(page.url()).searchParams.get('page')).toBeNull();
    await page.getByRole('button', { name: 'E-mail' }).click();
    await first.getByText(emailOf(CLIENTS - 1)).waitFor();
    await at(0);
    const cut = () =>
      page.locator('td[data-number="true"]').evaluateAll((cells) => {
        return cells.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((one) => one.textContent);
      });
    expect(await cut()).toEqual([]);
    // Persian figures are as wide as their widest, too.
    const choose = (language: string) => page.evaluate((tag) => localStorage.setItem('panel.language', tag), language);
    await choose('fa');
    await page.reload();
    await page.getByRole('heading', { name: 'کاربران' }).waitFor();
    await first.waitFor();
    expect(await cut()).toEqual([]);
    await choose('en');
  });

  it('selects across pages, adjusts, and says who was skipped and why', async () => {
    await page.goto(`${panel.url}panel/clients?sort=email&order=ascend&q=user000`);
    await page.getByText('100 clients', { exact: true }).waitFor();
    await page.getByLabel(`Select ${emailOf(1)}`).check();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByLabel(`Select ${emailOf(30)}`).check();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Select all 100 that match' }).click();
    await page.getByText('100 selected').waitFor();
    await page.getByRole('button', { name: 'Adjust', exact: true }).click();
    await page.getByLabel('Traffic to add').fill('1024 MB');
    await page.getByRole('dialog').getByRole('button', { name: 'Adjust' }).click();
    await page.getByText('90 done, 10 skipped').waitFor();
    expect(
      await page
        .getByRole('dialog')
        .getByRole('rowheader', { name: emailOf(0) })
        .count(),
    ).toBe(1);
    await expectAccessible(page);
    const stored = await panel.api.get<{ client: { totalGB: number } }>(`/panel/api/clients/get/${emailOf(1)}`);
    expect(stored.client.totalGB).toBe(2 * 1024 ** 3);
    await page.keyboard.press('Escape');
  });

  it('reports another admin’s change of the client being edited, and keeps both changes', async () => {
    const email = emailOf(7);
    await page.goto(`${panel.url}panel/clients?edit=${encodeURIComponent(email)}`);
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Enabled').isChecked()).toBe(true);
    await dialog.getByLabel('Group').fill('mine');
    const path = `/panel/api/clients/get/${email}`;
    const elsewhere = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
    await signIn(elsewhere, panel);
    await elsewhere.goto(`${panel.url}panel/clients?edit=${encodeURIComponent(email)}`);
    await elsewhere.getByRole('dialog').getByLabel('Comment').fill('theirs');
    await elsewhere.getByRole('button', { name: 'Save' }).click();
    await elsewhere.getByText(`Client ${email} is saved.`).waitFor();
    await elsewhere.context().close();
    await dialog.getByText('Another admin changed this client').waitFor();
    await dialog.getByText('Comment: theirs').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await panel.api.get<{ client: object }>(path)).client).toMatchObject({ group: 'mine', comment: 'theirs' });
  });

  it('shows the chosen columns, after a reload too', async () => {
    await page.goto(`${panel.url}panel/clients`);
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByLabel('Remaining', { exact: true }).check();
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('columnheader', { name: 'Remaining' }).waitFor();
  });

  it('filters by the fields behind "More filters", in the address', async () => {
    await page.goto(`${panel.url}panel/clients?hasComment=yes`);
    await page.getByText('2 clients', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'More filters' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear these filters' }).click();
    await page.getByText('10,000 clients').waitFor();
    // Faster than the page renders the earlier input.
    await page.getByLabel('Used at least').pressSequentially('1280');
    await page.getByLabel('Expires from').pressSequentially('03212026');
    await page.waitForURL(/usageFrom=1280/);
    await page.waitForURL(/expiryFrom=2026-03-21/);
  });

  it('shows the page before when all clients of the last one were deleted', async () => {
    await page.goto(`${panel.url}panel/clients?q=user012&size=50&page=2`);
    await page.getByText('100 clients', { exact: true }).waitFor();
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete/ })
      .click();
    await page.getByText('50 clients', { exact: true }).waitFor();
    await page.getByText(emailOf(1200)).waitFor();
    expect(new URL(page.url()).searchParams.get('page')).toBe(null);
  });

  it('made no request to another origin, and had no errors', () => {
    expect(foreign).toEqual([]);
    expect(errors).toEqual([]);
  });
});
