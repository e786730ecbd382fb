import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleInBothThemes, otherScheme, type Scheme } from './both-themes.ts';
import type { PanelProcess } from '../harness/panel-process.ts';
import { expectAccessible } from './browser.ts';
import { everyPage, opensDialog, startWalk, type Stop } from './walk/every-page.ts';
import { fillHostile, HOSTILE, HOSTILE_EMAIL, refusedSignIn } from './walk/hostile-panel.ts';
import { faultsOf, startJourney, type Journey } from './journey.ts';
import { startSamplePanel } from './sample/sample-panel.ts';
import { SCREENS } from './walk/screens.ts';
import { clippedTexts, shownTexts, tooWide, type ShownText } from './walk/shown-texts.ts';

const RENDERER = join(import.meta.dirname, '../../src-renderer');
/** Routes that are no page of a panel in a browser; those of the desktop window have journeys of their own. */
const isElsewhere = (route: string): boolean => ['/', '*', '/panel'].includes(route) || route.startsWith('/desktop/');
const DIALOG = '[role="dialog"]';
/** Some hundred stops are walked in parts, so that each has its own time. */
const PARTS = ['inbounds', 'clients', 'groups', 'nodes', 'core', 'settings', 'others'];
function partOf(address: string): string {
  const [first = ''] = address.split(/[/?]/);
  return PARTS.includes(first) ? first : 'others';
}

/** What the panel shows of these, and where: the journey would prove nothing with pages that show none. */
const SHOWS_HOSTILE = [
  'inbounds',
  'clients?q=img',
  'groups',
  'hosts',
  'nodes',
  'core/routing',
  'core/outbounds',
  'core/balancers',
  'core/subscriptions',
  'settings/security',
  'logs',
];

let journey: Journey;
let stops: readonly Stop[];
let names: readonly string[];
beforeAll(async () => {
  // The name of the browser stands in the list of signed-in browsers.
  const userAgent = `Mozilla/5.0 <img src=x onerror=alert(1)>`;
  journey = await startJourney({ userAgent }, async () => (await startSamplePanel()).panel);
  const hostile = await fillHostile(journey.panel);
  await refusedSignIn(journey.panel.url, HOSTILE);
  stops = everyPage(hostile);
  names = await namesIn(journey.panel);
});
afterAll(() => journey?.close());

/** Pages of one part as another browser shows them that the same person is signed in with. */
async function visitAs(
  part: string,
  language: string,
  stored: Record<string, string>,
  look: (page: Page, stop: Stop, settle: () => Promise<void>) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<string[]> {
  const { browser, panel } = journey;
  const storageState = await journey.context.storageState();
  const context = await browser.newContext({ reducedMotion: 'reduce', storageState, ...options });
  await context.addInitScript(
    (entries) => {
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
    },
    { 'panel.language': language, ...stored },
  );
  await context.addCookies([{ name: 'lang', value: language, url: panel.url }]);
  const page = await context.newPage();
  const faults = faultsOf(page, panel.url);
  let walk = await startWalk(page, panel.url);
  for (const stop of stops.filter(({ address }) => partOf(address) === part)) {
    await walk.open(stop.address);
    await stop.prepare?.(page);
    // Dialogs are parts of the program that come when they are needed.
    if (opensDialog(stop.address))
      await page
        .getByRole('dialog')
        .first()
        .waitFor()
        .catch(() => faults.push(`${stop.address}: no dialog`));
    await look(page, stop, () => walk.settle());
    // What was opened or typed by hand would be asked about.
    if (stop.prepare !== undefined) walk = await startWalk(page, panel.url);
  }
  await context.close();
  return faults;
}
const describeTexts = (address: string, texts: readonly ShownText[]): string[] =>
  texts.map(({ text, where }) => `${address}: "${text}" in ${where}`);
/** Names and ports that people gave to what a panel holds, the longest first. */
async function namesIn({ api }: PanelProcess): Promise<string[]> {
  const found = new Set<string>();
  for (const list of ['inbounds', 'clients', 'hosts', 'nodes'])
    for (const one of await api.get<Record<string, unknown>[]>(`/panel/api/${list}/list`))
      for (const part of ['remark', 'email', 'name', 'group', 'port']) {
        const text = one[part];
        if (typeof text === 'string' || typeof text === 'number') found.add(String(text));
      }
  return [...found].filter((name) => name !== '').toSorted((a, b) => b.length - a.length);
}
/** Words of the people whose panel this is, wherever they stand: that they are text is proved by the first journey. */
const isTheirs = ({ text }: ShownText): boolean =>
  /onerror=|<scr|wwww|eeee/.test(text) ||
  !/\p{L}|\d/u.test(names.reduce((rest, name) => rest.replaceAll(name, ''), text));

describe('the list of screens', () => {
  it('leaves out no route', () => {
    const source = readFileSync(join(RENDERER, 'app/routes.tsx'), 'utf8');
    const routes = [...source.matchAll(/path: '([^']+)'/g)].map(([, path]) => path!);
    const shown = new Set(SCREENS.map(({ route }) => route));
    expect(routes.length).toBeGreaterThan(10);
    expect(routes.filter((route) => !shown.has(route) && !isElsewhere(route))).toEqual([]);
  });

  it('leaves out no dialog that has an address', () => {
    const sources = readdirSync(join(RENDERER, 'pages'), { recursive: true, encoding: 'utf8' })
      // Pages of all panels are those of the desktop window; their journeys are there.
      .filter((path) => path.endsWith('.tsx') && !path.startsWith('home'))
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
    const { page, panel } = journey;
    await page.goto(`${panel.url}panel/${part}`);
    const links = page.locator(`a[href*="/panel/${part}/"]`);
    await links.first().waitFor();
    const sections = await links.evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href)));
    const shown = new Set(SCREENS.map(({ address }) => address));
    expect(sections.map(({ pathname }) => pathname.split('/panel/')[1]!).filter((path) => !shown.has(path))).toEqual(
      [],
    );
  });
});

describe('every page of a panel full of hostile words', () => {
  const WIDTHS = { wide: { width: 1280, height: 820 }, phone: { width: 360, height: 740 } };
  /** Numbers with units, times and dates as the format module writes them, names of the wire, abbreviations. */
  const WITHOUT_WORDS = [
    /^[\d.,−:/ -]*( ?(B|KiB|MiB|GiB|TiB|ms|px)(\/s)?)?$/,
    /^\d+[dhm]( \d+[hm])?$/,
    /^[A-Z][a-z]{2} \d{1,2}, \d{4}/,
    /^[A-Z][a-z]+day, [A-Z][a-z]+ \d{1,2}, \d{4}$/,
    /^(in )?\d+ (minute|hour|day)s?( ago)?$|^(this minute|tomorrow|yesterday)$/,
    /^[a-z\d][\w.+:/{}-]*$/,
    /^[A-Z\d][A-Z\d ./-]*$/,
    /^[A-Z][a-z]+ \d{4}$/,
    /^TypeScript$/,
    // The name of a link, and what the system said of a connection.
    /^vless · /,
    /: connect E[A-Z]+ /,
    // Values of the core, offered as the ones that count when a field is left empty.
    /^(AsIs|UseIP)$/,
  ];

  it.each(PARTS)(
    '%s: shows them as text, has no word outside the texts, cuts none off, fits, and axe finds no fault',
    async (part) => {
      const wrong: string[] = [];
      const bare: string[] = [];
      const inaccessible: Record<string, unknown> = {};
      const widths: (keyof typeof WIDTHS)[] = ['wide', 'phone'];
      let scheme: Scheme = 'light';
      const faults = await visitAs(
        part,
        'en',
        // Longer, bracketed words stand for those of every language.
        { 'panel.pseudoWords': 'on' },
        async (page, { address, prepare, isRepeated }, settle) => {
          if (await page.evaluate(() => document.querySelector('img[src="x"], script:not([src])') !== null))
            wrong.push(`${address}: markup`);
          if (SHOWS_HOSTILE.includes(address))
            await page
              .getByText(HOSTILE_EMAIL)
              .or(page.getByText('<img src=x'))
              .first()
              .waitFor()
              .catch(() => wrong.push(`${address}: none of the hostile words`));
          // The page opened with the width and the theme at which the one before it was left: drawing it anew is most of the work.
          for (const width of widths) {
            if (page.viewportSize()?.width !== WIDTHS[width].width) {
              await page.setViewportSize(WIDTHS[width]);
              await settle();
            }
            // Dialogs and drawers are the same parts at either width; it is the pages that are laid out anew, in the same colours.
            const isPage = prepare === undefined && !address.includes('?');
            if (!isRepeated && (isPage || width === 'wide')) {
              const isCovered = (await page.locator(DIALOG).count()) > 0;
              const look =
                width === 'phone'
                  ? expectAccessible(page, 'layout')
                  : expectAccessibleInBothThemes(page, scheme, isCovered ? DIALOG : undefined);
              if (width === 'wide') scheme = otherScheme(scheme);
              await look.catch((fault: unknown) => {
                inaccessible[`${address}, ${width}`] = (fault as { actual?: unknown }).actual ?? String(fault);
              });
            }
            const outside = (await shownTexts(page)).filter(
              (one) =>
                !/[⟦⟧]/.test(one.text) &&
                /\p{L}/u.test(one.text) &&
                !isTheirs(one) &&
                !WITHOUT_WORDS.some((form) => form.test(one.text)),
            );
            bare.push(...describeTexts(`${address}, ${width}`, outside));
            wrong.push(...(await clippedTexts(page)).map((fault) => `${address}, ${width}: ${fault}`));
            wrong.push(...(await tooWide(page)).map((fault) => `${address}, ${width}: ${fault}`));
          }
          widths.reverse();
        },
        { viewport: WIDTHS.wide },
      );
      expect(wrong).toEqual([]);
      expect(bare).toEqual([]);
      expect(inaccessible).toEqual({});
      expect(faults).toEqual([]);
    },
  );

  it('is served with a policy that lets no inline script and no other origin in', async () => {
    const answer = await fetch(`${journey.panel.url}panel/clients`);
    const policy = new Map(
      (answer.headers.get('content-security-policy') ?? '').split(';').map((part) => {
        const [name = '', ...sources] = part.trim().split(' ');
        return [name, sources.join(' ')] as const;
      }),
    );
    expect(policy.get('script-src')).toBe(`'self'`);
    expect(policy.get('default-src')).toBe(`'none'`);
    expect(policy.get('connect-src')).toBe(`'self'`);
    expect(policy.get('frame-ancestors')).toBe(`'none'`);
    expect(policy.get('base-uri')).toBe(`'none'`);
    const blocked = await journey.page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), {
            once: true,
          });
          const script = document.createElement('script');
          script.textContent = 'globalThis.ran = true';
          document.body.append(script);
        }),
    );
    expect(blocked).toBe('script-src-elem');
  });
});

describe('every page in Persian', () => {
  const FOLDER = join(RENDERER, 'i18n');
  const flatten = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(flatten);
  const textsOf = (language: string): string[] =>
    readdirSync(join(FOLDER, language), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => flatten(JSON.parse(readFileSync(join(FOLDER, language, name), 'utf8'))));
  const persian = new Set(textsOf('fa'));
  /** English texts that Persian writes otherwise. `none` is a value of the core, too, offered where a field is left empty. */
  const english = new Set(
    textsOf('en').filter((text) => /[a-z]{3}/.test(text) && text !== 'none' && !persian.has(text)),
  );

  const isForeign = (text: string): boolean =>
    english.has(text) ||
    // Two Latin words in a row and none of ours: a sentence that was never translated.
    (/[A-Za-z]{2,} [a-z]{2,}/.test(text) && !/\p{Script=Arabic}/u.test(text)) ||
    // The number of a process is typed into other programs as it stands; a protocol has one in its name.
    /(^|[\s(،])\d+([\s)،%]|$)/.test(text.replace(/فرایند \d+|Shadowsocks 2022/, ''));

  it.each(PARTS)(
    '%s: runs from right to left, has no English word and no Latin number, dates of its calendar, e-mails apart',
    async (part) => {
      const wrong: string[] = [];
      const day = new Intl.DateTimeFormat('fa-IR-u-ca-persian', { dateStyle: 'medium' });
      const today = day.format(Date.now());
      const dated: string[] = [];
      const faults = await visitAs(part, 'fa', {}, async (page, { address }) => {
        const texts = await shownTexts(page);
        wrong.push(
          ...describeTexts(
            address,
            texts.filter((one) => !isTheirs(one) && isForeign(one.text)),
          ),
        );
        if (texts.some(({ text }) => text.includes(today))) dated.push(address);
        expect(await page.evaluate(() => [document.documentElement.dir, document.documentElement.lang])).toEqual([
          'rtl',
          'fa',
        ]);
        const bare = await page.evaluate((email) => {
          const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          let count = 0;
          while (words.nextNode() !== null) {
            const { textContent, parentElement } = words.currentNode;
            const place =
              parentElement?.closest('bdi, title, code, pre, [dir]:not(html), .cm-editor, textarea') ?? null;
            // Alone in its element it has nothing to disturb, and between marks of direction neither.
            const isApart = textContent?.trim() === email || textContent?.includes(`\u2068${email}\u2069`) === true;
            if (textContent?.includes(email) === true && !isApart && place === null) count += 1;
          }
          return count;
        }, HOSTILE_EMAIL);
        if (bare > 0) wrong.push(`${address}: an e-mail among other words`);
        wrong.push(...(await tooWide(page)).map((text) => `${address}: ${text}`));
      });
      expect(wrong).toEqual([]);
      expect(faults).toEqual([]);
      if (part === 'settings') expect(dated).toContain('settings/security');
    },
  );

  it('mirrors the shell', async () => {
    const { browser, panel, context } = journey;
    const other = await browser.newContext({
      storageState: await context.storageState(),
      viewport: { width: 1280, height: 800 },
    });
    await other.addInitScript(() => localStorage.setItem('panel.language', 'fa'));
    const page = await other.newPage();
    await (await startWalk(page, panel.url)).open('clients');
    const left = async (selector: string): Promise<number> => (await page.locator(selector).first().boundingBox())!.x;
    expect(await left('nav')).toBeGreaterThan(await left('main h1'));
    // The check boxes stand at the beginning of the rows: on the right.
    expect(await left('tbody td[data-cell="select"]')).toBeGreaterThan(await left('tbody th'));
    const { length } = await panel.api.get<object[]>('/panel/api/clients/list');
    await page.getByText(`${new Intl.NumberFormat('fa-IR').format(length)} کاربر`, { exact: true }).waitFor();
    await other.close();
  });
});
