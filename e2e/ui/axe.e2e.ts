import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { disposePanel, type PanelProcess } from '../harness/panel-process.ts';
import { expectAccessibleInBothThemes, otherScheme, type Scheme } from './both-themes.ts';
import { expectAccessible, openBrowser, signIn } from './browser.ts';
import { startWalk } from './every-page.ts';
import { startSamplePanel } from './sample/sample-panel.ts';
import { SCREENS } from './screens.ts';

const RENDERER = join(import.meta.dirname, '../../src-renderer');
/** Routes that are no page of a panel in a browser. */
const ELSEWHERE = ['/', '*', '/panel', '/desktop/welcome', '/desktop/home', '/desktop/connections', '/desktop/stopped'];
/** Some sixty screens, each looked at twice, the pages at two widths. */
const WALK_TIMEOUT_MS = 600_000;
const WIDTHS = { desktop: { width: 1280, height: 820 }, phone: { width: 360, height: 740 } };
type Width = keyof typeof WIDTHS;
const otherWidth = (width: Width): Width => (width === 'desktop' ? 'phone' : 'desktop');

let panel: PanelProcess;
let browser: Browser;
let storageState: Awaited<ReturnType<BrowserContext['storageState']>>;

beforeAll(async () => {
  [{ panel }, browser] = await Promise.all([startSamplePanel(), openBrowser()]);
  const context = await browser.newContext();
  await signIn(await context.newPage(), panel);
  storageState = await context.storageState();
  await context.close();
});
afterAll(async () => {
  await browser?.close();
  if (panel !== undefined) await disposePanel(panel);
});

describe('the list of screens', () => {
  it('leaves out no route', () => {
    const source = readFileSync(join(RENDERER, 'app/routes.tsx'), 'utf8');
    const routes = [...source.matchAll(/path: '([^']+)'/g)].map(([, path]) => path!);
    const shown = new Set(SCREENS.map(({ route }) => route));
    expect(routes.length).toBeGreaterThan(10);
    expect(routes.filter((route) => !shown.has(route) && !ELSEWHERE.includes(route))).toEqual([]);
  });

  it('leaves out no dialog that has an address', () => {
    const sources = readdirSync(join(RENDERER, 'pages'), { recursive: true, encoding: 'utf8' })
      // The page of all panels is one of the desktop window; its journey is there.
      .filter((path) => path.endsWith('.tsx') && path !== join('home', 'home-page.tsx'))
      .map((path) => readFileSync(join(RENDERER, 'pages', path), 'utf8'));
    const dialogs = sources.flatMap((source) =>
      [...source.matchAll(/useDialogParam\('([^']+)'\)/g)].map(([, name]) => name!),
    );
    const shown = SCREENS.flatMap(({ address, opens }) => [
      ...new URL(address, 'http://panel/').searchParams.keys(),
      ...(opens === undefined ? [] : [opens]),
    ]);
    expect(dialogs.length).toBeGreaterThan(10);
    expect(dialogs.filter((name) => !shown.includes(name))).toEqual([]);
  });

  it.each(['core', 'settings'])('leaves out no section of %s', async (part) => {
    const context = await browser.newContext({ storageState });
    const page = await context.newPage();
    await page.goto(`${panel.url}panel/${part}`);
    const links = page.locator(`a[href*="/panel/${part}/"]`);
    await links.first().waitFor();
    const sections = await links.evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href)));
    const shown = new Set(SCREENS.map(({ address }) => address));
    expect(sections.map(({ pathname }) => pathname.split('/panel/')[1]!).filter((path) => !shown.has(path))).toEqual(
      [],
    );
    await context.close();
  });
});

describe('axe', () => {
  it(
    'finds no fault, light and dark, and none on the pages as a phone shows them',
    async () => {
      const context = await browser.newContext({ storageState, viewport: WIDTHS.desktop, reducedMotion: 'reduce' });
      const page = await context.newPage();
      const errors: string[] = [];
      page.on('pageerror', ({ message }) => errors.push(message));
      const faults: Record<string, unknown> = {};
      let walk = await startWalk(page, panel.url);
      let scheme: Scheme = 'light';
      let width = 'desktop' as Width;
      const turnTo = async (to: Width): Promise<void> => {
        if (width === to) return;
        width = to;
        await page.setViewportSize(WIDTHS[to]);
        await walk.settle();
      };
      for (const screen of SCREENS) {
        // Dialogs and drawers are the same parts at either width; it is the pages that are laid out anew, in the same colours.
        const isPage = screen.prepare === undefined && !screen.address.includes('?');
        if (!isPage) await turnTo('desktop');
        // A page begins with the width and the theme in which the one before it ended: to draw it anew is most of the work.
        const widths: readonly Width[] = isPage ? [width, otherWidth(width)] : ['desktop'];
        await walk.open(screen.address);
        await screen.prepare?.(page);
        for (const at of widths) {
          await turnTo(at);
          const look = at === 'phone' ? expectAccessible(page, 'layout') : expectAccessibleInBothThemes(page, scheme);
          if (at === 'desktop') scheme = otherScheme(scheme);
          await look.catch((fault: unknown) => {
            faults[`${screen.name}, ${at}`] = (fault as { actual?: unknown }).actual ?? String(fault);
          });
        }
        // What was opened or typed by hand would be asked about.
        if (screen.prepare !== undefined) walk = await startWalk(page, panel.url);
      }
      expect(faults).toEqual({});
      expect(errors).toEqual([]);
      await context.close();
    },
    WALK_TIMEOUT_MS,
  );
});
