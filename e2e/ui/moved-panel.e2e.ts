import type { Page } from 'playwright';
import { beforeAll, expect, it } from 'vitest';
import { forAllTests } from '../../src-server/testing/for-each-test.ts';
import { startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { startJourney } from './journey.ts';

let panel: PanelProcess;
let page: Page;

const journey = forAllTests(() => startJourney({}, () => startPanel({ core: null })));
beforeAll(async () => {
  ({ panel, page } = journey);
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
