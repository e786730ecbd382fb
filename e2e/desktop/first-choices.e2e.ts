import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { forAllTests } from '../../src-server/testing/for-each-test.ts';
import { waitFor } from '../harness/wait-for.ts';
import { openDesktop, type Running } from './application/electron.ts';

const desktop = forAllTests(openDesktop);
let running: Running;
const connect = (name: string): string => `switchyard://connect?url=https%3A%2F%2F${name}.example%2F&name=${name}`;
const addressField = () => running.page.getByRole('dialog', { name: 'Add a panel' }).getByLabel('Address');

it('the link that starts the application fills in the form, and so does the next one', async () => {
  running = await desktop.launch({ args: [connect('one')] });
  await addressField().waitFor();
  expect(await addressField().inputValue()).toBe('https://one.example/');
  await desktop.startAgain(running.dataDir, connect('two'));
  await expect.poll(() => addressField().inputValue()).toBe('https://two.example/');
});

it('removing the connected panel starts nothing here; this computer’s starts on request and shows its credentials', async () => {
  const { page } = running;
  const card = (name: string) => page.getByRole('article', { name });
  await page.getByRole('dialog').getByLabel('Address').fill('http://127.0.0.1:9/');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await card('two').getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('button', { name: 'Connected to two' }).waitFor();
  await page.goto('app://panel/desktop/connections');
  await card('two').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove two' }).click();
  await card('two').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => globalThis.desktop.server.state())).toMatchObject({ kind: 'stopped' });

  // There is no panel to go back to.
  await page.getByRole('button', { name: 'Back to the panel' }).click();
  await page.getByRole('heading', { name: 'Welcome to Switchyard' }).waitFor();
  await page.goto('app://panel/desktop/connections');
  await card('This computer').getByRole('button', { name: 'Use this computer' }).click();
  await page.getByText('Keep these: they are shown once').waitFor();
  await page.getByRole('button', { name: 'Open the panel' }).click();
  await page.getByText('The core is running').waitFor();
});

/** The first entry of the application's menu in the window's process. */
const menuWord = (): Promise<string | undefined> =>
  running.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items[0]?.submenu?.items[0]?.label);

const menuWords = (): Promise<string[]> =>
  running.app.evaluate(({ Menu }) =>
    Menu.getApplicationMenu()!.items.flatMap(({ label, submenu }) => [
      label,
      ...(submenu?.items ?? []).map((item) => item.label),
    ]),
  );

it('the menu follows the language chosen in the interface, also in the next start', async () => {
  const { page, dataDir } = running;
  const choose = async (account: string, language: string): Promise<void> => {
    await page.getByRole('button', { name: account }).click();
    await page.getByRole('menuitem', { name: language }).click();
  };
  expect(await menuWord()).toBe('Manage panels…');
  await choose('Account', 'Русский');
  await expect.poll(menuWord).toBe('Управление панелями…');
  expect(await menuWords()).not.toContainEqual(expect.stringMatching(/^[a-z ]+$/i));
  await running.quit();
  // What the next start begins with, before its window has said anything.
  const kept = JSON.parse(await readFile(join(dataDir, 'window', 'preferences.json'), 'utf8')) as { language: string };
  expect(kept.language).toBe('ru');
  running = await desktop.launch({ dataDir });
  expect(await menuWord()).toBe('Управление панелями…');
  await running.page.getByRole('heading', { name: 'Обзор' }).waitFor();
  await running.page.evaluate(() => localStorage.clear());
  await running.page.reload();
  await expect.poll(menuWord).toBe('Manage panels…');
});

it('the zoom outlasts a reload, another panel and the end of the application', async () => {
  const { app, page, dataDir } = running;
  const zoom = (): Promise<number | undefined> =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getZoomLevel());
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomLevel(1));
  await page.reload();
  await page.getByText('The core is running').waitFor();
  expect(await zoom()).toBe(1);
  await running.quit();
  await waitFor('the zoom to be kept', async () => {
    const kept = JSON.parse(await readFile(join(dataDir, 'window', 'preferences.json'), 'utf8')) as {
      zoomLevel: number;
    };
    return kept.zoomLevel === 1;
  });
});

it('the link that starts the application opens its page', async () => {
  running = await desktop.launch({ dataDir: running.dataDir, args: ['switchyard://open/groups'] });
  await running.page.getByRole('heading', { name: 'Groups' }).waitFor();
});
