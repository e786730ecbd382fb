import { afterAll, beforeAll, expect, it } from 'vitest';
import { disposePanel, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { firstCredentials } from '../ui/browser.ts';
import { openDesktop, type Desktop, type Running } from './application/electron.ts';

let desktop: Desktop;
let remote: PanelProcess;
let running: Running;
beforeAll(async () => {
  [desktop, remote] = await Promise.all([openDesktop(), startPanel({ core: null })]);
  running = await desktop.launch();
});
afterAll(async () => {
  await desktop.close();
  await disposePanel(remote);
});

it('the window follows a remote panel to another base path, still signed in', async () => {
  const { page } = running;
  await page.getByRole('button', { name: 'Connect to a panel' }).waitFor();
  await page.evaluate(async (address) => {
    const trust = { mode: 'verify' } as const;
    const saved = await globalThis.desktop.connections.save({
      name: 'Office',
      color: 'orange',
      address,
      signIn: 'session',
      trust,
    });
    if (saved.ok) await globalThis.desktop.connections.use(saved.id);
  }, remote.url);
  const { username, password } = firstCredentials(remote);
  const prompt = page.getByRole('dialog', { name: 'Sign in to the panel' });
  await prompt.getByLabel('User name').fill(username);
  await prompt.getByRole('textbox', { name: 'Password' }).fill(password);
  await prompt.getByRole('button', { name: 'Sign in' }).click();
  await prompt.waitFor({ state: 'detached' });

  await page.goto('app://panel/panel/settings/general');
  const basePath = page.getByRole('textbox', { name: 'Base path', exact: true });
  await basePath.fill('/hidden');
  await page.getByText(`After the restart the panel answers at ${remote.url}hidden/panel/settings/general`).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Saved changes wait for a restart' });
  await notice.getByRole('button', { name: 'Restart panel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restart panel' }).click();
  await page.getByText('The panel is back.').waitFor({ timeout: 60_000 });
  await expect.poll(() => basePath.inputValue()).toBe('/hidden/');
  expect(await page.evaluate(() => globalThis.desktop.connections.list())).toMatchObject([
    {},
    { name: 'Office', address: `${remote.url}hidden/`, isCurrent: true },
  ]);
});
