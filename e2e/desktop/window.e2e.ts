import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../src-server/testing/for-each-test.ts';
import { waitFor } from '../harness/wait-for.ts';
import { openDesktop, type Running } from './application/electron.ts';
import { expectAccessible } from '../ui/browser.ts';
import { fetchFromPanel } from './application/steps.ts';

let running: Running;
const desktop = forAllTests(openDesktop);
beforeAll(async () => {
  running = await desktop.launch();
});

const here = (): string => new URL(running.page.url()).pathname + new URL(running.page.url()).search;

describe('first start', () => {
  it('asks for language, theme and panel, starts this computer’s, shows its credentials once, signs in', async () => {
    const { page } = running;
    await page.getByRole('heading', { name: 'Welcome to Switchyard' }).waitFor();
    await expectAccessible(page);
    const choose = async (list: string, option: string): Promise<void> => {
      await page.getByRole('combobox', { name: list }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await choose('Language', 'فارسی');
    await page.locator('html[dir=rtl]').waitFor({ state: 'attached' });
    await expectAccessible(page);
    await choose('زبان', 'English');
    await page.locator('html[dir=ltr]').waitFor({ state: 'attached' });
    await choose('Theme', 'Dark');
    await waitFor('the theme to be kept for the next first paint', () =>
      running.app.evaluate(({ nativeTheme }) => nativeTheme.themeSource === 'dark'),
    );
    await choose('Theme', 'Light');
    await page.getByRole('button', { name: 'Use this computer' }).click();
    await page.getByText('Keep these: they are shown once').waitFor();
    expect(await page.getByRole('textbox', { name: 'User name' }).inputValue()).not.toBe('');
    expect((await page.getByRole('textbox', { name: 'Password' }).inputValue()).length).toBeGreaterThanOrEqual(12);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Set up the panel' }).click();
    await page.getByText('The core runs, version').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    // No other admin was admitted yet.
    const network = page.getByRole('switch', { name: 'Reachable from my network' });
    await network.waitFor();
    expect(await network.isChecked()).toBe(false);
    expect(await fetchFromPanel(page, '/panel/api/server/reachability')).toMatchObject({ addresses: [] });
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Finish later' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText('The core is running').waitFor();
    expect(await page.evaluate(() => globalThis.desktop.shell.takeFirstCredentials())).toBeNull();
  });

  it('a group created in the window is in the panel, and the live stream is up', async () => {
    const { page } = running;
    await page.goto('app://panel/panel/groups?group=');
    await page.getByRole('dialog').getByRole('textbox').fill('Family');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Group Family is saved.').waitFor();
    expect(await fetchFromPanel(page, '/panel/api/clients/groups')).toMatchObject([{ name: 'Family' }]);
    const state = await page.evaluate(
      () => new Promise((resolve) => globalThis.desktop.live.listen(() => undefined, resolve)),
    );
    expect(state).toBe('up');
  });
});

describe('the page in the window', () => {
  it('has neither Node nor Electron’s bridge, only named functions', async () => {
    const found = await running.page.evaluate(() => ({
      globals: ['require', 'process', 'Buffer', 'ipcRenderer', 'electron'].filter((name) => name in globalThis),
      verbs: Object.keys(globalThis.desktop).sort(),
      scheme: location.protocol,
    }));
    expect(found).toEqual({
      globals: [],
      verbs: ['connections', 'jobs', 'live', 'lock', 'maintenance', 'panels', 'server', 'shell'],
      scheme: 'app:',
    });
  });

  it('stays where it is: foreign pages, answers of the panel and new windows are refused', async () => {
    const { page, app } = running;
    const before = page.url();
    await app.evaluate(({ dialog }) => {
      const questions: string[] = [];
      Object.assign(globalThis, { questions });
      dialog.showMessageBox = async (...args: unknown[]) => {
        questions.push((args.at(-1) as { message: string }).message);
        return { response: 1, checkboxChecked: false };
      };
    });
    for (const url of [
      'https://example.org/',
      'http://example.org/',
      'app://panel.evil.example/',
      'app://panel/panel/api/server/status',
      'file:///etc/passwd',
    ]) {
      await page.evaluate((to) => {
        location.href = to;
      }, url);
      await page.evaluate((to) => window.open(to), url);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(page.url()).toBe(before);
    }
    expect(app.windows()).toHaveLength(1);
    // Only the https address is even offered to the system's browser, with its host in the question.
    const questions = await app.evaluate(() => (globalThis as unknown as { questions: string[] }).questions);
    expect([...new Set(questions)]).toEqual(['Open example.org in the browser?']);
    expect(await page.evaluate(() => document.querySelector('h1')?.textContent)).toBe('Groups');
    await page.goto('app://panel/panel');
  });

  it('runs only its own code, and gets no extra permissions', async () => {
    const { page } = running;
    const found = await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.injected = true';
      document.body.append(script);
      const foreign = await fetch('https://example.org/').then(
        () => 'sent',
        () => 'refused',
      );
      const media = await navigator.mediaDevices.getUserMedia({ audio: true }).then(
        () => 'given',
        () => 'refused',
      );
      return { injected: 'injected' in globalThis, foreign, media };
    });
    expect(found).toEqual({ injected: false, foreign: 'refused', media: 'refused' });
  });

  it('calls with invalid arguments are refused', async () => {
    const refused = await running.page.evaluate(async () => {
      const tries: (() => Promise<unknown>)[] = [
        () => globalThis.desktop.connections.use({ id: 'local' } as unknown as string),
        () => globalThis.desktop.connections.use('x'.repeat(65)),
        () => globalThis.desktop.shell.setTheme('pink' as 'dark'),
        () => globalThis.desktop.connections.certificate('file:///etc/passwd'),
      ];
      return Promise.all(
        tries.map((run) =>
          run().then(
            () => 'done',
            (error: Error) => error.message,
          ),
        ),
      );
    });
    for (const text of refused) expect(text).toMatch(/called with something else than it takes/);
  });
});

describe('links and second starts', () => {
  it('a second start ends at once and brings the first to the front', async () => {
    expect(await desktop.startAgain(running.dataDir)).toBe(0);
    expect(running.app.windows()).toHaveLength(1);
  });

  it('a link opens its page in the existing window', async () => {
    await desktop.startAgain(running.dataDir, 'switchyard://open/groups?group=');
    await waitFor('the page of the link', () => here() === '/panel/groups?group=');
    await running.page.getByRole('dialog').waitFor();
    await desktop.startAgain(
      running.dataDir,
      'switchyard://connect?url=https%3A%2F%2Fbox.example%3A2053%2Fb%2F&name=Box',
    );
    await running.page.getByRole('dialog', { name: 'Add a panel' }).waitFor();
    expect(await running.page.getByLabel('Address').inputValue()).toBe('https://box.example:2053/b/');
    // Prefilled, not saved.
    expect(await running.page.evaluate(() => globalThis.desktop.connections.list())).toHaveLength(1);
    await expectAccessible(running.page);
  });

  it('a hostile link opens nothing', async () => {
    await running.page.goto('app://panel/panel');
    for (const link of [
      'switchyard://open/api/clients/del/phone',
      'switchyard://open/..%2F..%2Flogin',
      'switchyard://x',
    ])
      await desktop.startAgain(running.dataDir, link);
    expect(here()).toBe('/panel');
    await running.page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
});

describe('the end', () => {
  it('quitting stops the panel and its core; the next start opens at the same place, without a question', async () => {
    const corePid = Number(/"pid": ?(\d+)/.exec(await readFile(join(running.dataDir, 'core.pid.json'), 'utf8'))?.[1]);
    expect(() => process.kill(corePid, 0)).not.toThrow();
    await running.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.setBounds({ x: 120, y: 80, width: 1010, height: 710 }),
    );
    await waitFor('the place to be kept', async () =>
      (await readFile(join(running.dataDir, 'window', 'preferences.json'), 'utf8')).includes('1010'),
    );
    await running.quit();
    expect(() => process.kill(corePid, 0)).toThrow(/ESRCH/);

    running = await desktop.launch({ dataDir: running.dataDir });
    await running.page.getByRole('heading', { name: 'Overview' }).waitFor();
    const bounds = await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
    expect(bounds).toMatchObject({ x: 120, y: 80, width: 1010, height: 710 });
    await running.quit();
  });
});
