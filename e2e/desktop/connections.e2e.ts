import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeToken, disposePanel, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { expectAccessible, firstCredentials } from '../ui/browser.ts';
import { openDesktop, type Desktop, type Running } from './application/electron.ts';
import { fetchFromPanel, useThisComputer } from './application/steps.ts';

let desktop: Desktop;
let remote: PanelProcess;
let running: Running;
beforeAll(async () => {
  [desktop, remote] = await Promise.all([openDesktop(), startPanel()]);
  running = await desktop.launch();
  await remote.api.post('/panel/api/clients/groups/create', { name: 'Elsewhere' });
  await useThisComputer(running.page);
});
afterAll(async () => {
  await desktop.close();
  await disposePanel(remote);
});

const switcher = (name: string) => running.page.getByRole('button', { name: `Connected to ${name}` });

async function add(fields: { name: string; token?: string }): Promise<void> {
  const { page } = running;
  await page.goto('app://panel/desktop/connections?add=');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill(remote.url);
  await dialog.getByLabel('Name', { exact: true }).fill(fields.name);
  if (fields.token !== undefined) {
    await dialog.getByLabel('Sign in with').first().click();
    await page.getByRole('option', { name: 'API token' }).click();
    await dialog.getByRole('textbox', { name: 'API token' }).fill(fields.token);
  }
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('article', { name: fields.name }).waitFor();
}

it('connects to a remote panel with a password, and back, without a restart', async () => {
  const { page } = running;
  await add({ name: 'Office' });
  await page.getByRole('article', { name: 'Office' }).getByText('wants a sign-in').waitFor();
  await expectAccessible(page);
  await page.getByRole('article', { name: 'Office' }).getByRole('button', { name: 'Connect' }).click();
  // No session yet: it asks for a sign-in in place.
  const { username, password } = firstCredentials(remote);
  const prompt = page.getByRole('dialog', { name: 'Sign in to the panel' });
  await prompt.getByLabel('User name').fill(username);
  await prompt.getByRole('textbox', { name: 'Password' }).fill(password);
  await prompt.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The core is running').waitFor();
  await switcher('Office').waitFor();
  expect(await page.locator('[data-color]').getAttribute('data-color')).toBe('orange');
  expect(await fetchFromPanel(page, '/panel/api/clients/groups')).toMatchObject([{ name: 'Elsewhere' }]);
  // The shell keeps the session: the page sees no cookie.
  expect(await page.evaluate(() => document.cookie)).not.toContain('panel_session');

  await switcher('Office').click();
  await page.getByRole('menuitem', { name: 'This computer' }).click();
  await switcher('This computer').waitFor();
  await page.getByText('The core is running').waitFor();
  expect(await fetchFromPanel(page, '/panel/api/clients/groups')).toEqual([]);

  await switcher('This computer').click();
  await page.getByRole('menuitem', { name: 'Office' }).click();
  await switcher('Office').waitFor();
  await page.getByText('The core is running').waitFor();
});

it('with a token there is no live stream: it polls and says so, and the page never sees the token', async () => {
  const { page } = running;
  const token = makeToken(remote.dataDir);
  await add({ name: 'By token', token });
  await page.getByRole('article', { name: 'By token' }).getByText('answers', { exact: true }).waitFor();
  await page.getByRole('article', { name: 'By token' }).getByRole('button', { name: 'Connect' }).click();
  await switcher('By token').getByText('polling').waitFor();
  await page.getByText('The core is running').waitFor();
  expect(JSON.stringify(await page.evaluate(() => globalThis.desktop.connections.list()))).not.toContain(token);
  expect(await page.evaluate(() => globalThis.desktop.connections.exportAll())).not.toContain(token);
});

it('an unreachable panel says so and the others stay reachable', async () => {
  const { page } = running;
  await page.evaluate(async () => {
    const saved = await globalThis.desktop.connections.save({
      name: 'Gone',
      color: 'red',
      address: 'http://127.0.0.1:9/',
      signIn: 'session',
      trust: { mode: 'verify' },
    });
    if (saved.ok) await globalThis.desktop.connections.use(saved.id);
  });
  await switcher('Gone').waitFor();
  await page.getByText('The panel does not answer', { exact: true }).waitFor();
  await switcher('Gone').click();
  await page.getByRole('menuitem', { name: 'This computer' }).click();
  await page.getByText('The core is running').waitFor();
});
