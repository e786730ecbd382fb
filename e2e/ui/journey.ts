import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { disposePanel, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { openBrowser, signIn } from './browser.ts';
import { watchPage } from './report-failures.ts';

/** A step that takes longer has failed. */
const STEP_MS = 30_000;

export interface Journey {
  /** Replaced by a journey that starts another process on the same data. */
  panel: PanelProcess;
  browser: Browser;
  context: BrowserContext;
  page: Page;
  /** Errors not visible on the page: of scripts and the console, browser dialogs, requests to other origins. */
  faults: string[];
  close(): Promise<void>;
}

/** A new panel with the real core, or the one from `start`, and a signed-in browser. */
export async function startJourney(options: BrowserContextOptions = {}, start = () => startPanel()): Promise<Journey> {
  const [panel, browser] = await Promise.all([start(), openBrowser()]);
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  const faults = faultsOf(page, panel.url);
  await signIn(page, panel);
  const journey: Journey = {
    panel,
    browser,
    context,
    page,
    faults,
    async close() {
      await browser.close();
      await disposePanel(journey.panel);
    },
  };
  return journey;
}

/** Collects invisible errors on a page of this origin from now on. */
export function faultsOf(page: Page, home: string): string[] {
  const faults: string[] = [];
  const { origin, host } = new URL(home);
  watchPage(page);
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.origin !== origin) faults.push(`request to ${url.href}`);
  });
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).host !== host) faults.push(`socket to ${socket.url()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // The browser reports refused calls and an unreachable panel as failures; the interface shows them itself.
    if (message.type() === 'error' && !/^Failed to load resource|^WebSocket connection to/.test(message.text()))
      faults.push(`console: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return faults;
}
