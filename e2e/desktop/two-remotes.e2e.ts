import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { disposePanel, makeToken, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { waitFor } from '../harness/wait-for.ts';
import { firstCredentials } from '../ui/browser.ts';
import { openDesktop, type Desktop, type Running } from './application/electron.ts';
import { fetchFromPanel } from './application/steps.ts';

const STEP_MS = 30_000;

let desktop: Desktop;
let [first, second]: PanelProcess[] = [];
let running: Running;
beforeAll(async () => {
  [desktop, first, second] = await Promise.all([openDesktop(), startPanel({ core: null }), startPanel({ core: null })]);
  await second.api.post('/panel/api/clients/groups/create', { name: 'Of the second' });
  running = await desktop.launch();
});
afterAll(async () => {
  await desktop.close();
  await Promise.all([first!, second!].map(disposePanel));
});

const switcher = (name: string) => running.page.getByRole('button', { name: `Connected to ${name}` });

/** Saves a panel with a token, or with a sign-in by password. @returns its id */
async function save(name: string, { url, dataDir }: PanelProcess, byToken: boolean): Promise<string> {
  const token = byToken ? makeToken(dataDir) : undefined;
  return running.page.evaluate(
    async ([name, address, token]) => {
      const saved = await globalThis.desktop.connections.save({
        name,
        color: 'orange',
        address,
        signIn: token === undefined ? 'session' : 'token',
        trust: { mode: 'verify' },
        token,
      });
      return saved.ok ? saved.id : '';
    },
    [name, url, token] as const,
  );
}
const use = (id: string): Promise<void> =>
  running.page.evaluate((to) => void globalThis.desktop.connections.use(to), id);

it('a remote panel with two-factor sign-in asks for the code in the window, also when that was just set up there', async () => {
  const { page } = running;
  const { username, password } = firstCredentials(first!);
  await page.getByRole('button', { name: 'Connect to a panel' }).waitFor();
  await use(await save('First', first!, false));
  const prompt = page.getByRole('dialog', { name: 'Sign in to the panel' });
  await prompt.getByLabel('User name').fill(username);
  await prompt.getByRole('textbox', { name: 'Password' }).fill(password);
  await prompt.getByRole('button', { name: 'Sign in' }).click();
  await prompt.waitFor({ state: 'detached' });

  await page.goto('app://panel/panel/settings/security');
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up two-factor sign-in' });
  const secret = Secret.fromBase32(await dialog.getByLabel('Key', { exact: true }).inputValue());
  const step = Math.floor(Date.now() / STEP_MS);
  const codeOf = (at: number): string => new TOTP({ secret }).generate({ timestamp: at * STEP_MS });
  await dialog.getByLabel('Code that the app shows').fill(codeOf(step));
  await dialog.getByRole('textbox', { name: 'Present password' }).fill(password);
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await again.getByLabel('User name').fill(username);
  await again.getByRole('textbox', { name: 'Password' }).fill(password);
  await again.getByRole('button', { name: 'Next' }).click();
  // A code is valid once.
  await waitFor('the step before that of the code', () => Date.now() >= step * STEP_MS);
  await again.getByLabel('Two-factor code').fill(codeOf(step + 1));
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.waitFor({ state: 'detached' });
  await page.getByText('On: signing in asks for a code.').waitFor();
  expect(await fetchFromPanel(page, '/panel/api/clients/groups')).toEqual([]);
});

it('what the page of one panel still sends while the window goes to another never reaches that one', async () => {
  const { page } = running;
  const id = await save('Second', second!, true);
  await page.evaluate(async (to) => {
    const headers = { 'X-Requested-With': 'XMLHttpRequest', 'Content-Type': 'application/json' };
    const response = await fetch('/csrf-token', { headers });
    const { obj } = (await response.json()) as { obj: string };
    let count = 0;
    const create = (): Promise<unknown> => {
      const body = JSON.stringify({ name: `Of the first ${(count += 1)}` });
      const sent = { method: 'POST', headers: { ...headers, 'X-CSRF-Token': obj }, body };
      return fetch('/panel/api/clients/groups/create', sent).catch(() => undefined);
    };
    await create();
    setInterval(() => void create(), 5);
    setTimeout(() => void globalThis.desktop.connections.use(to), 200);
  }, id);
  await switcher('Second').waitFor();
  expect(await first!.api.get('/panel/api/clients/groups')).toContainEqual(
    expect.objectContaining({ name: 'Of the first 1' }),
  );
  expect(await second!.api.get('/panel/api/clients/groups')).toMatchObject([{ name: 'Of the second' }]);
});

it('a connected panel whose address is changed leaves nothing of the one before in the page', async () => {
  const { page } = running;
  await page.goto('app://panel/panel/groups');
  await page.getByText('Of the second').waitFor();
  await switcher('Second').click();
  await page.getByRole('menuitem', { name: 'Manage panels' }).click();
  await page.getByRole('article', { name: 'Second' }).getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill(first!.url);
  await dialog.getByLabel('Sign in with').first().click();
  await page.getByRole('option', { name: 'User name and password' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Back to the panel' }).click();
  // Not that its session has ended: it had none.
  await page.getByRole('dialog', { name: 'Sign in to the panel' }).waitFor();
  await page.evaluate(() => {
    history.pushState(null, '', '/panel/groups');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await page.getByRole('heading', { name: 'Groups', includeHidden: true }).waitFor();
  expect(await page.getByText('Of the second').count()).toBe(0);
});

it('this computer’s first start shows its credentials also when the tray starts it and no window is open', async () => {
  const { app, page } = running;
  await app.evaluate(({ Menu }) => {
    const build = Menu.buildFromTemplate.bind(Menu);
    Menu.buildFromTemplate = (template) => {
      if (template[0]?.label === 'Open Switchyard') Object.assign(globalThis, { tray: template });
      return build(template);
    };
  });
  await page.evaluate(async () => {
    const choices = await globalThis.desktop.shell.choices();
    await globalThis.desktop.shell.setChoices({ ...choices, onClose: 'tray' });
  });
  // The menu is made again after a change that shows in it.
  await page.evaluate(() => globalThis.desktop.shell.setLanguage('fa'));
  await page.evaluate(() => globalThis.desktop.shell.setLanguage('en'));
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
  const [opened] = await Promise.all([
    app.waitForEvent('window'),
    waitFor(
      'the window to go',
      async () => (await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)) === 0,
    ).then(() =>
      app.evaluate(() => {
        const { tray } = globalThis as unknown as { tray: Electron.MenuItemConstructorOptions[] };
        const panels = tray.find(({ label }) => label === 'Connections')?.submenu as { label: string; click(): void }[];
        panels.find(({ label }) => label === 'This computer')!.click();
      }),
    ),
  ]);
  await opened.getByText('Keep these: they are shown once').waitFor();
});
