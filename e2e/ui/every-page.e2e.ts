import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyPage, opensDialog, startWalk } from './every-page.ts';
import { fillHostile, HOSTILE, HOSTILE_EMAIL, refusedSignIn } from './hostile-panel.ts';
import { faultsOf, startJourney, type Journey } from './journey.ts';
import { clippedTexts, shownTexts, tooWide, type ShownText } from './shown-texts.ts';

/** What the panel shows of these, and where: the journey would prove nothing with pages that show none. */
const SHOWS_HOSTILE = [
  'inbounds',
  'clients',
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
let addresses: readonly string[];
beforeAll(async () => {
  // The name of the browser stands in the list of signed-in browsers.
  journey = await startJourney({ userAgent: `Mozilla/5.0 <img src=x onerror=alert(1)>` });
  const { inboundId } = await fillHostile(journey.panel);
  await refusedSignIn(journey.panel.url, HOSTILE);
  addresses = everyPage(inboundId);
});
afterAll(() => journey?.close());

/** The pages as another browser shows them that the same person is signed in with. */
async function visitAs(
  language: string,
  stored: Record<string, string>,
  look: (page: Page, address: string, settle: () => Promise<void>) => Promise<void>,
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
  const walk = await startWalk(page, panel.url);
  for (const address of addresses) {
    await walk.open(address);
    await look(page, address, () => walk.settle());
  }
  await context.close();
  return faults;
}
const tell = (address: string, texts: readonly ShownText[]): string[] =>
  texts.map(({ text, where }) => `${address}: "${text}" in ${where}`);
/** Words of the people whose panel this is, wherever they stand: that they are text is proved by the first journey. */
const isTheirs = ({ text }: ShownText): boolean => /onerror=|<scr|wwww|eeee/.test(text);

describe('every page of a panel full of hostile words', () => {
  const WIDTHS = { wide: { width: 1280, height: 820 }, phone: { width: 360, height: 780 } };
  /** Numbers with units, times and dates as the format module writes them, names of the wire, abbreviations. */
  const WITHOUT_WORDS = [
    /^[\d.,−:/ -]*( ?(B|KiB|MiB|GiB|TiB|ms|px)(\/s)?)?$/,
    /^\d+[dhm]( \d+[hm])?$/,
    /^[A-Z][a-z]{2} \d{1,2}, \d{4}/,
    /^[A-Z][a-z]+day, [A-Z][a-z]+ \d{1,2}, \d{4}$/,
    /^(in )?\d+ (minute|hour|day)s?( ago)?$|^(this minute|tomorrow|yesterday)$/,
    /^[a-z\d][\w.+:/{}-]*$/,
    /^[A-Z\d][A-Z\d ./-]*$/,
    /^TypeScript$/,
    // Values of the core, offered as the ones that count when a field is left empty.
    /^(AsIs|UseIP)$/,
  ];

  it('shows them as text, has no word outside the texts, cuts none off and fits, wide and on a phone', async () => {
    const wrong: string[] = [];
    const bare: string[] = [];
    const widths: (keyof typeof WIDTHS)[] = ['wide', 'phone'];
    const faults = await visitAs(
      'en',
      // Longer, bracketed words stand for those of every language.
      { 'panel.pseudoWords': 'on' },
      async (page, address, settle) => {
        if (await page.evaluate(() => document.querySelector('img[src="x"], script:not([src])') !== null))
          wrong.push(`${address}: markup`);
        // Dialogs are parts of the program that come when they are needed.
        if (opensDialog(address))
          await page
            .getByRole('dialog')
            .first()
            .waitFor()
            .catch(() => wrong.push(`${address}: no dialog`));
        if (SHOWS_HOSTILE.includes(address))
          await page
            .getByText(HOSTILE_EMAIL)
            .or(page.getByText('<img src=x'))
            .first()
            .waitFor()
            .catch(() => wrong.push(`${address}: none of the hostile words`));
        // The page opened with the width at which the one before it was left.
        for (const width of widths) {
          await page.setViewportSize(WIDTHS[width]);
          await settle();
          const outside = (await shownTexts(page)).filter(
            (one) =>
              !/[⟦⟧]/.test(one.text) &&
              /\p{L}/u.test(one.text) &&
              !isTheirs(one) &&
              !WITHOUT_WORDS.some((form) => form.test(one.text)),
          );
          bare.push(...tell(`${address}, ${width}`, outside));
          wrong.push(...(await clippedTexts(page)).map((fault) => `${address}, ${width}: ${fault}`));
          wrong.push(...(await tooWide(page)).map((fault) => `${address}, ${width}: ${fault}`));
        }
        widths.reverse();
      },
      { viewport: WIDTHS.wide },
    );
    expect(wrong).toEqual([]);
    expect(bare).toEqual([]);
    expect(faults).toEqual([]);
  }, 400_000);

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
  const FOLDER = join(import.meta.dirname, '../../src-renderer/i18n');
  const flatten = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(flatten);
  const textsOf = (language: string): string[] =>
    readdirSync(join(FOLDER, language), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => flatten(JSON.parse(readFileSync(join(FOLDER, language, name), 'utf8'))));
  const persian = new Set(textsOf('fa'));
  /** English texts that Persian writes otherwise. */
  const english = new Set(textsOf('en').filter((text) => /[a-z]{3}/.test(text) && !persian.has(text)));

  const isForeign = (text: string): boolean =>
    english.has(text) ||
    // Two Latin words in a row and none of ours: a sentence that was never translated.
    (/[A-Za-z]{2,} [a-z]{2,}/.test(text) && !/\p{Script=Arabic}/u.test(text)) ||
    // The number of a process is typed into other programs as it stands; a protocol has one in its name.
    /(^|[\s(،])\d+([\s)،%]|$)/.test(text.replace(/فرایند \d+|Shadowsocks 2022/, ''));

  it('runs from right to left, has no English word and no Latin number, dates of its calendar, e-mails apart', async () => {
    const wrong: string[] = [];
    const day = new Intl.DateTimeFormat('fa-IR-u-ca-persian', { dateStyle: 'medium' });
    const today = day.format(Date.now());
    const dated: string[] = [];
    const faults = await visitAs('fa', {}, async (page, address) => {
      const texts = await shownTexts(page);
      wrong.push(
        ...tell(
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
          const place = parentElement?.closest('bdi, title, code, pre, [dir]:not(html), .cm-editor, textarea') ?? null;
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
    expect(dated).toContain('settings/security');
  });

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
    await page.getByText('۳ کاربر', { exact: true }).waitFor();
    await other.close();
  });
});
