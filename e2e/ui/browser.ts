import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright';
import { expect } from 'vitest';
import type { PanelProcess } from '../harness/panel-process.ts';
import { distinctTexts } from './walk/distinct-texts.ts';

/** Prefers the same engine without a browser's frame: a fifth less work for the same pages. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Whether the journeys run in the application's window instead of a browser: the project `window` of the tests. */
const isInWindow = process.env['JOURNEYS_IN'] === 'window';

/**
 * A Chromium of this machine: CHROMIUM_BINARY, else a usual place, else the one Playwright installed. In the project
 * `window` the application takes its place.
 */
export async function openBrowser(args: readonly string[] = []): Promise<Browser> {
  if (isInWindow) return (await import('../desktop/application/as-browser.ts')).openWindows();
  const executablePath = process.env['CHROMIUM_BINARY'] ?? PLACES.find((path) => existsSync(path));
  return chromium.launch({
    args: ['--no-sandbox', ...args],
    ...(executablePath === undefined ? {} : { executablePath }),
  });
}

/** User name and password of a first start, as the panel printed them. */
export function firstCredentials(panel: PanelProcess): { username: string; password: string; setupUrl: string } {
  const read = (pattern: RegExp): string => pattern.exec(panel.stderr())?.[1] ?? '';
  return {
    username: read(/user name +(\S+)/),
    password: read(/password +(\S+)/),
    setupUrl: read(/sign in +(\S+)/),
  };
}

/** Signs in on the sign-in page; in the window, which has none, where it asks for that. */
export async function signIn(page: Page, panel: PanelProcess): Promise<void> {
  const { username, password } = firstCredentials(panel);
  if (isInWindow) {
    const { signInWindow } = await import('../desktop/application/as-browser.ts');
    return signInWindow(page, panel.url, { username, password });
  }
  await page.goto(panel.url);
  await page.getByLabel('User name').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
/** No page has frames or media, and a violation is reported by its HTML: axe need not look for more. */
const LEAN: RunOptions = { resultTypes: ['violations'], selectors: false, iframes: false, preload: false };
const AXE_OPTIONS: Readonly<Record<'all' | 'colours' | 'layout', RunOptions>> = {
  all: LEAN,
  colours: { ...LEAN, runOnly: { type: 'rule', values: COLOUR_RULES } },
  layout: { ...LEAN, rules: Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])) },
};

/**
 * Fails on every axe violation of the page once it stands still: during a fade-in colours differ.
 *
 * @param rules `colours`: only those, for a page checked in the other theme; `layout`: all others, for one checked in
 * these   colours
 * @param within selector of the part to check; absent = the whole page
 */
export async function expectAccessible(
  page: Page,
  rules: keyof typeof AXE_OPTIONS = 'all',
  within?: string,
): Promise<void> {
  await page.evaluate(async () => {
    const isEndless = (one: Animation): boolean => one.effect?.getComputedTiming().endTime === Infinity;
    const moving = document.getAnimations().filter((one) => !isEndless(one));
    await Promise.allSettled(moving.map(({ finished }) => finished));
  });
  // Once for each loaded page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(`${AXE};0`);
  const violations = async (): Promise<string[]> => {
    const texts = rules === 'colours' ? await distinctTexts(page, within) : undefined;
    const found = await page.evaluate(
      async ({ options, include, selector }) => {
        const { axe: analyzer } = globalThis as unknown as { axe: typeof axe };
        if (include?.length === 0) return [];
        const present = include?.filter(({ isConnected }) => isConnected);
        if (present?.length === 0) return null;
        const context = present === undefined ? (selector ?? document) : { include: present as unknown as Node[] };
        const results = (await analyzer.run(context as axe.ElementContext, options)).violations;
        return results.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
      },
      { options: AXE_OPTIONS[rules], include: texts, selector: within },
    );
    // The page rendered again after its texts were collected.
    return found ?? violations();
  };
  let found = await violations();
  // Colour transitions by scripts are not animations that can be awaited; a real violation persists.
  for (let again = 0; again < 2 && found.length > 0; again += 1) {
    await page.waitForTimeout(500);
    found = await violations();
  }
  expect(found).toEqual([]);
}
