import { beforeAll, expect, it } from 'vitest';
import { forAllTests } from '../../src-server/testing/for-each-test.ts';
import { waitFor } from '../harness/wait-for.ts';
import { openDesktop, type Running } from './application/electron.ts';
import { useThisComputer } from './application/steps.ts';

/** Questions of the system, in order, and the response to each. */
interface Dialogs {
  messages: string[];
  response: number;
}

const QUESTION = 'Discard what you typed?';
const LEAVE = 0;
const STAY = 1;

let running: Running;
const desktop = forAllTests(openDesktop);
beforeAll(async () => {
  running = await desktop.launch();
  await running.app.evaluate(({ dialog }) => {
    const dialogs: Dialogs = { messages: [], response: 0 };
    Object.assign(globalThis, { dialogs });
    dialog.showMessageBox = async (...args: unknown[]) => {
      dialogs.messages.push((args.at(-1) as { message: string }).message);
      return { response: dialogs.response, checkboxChecked: false };
    };
  });
  await useThisComputer(running.page);
});

const respondWith = (response: number): Promise<void> =>
  running.app.evaluate((_, value) => {
    Object.assign((globalThis as unknown as { dialogs: Dialogs }).dialogs, { messages: [], response: value });
  }, response);
const questions = (): Promise<string[]> =>
  running.app.evaluate(() => (globalThis as unknown as { dialogs: Dialogs }).dialogs.messages);
const input = () => running.page.getByRole('dialog').getByRole('textbox');

async function typeName(): Promise<void> {
  const { page } = running;
  await page.goto('app://panel/panel/groups?group=');
  await input().fill('Family');
}

it('another panel is connected to only after a question, if typed text would be lost', async () => {
  const { page } = running;
  const id = await page.evaluate(async () => {
    const saved = await globalThis.desktop.connections.save({
      name: 'Gone',
      color: 'red',
      address: 'http://127.0.0.1:9/',
      signIn: 'session',
      trust: { mode: 'verify' },
    });
    return saved.ok ? saved.id : '';
  });
  const use = (): Promise<void> => page.evaluate((to) => void globalThis.desktop.connections.use(to), id);
  const connected = (): Promise<string | undefined> =>
    page.evaluate(async () => (await globalThis.desktop.connections.list()).find(({ isCurrent }) => isCurrent)?.name);
  await typeName();
  await respondWith(STAY);
  await use();
  await expect.poll(questions).toEqual([QUESTION]);
  expect(await input().inputValue()).toBe('Family');
  expect(await connected()).toBe('This computer');

  await respondWith(LEAVE);
  await use();
  await page.getByRole('button', { name: 'Connected to Gone' }).waitFor();
  expect(await questions()).toEqual([QUESTION]);
  await page.evaluate(() => void globalThis.desktop.connections.use('local'));
  await page.getByText('The core is running').waitFor();
  // Nothing was typed.
  expect(await questions()).toEqual([QUESTION]);
});

it('a link asks in the page, and the dialog stays as it was typed', async () => {
  const { page, dataDir } = running;
  await typeName();
  await respondWith(STAY);
  // One goes to another page, one to another dialog of the same page.
  for (const link of ['switchyard://open/clients', 'switchyard://open/groups?group=other']) {
    await desktop.startAgain(dataDir, link);
    await page.getByRole('button', { name: 'Go on editing' }).click();
    expect(await input().inputValue()).toBe('Family');
  }
  await desktop.startAgain(dataDir, 'switchyard://open/clients');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('heading', { name: 'Clients' }).waitFor();
  // The system was not asked as well.
  expect(await questions()).toEqual([]);
});

it('reloading asks, too', async () => {
  const { app, page } = running;
  const reload = (): Promise<void> =>
    app.evaluate(({ Menu }) => {
      const view = Menu.getApplicationMenu()?.items.find(({ label }) => label === 'View');
      view?.submenu?.items.find(({ label }) => label === 'Reload')?.click();
    });
  await typeName();
  await respondWith(STAY);
  await reload();
  await expect.poll(questions).toEqual([QUESTION]);
  expect(await input().inputValue()).toBe('Family');
  await respondWith(LEAVE);
  await reload();
  await expect.poll(() => input().inputValue()).toBe('');
  await page.goto('app://panel/panel');
});

it('closing asks for its meaning once, however often it is clicked, and for typed text', async () => {
  const { app, dataDir } = running;
  const close = (clicks: number): Promise<void> =>
    app.evaluate(({ BrowserWindow }, count) => {
      for (let click = 0; click < count; click += 1) BrowserWindow.getAllWindows()[0]?.close();
    }, clicks);
  await typeName();
  const CANCEL = 2;
  await respondWith(CANCEL);
  await close(3);
  await expect.poll(questions).toEqual(['Keep Switchyard running?']);

  await running.page.evaluate(async () => {
    const { hasUpdater: _, ...choices } = await globalThis.desktop.shell.choices();
    await globalThis.desktop.shell.setChoices({ ...choices, onClose: 'tray' });
  });
  await respondWith(STAY);
  await close(3);
  await expect.poll(questions).toEqual([QUESTION]);
  expect(await input().inputValue()).toBe('Family');

  await respondWith(LEAVE);
  await close(1);
  await waitFor('the window to go', async () => app.windows().length === 0);
  const opened = app.waitForEvent('window');
  await desktop.startAgain(dataDir);
  running.page = await opened;
  await running.page.getByRole('heading', { name: 'Overview' }).waitFor();
});

it('quitting from the menu asks for typed text and leaves the window as it is', async () => {
  await typeName();
  await respondWith(STAY);
  await running.app.evaluate(({ app }) => app.quit());
  await expect.poll(questions).toEqual([QUESTION]);
  expect(await input().inputValue()).toBe('Family');
});

it('a lock covers typed text, too', async () => {
  const { page } = running;
  await input().fill('Family');
  await respondWith(STAY);
  await page.evaluate(async () => {
    const choices = { idleMin: 0, asksAgain: false, usesSystem: false };
    await globalThis.desktop.lock.set({ ...choices, current: '', passphrase: 'correct horse battery' });
    void globalThis.desktop.lock.lockNow();
  });
  await page.getByRole('heading', { name: 'The window is locked' }).waitFor();
  expect(await questions()).toEqual([]);
});
