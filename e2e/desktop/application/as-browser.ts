import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import type { DesktopBridge } from '../../../src-main/bridge/contract.ts';
import { followDownloads } from './downloads.ts';
import { openDesktop, type Running } from './electron.ts';

/** Address of the panel that a page is connected to, by page. */
const panels = new WeakMap<Page, string>();

/**
 * The application as a browser: every context is a separate application with its one window, and an address of the
 * panel opens that page in the window.
 */
export async function openWindows(): Promise<Browser> {
  const desktop = await openDesktop();
  const windows = {
    async newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
      const args = options.locale === undefined ? [] : [`--lang=${options.locale}`];
      const running = await desktop.launch({ args });
      await dress(running.page, options);
      await addressAsBrowser(running);
      return Object.assign(running.app.context(), { newPage: async () => running.page, close: running.quit });
    },
    close: () => desktop.close(),
  };
  // The journeys use only these two methods of a browser.
  return windows as unknown as Browser;
}

async function dress(page: Page, { viewport, colorScheme, reducedMotion }: BrowserContextOptions): Promise<void> {
  if (viewport) await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: colorScheme ?? null, reducedMotion: reducedMotion ?? null });
}

/** Lets journeys use the panel's addresses, and wait for downloads, as in a browser. */
async function addressAsBrowser({ page, app, dataDir }: Running): Promise<void> {
  const goto = page.goto.bind(page);
  const nextDownload = await followDownloads(app, dataDir);
  const waitForEvent = page.waitForEvent.bind(page) as (event: string, ...more: unknown[]) => Promise<unknown>;
  Object.assign(page, {
    goto: (url: string, more?: Parameters<Page['goto']>[1]) => goto(inWindow(page, url), more),
    waitForEvent: (event: string, ...more: unknown[]) =>
      event === 'download' ? nextDownload() : waitForEvent(event, ...more),
  });
}

function inWindow(page: Page, url: string): string {
  const panel = panels.get(page);
  return panel !== undefined && url.startsWith(panel) ? `app://panel/${url.slice(panel.length)}` : url;
}

/** Connects the window to a panel as a remote one, and signs in if it asks for that. */
export async function signInWindow(
  page: Page,
  panel: string,
  { username, password }: { username: string; password: string },
): Promise<void> {
  const isConnected = panels.get(page) === panel;
  panels.set(page, panel);
  if (isConnected) await page.goto(panel);
  else await connect(page, panel);
  const prompt = page.getByRole('dialog', { name: 'Sign in to the panel' });
  await prompt.getByLabel('User name').fill(username);
  await prompt.getByRole('textbox', { name: 'Password' }).fill(password);
  await prompt.getByRole('button', { name: 'Sign in' }).click();
  await prompt.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

async function connect(page: Page, address: string): Promise<void> {
  await page.evaluate(async (to) => {
    const { connections } = (globalThis as unknown as { desktop: DesktopBridge }).desktop;
    const panel = {
      name: 'Journey',
      address: to,
      color: 'teal',
      signIn: 'session',
      trust: { mode: 'verify' },
    } as const;
    const saved = await connections.save(panel);
    // The page reloads before this could be answered.
    if (saved.ok) void connections.use(saved.id);
  }, address);
  await page.waitForURL('app://panel/panel');
}
