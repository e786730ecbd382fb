import { beforeAll, expect, it } from 'vitest';
import { forAllTests } from '../../src-server/testing/for-each-test.ts';
import { freePort } from '../../src-server/testing/free-port.ts';
import { waitFor } from '../harness/wait-for.ts';
import { openDesktop, type Running } from './application/electron.ts';
import { fetchFromPanel, useThisComputer } from './application/steps.ts';

/** State of the main process that the tests read. */
interface Watched {
  menu: Electron.MenuItemConstructorOptions[];
  questions: { message: string; buttons: string[] }[];
  response: number;
}

let running: Running;
const desktop = forAllTests(openDesktop);
beforeAll(async () => {
  running = await desktop.launch();
  await running.app.evaluate(({ Menu, dialog }) => {
    const watched: Watched = { menu: [], questions: [], response: 2 };
    Object.assign(globalThis, { watched });
    const build = Menu.buildFromTemplate.bind(Menu);
    Menu.buildFromTemplate = (template) => {
      // The same call builds submenus.
      if (template[0]?.label === 'Open Switchyard') watched.menu = template as Watched['menu'];
      return build(template);
    };
    dialog.showMessageBox = async (...args: unknown[]) => {
      watched.questions.push(args.at(-1) as Watched['questions'][number]);
      return { response: watched.response, checkboxChecked: false };
    };
  });
  await useThisComputer(running.page);
});

/** Sets the response to the next system dialog. */
const respondWith = (response: number): Promise<void> =>
  running.app.evaluate((_, value) => {
    const { watched } = globalThis as unknown as { watched: Watched };
    watched.questions = [];
    watched.response = value;
  }, response);
const questions = (): Promise<Watched['questions']> =>
  running.app.evaluate(() => (globalThis as unknown as { watched: Watched }).watched.questions);
const windows = (): Promise<number> =>
  running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
const closeWindow = (): Promise<void> =>
  running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());

function menuLabels(): Promise<string[]> {
  return running.app.evaluate(() => {
    const { menu } = (globalThis as unknown as { watched: Watched }).watched;
    return menu.map(({ label, type }) => label ?? type ?? '');
  });
}

it('the tray shows the core’s state, and its actions work', async () => {
  await waitFor('the figures of the core in the menu', async () => (await menuLabels()).includes('Core: running'));
  expect(await menuLabels()).toEqual([
    'Open Switchyard',
    'separator',
    'Panel: running',
    'Core: running',
    expect.stringMatching(/^Up .* · down /) as string,
    'Copy LAN address',
    'Open in the browser, signed in',
    'Connections',
    'Pause notifications',
    'separator',
    'Quit and stop core',
  ]);
  await running.app.evaluate(() => {
    const { menu } = (globalThis as unknown as { watched: Watched }).watched;
    const core = menu.find(({ label }) => label === 'Core: running')?.submenu as { click: () => void }[] | undefined;
    core?.[1]?.click();
  });
  await running.page.getByText('The core is stopped').waitFor();
  await waitFor('the stopped core in the menu', async () => (await menuLabels()).includes('Core: stopped'));
});

it('the address for other devices: first the page to enable it, and then the address itself', async () => {
  const { app, page } = running;
  const press = (wanted: string): Promise<void> =>
    app.evaluate((_, label) => {
      const { menu } = (globalThis as unknown as { watched: Watched }).watched;
      (menu.find((item) => item.label === label) as unknown as { click: () => void }).click();
    }, wanted);
  await press('Copy LAN address');
  await page.getByRole('switch', { name: 'Reachable from my network' }).waitFor();
  await page.goto('app://panel/panel');
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (url) => void opened.push(url);
  });
  await press('Open in the browser, signed in');
  const opened = (): Promise<string[]> => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
  const [url = ''] = await waitFor('the link in the browser', async () => {
    const seen = await opened();
    return seen.length > 0 && seen;
  });
  // The window may still be navigating.
  await page.waitForFunction(() => 'desktop' in globalThis);
  const [local] = await page.evaluate(() => globalThis.desktop.connections.list());
  expect(url.startsWith(local?.address ?? 'none')).toBe(true);
});

it('closing asks once; when kept running, the window is gone and the panel serves', async () => {
  const { page, app } = running;
  const status = await fetchFromPanel<{ appStats: { pid: number } }>(page, '/panel/api/server/status');
  await respondWith(2);
  await closeWindow();
  await waitFor('the question', async () => (await questions()).length === 1);
  expect((await questions())[0]).toMatchObject({ message: 'Keep Switchyard running?' });
  expect(await windows()).toBe(1);

  await respondWith(0);
  await closeWindow();
  await waitFor('the window to go', async () => (await windows()) === 0);
  expect(() => process.kill(status.appStats.pid, 0)).not.toThrow();

  const opened = app.waitForEvent('window');
  await desktop.startAgain(running.dataDir);
  running.page = await opened;
  await running.page.getByRole('heading', { name: 'Overview' }).waitFor();
  const again = await fetchFromPanel<{ appStats: { pid: number } }>(running.page, '/panel/api/server/status');
  expect(again.appStats.pid).toBe(status.appStats.pid);

  // No question from now on.
  await respondWith(2);
  await closeWindow();
  await waitFor('the window to go', async () => (await windows()) === 0);
  expect(await questions()).toEqual([]);
  const reopened = app.waitForEvent('window');
  await desktop.startAgain(running.dataDir, 'switchyard://open/clients');
  running.page = await reopened;
  await running.page.getByRole('heading', { name: 'Clients' }).waitFor();
});

it('after sleep the panel counts, and the live stream is up again', async () => {
  const { app, page } = running;
  await app.evaluate(({ powerMonitor }) => void powerMonitor.emit('suspend'));
  await app.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'));
  const state = await page.evaluate(
    () =>
      new Promise((resolve) => {
        globalThis.desktop.live.listen(
          (text) => (JSON.parse(text) as { type: string }).type === 'status' && resolve('status'),
          () => undefined,
        );
      }),
  );
  expect(state).toBe('status');
});

it('quitting with a running job asks, and stays on request', async () => {
  const { app, page } = running;
  const csrf = await fetchFromPanel<string>(page, '/csrf-token');
  const port = await freePort();
  await page.evaluate(
    async ([token, to]) => {
      const headers = {
        'content-type': 'application/json',
        'x-csrf-token': token,
        'x-requested-with': 'XMLHttpRequest',
      };
      const inbound = {
        enable: true,
        remark: 'Home',
        listen: '127.0.0.1',
        port: to,
        protocol: 'vless',
        settings: { decryption: 'none', encryption: 'none' },
        streamSettings: { network: 'tcp', security: 'none' },
      };
      const post = (path: string, body: unknown): Promise<Response> =>
        fetch(`/panel/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      const added = (await (await post('inbounds/add', inbound)).json()) as { obj: { id: number } };
      const clients = Array.from({ length: 40_000 }, (_, index) => ({
        client: { email: `job-${index}`, enable: true },
        inboundIds: [added.obj.id],
      }));
      // Resolves when the job is over; that is not awaited here.
      void post('clients/bulkCreate', clients).catch(() => undefined);
    },
    [csrf, port] as const,
  );
  await waitFor('the job to run', async () =>
    (await fetchFromPanel<{ state: string }[]>(page, '/panel/api/jobs')).some(({ state }) => state === 'running'),
  );
  await respondWith(1);
  await app.evaluate(({ app: electron }) => electron.quit());
  await waitFor('the question', async () => (await questions()).length === 1);
  expect((await questions())[0]?.message).toMatch(/^Jobs still running: 1\./);
  expect(await windows()).toBe(1);
  await respondWith(0);
  await running.quit();
});
