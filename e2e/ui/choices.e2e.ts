import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../src-server/testing/for-each-test.ts';
import { startPanel } from '../harness/panel-process.ts';
import { signIn } from './browser.ts';
import { startJourney } from './journey.ts';

const journey = forAllTests(() => startJourney({ colorScheme: 'light' }));

const look = () =>
  journey.page.evaluate(() => {
    const { dir, lang, dataset } = document.documentElement;
    return { dir, lang, scheme: dataset['mantineColorScheme'] };
  });
async function choose(menu: string | RegExp, item: string): Promise<void> {
  const { page } = journey;
  await page.getByRole('banner').getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

/** In Persian. The dialog stays open when the name is refused. */
async function addGroup(name: string): Promise<void> {
  const { page } = journey;
  await page.getByRole('button', { name: 'افزودن گروه' }).first().click();
  await page.getByRole('dialog').getByLabel('نام').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'ذخیره' }).click();
}

describe('choices for this browser', () => {
  it('language and theme persist after a reload, in another tab, in a refusal and on the sign-in page', async () => {
    const { page, panel, context } = journey;
    await choose('Account, theme and language', 'Dark');
    await choose('Account, theme and language', 'فارسی');
    await page.getByRole('heading', { name: 'نمای کلی' }).waitFor();
    const chosen = { dir: 'rtl', lang: 'fa', scheme: 'dark' };
    expect(await look()).toEqual(chosen);
    await page.reload();
    await page.getByRole('heading', { name: 'نمای کلی' }).waitFor();
    expect(await look()).toEqual(chosen);

    const second = await context.newPage();
    await second.goto(`${panel.url}panel/clients`);
    await second.getByRole('heading', { name: 'کاربران' }).waitFor();
    await second.close();

    await page.getByRole('link', { name: 'گروه‌ها' }).click();
    await addGroup('staff');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await addGroup('staff');
    await page.getByRole('dialog').getByText('گروهی به این نام هست').waitFor();
    await page.keyboard.press('Escape');
    await page
      .getByRole('dialog', { name: 'نوشته‌هایتان دور ریخته شود؟' })
      .getByRole('button', { name: 'دور ریختن' })
      .click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await choose(/حساب/, 'خروج');
    await page.getByRole('button', { name: 'ورود' }).waitFor();
    expect(await look()).toEqual(chosen);
    expect(await page.getByText(/[A-Za-z]{3,} [a-z]{2,}/).count()).toBe(0);
    await page.evaluate(() => localStorage.setItem('panel.language', 'en'));
    await signIn(page, panel);
    expect(await look()).toEqual({ dir: 'ltr', lang: 'en', scheme: 'dark' });
  });

  it('"as the system" follows the system at once', async () => {
    const { page } = journey;
    await choose('Account, theme and language', 'As the system');
    expect((await look()).scheme).toBe('light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(async () => (await look()).scheme).toBe('dark');
  });

  it('the narrow sidebar stays narrow', async () => {
    const { page } = journey;
    const width = async (): Promise<number> =>
      (await page.getByRole('navigation', { name: 'Pages' }).boundingBox())?.width ?? 0;
    const before = await width();
    await page.getByRole('button', { name: 'Narrow sidebar' }).click();
    await expect.poll(width).toBeLessThan(before / 2);
    await page.reload();
    await expect.poll(width).toBeLessThan(before / 2);
  });
});

describe('a panel that becomes unreachable under an open form', () => {
  it('shows a banner; what was typed is kept until it is back, and saved then', async () => {
    const { page, panel } = journey;
    await panel.api.post('/panel/api/clients/import', {
      data: JSON.stringify([{ client: { email: 'drafted' }, inboundIds: [] }]),
    });
    await page.goto(`${panel.url}panel/clients?edit=drafted`);
    const editor = page.getByRole('dialog', { name: 'Edit drafted' });
    await editor.getByLabel('Comment').fill('typed while it was there');
    await panel.stop();
    await page.getByText('The panel does not answer', { exact: true }).waitFor();
    await editor.getByLabel('Group').fill('typed while it was away');
    const { port } = new URL(panel.url);
    const again = await startPanel({ dataDir: panel.dataDir, port: Number(port) });
    journey.panel = again;
    await page.getByText('The panel does not answer', { exact: true }).waitFor({ state: 'detached', timeout: 40_000 });
    await editor.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Client drafted is saved.').waitFor();
    const stored = await again.api.get<{ client: object }>('/panel/api/clients/get/drafted');
    expect(stored.client).toMatchObject({ comment: 'typed while it was there', group: 'typed while it was away' });
    expect(journey.faults).toEqual([]);
  });
});
