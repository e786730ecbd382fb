import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { disposePanel, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { openBrowser, signIn } from './browser.ts';

let panel: PanelProcess;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [panel, browser] = await Promise.all([startPanel({ core: null }), openBrowser()]);
  page = await (await browser.newContext()).newPage();
  await signIn(page, panel);
});
afterAll(async () => {
  await browser?.close();
  if (panel !== undefined) await disposePanel(panel);
});

it('the page follows the panel to another base path', async () => {
  await page.goto(`${panel.url}panel/settings/general`);
  const basePath = page.getByRole('textbox', { name: 'Base path', exact: true });
  await basePath.fill('/hidden');
  await page.getByText('This page will move').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Saved changes wait for a restart' });
  await notice.getByRole('button', { name: 'Restart panel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restart panel' }).click();
  await page.waitForURL(/\/hidden\/panel\/settings\/general/, { timeout: 40_000 });
  await basePath.waitFor();
  await expect.poll(() => basePath.inputValue()).toBe('/hidden/');
});
