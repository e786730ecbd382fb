import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it } from 'vitest';

const HERE = import.meta.dirname;
const SOURCES = join(HERE, '..');
const OTHERS = ['fa', 'ru', 'zh'];

function flatten(value: unknown, prefix = ''): [string, string][] {
  if (typeof value === 'string') return [[prefix, value]];
  return Object.entries(value as object).flatMap(([key, inner]) =>
    flatten(inner, prefix === '' ? key : `${prefix}.${key}`),
  );
}

function texts(language: string): Map<string, string> {
  return new Map(
    readdirSync(join(HERE, language), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) =>
        flatten(JSON.parse(readFileSync(join(HERE, language, name), 'utf8'))).map(([key, text]): [string, string] => [
          `${basename(name, '.json')}:${key}`,
          text,
        ]),
      ),
  );
}

/** Names that a text fills in: `{name}`, `{count, plural, …}`. */
function placeholders(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)(?:\}|, (?:plural|select))/g)].map((match) => match[1] ?? ''))].sort();
}

const english = texts('en');

/** Keys without those that the server's English stands in for; `texts.test.ts` of the server holds them to its codes. */
const own = (all: Map<string, string>): string[] =>
  [...all.keys()].filter((key) => !/^refusals:(?:code|leftOutKind)\./.test(key)).sort();

describe.each(OTHERS)('texts in %s', (language) => {
  const theirs = texts(language);
  it('has exactly the English keys', () => expect(own(theirs)).toEqual(own(english)));
  it('fills in the same names', () => {
    for (const [key, text] of english)
      expect([key, placeholders(theirs.get(key) ?? '')]).toEqual([key, placeholders(text)]);
  });
  it('is translated', () => {
    const same = [...english].filter(
      ([key, text]) => theirs.get(key) === text && /\p{L}{13}/u.test(text.replaceAll(/\{\w+\}|[^\p{L}]/gu, '')),
    );
    expect(same.map(([key]) => key)).toEqual([]);
  });
});

/** Names of buttons in a row, and the words seen on them. Voice control goes by the words seen. */
const NAMED: readonly [name: string, seen: string][] = [
  ['overview:attention.openOf', 'overview:attention.open'],
  ['checklist:openOf', 'words:open'],
  ['home:openOf', 'words:open'],
  ['journal:bin.restoreNamed', 'journal:bin.restore'],
  ['journal:bin.eraseNamed', 'journal:bin.erase'],
  ['inboundEditor:scan.useNamed', 'inboundEditor:scan.use'],
  ['certificates:cancelNamed', 'shell:cancel'],
  ['notifications:failed.retryNamed', 'notifications:failed.retry'],
  ['notifications:hooks.resendNamed', 'notifications:hooks.resend'],
  ['settings:backup.restoreNamed', 'settings:backup.restore'],
  ['settings:sessions.endNamed', 'settings:sessions.end'],
  ['works:verbs.retry', 'works:unfinished.again'],
  ['vantage:tryOf', 'vantage:try'],
  ['vantage:historyOf', 'words:history'],
  ['core:test.named', 'core:test.one'],
];

it.each(['en', ...OTHERS])('names of buttons hold what is seen on them (%s)', (language) => {
  const all = texts(language);
  const lower = (key: string): string => all.get(key)?.toLocaleLowerCase(language) ?? `no ${key}`;
  expect(NAMED.filter(([name, seen]) => !lower(name).includes(lower(seen)))).toEqual([]);
});

/** In Russian the words for one are those for 21 and 31, too. */
it('Russian texts that tell how many there are tell it of 21 as well', () => {
  const silent = [...texts('ru')].filter(([, text]) => {
    const counts = [...text.matchAll(/\{(\w+), plural/g)].map(([, name]) => name ?? '');
    if (counts.length === 0) return false;
    const told = (count: number): string => {
      const values = Object.fromEntries(placeholders(text).map((name): [string, string | number] => [name, '']));
      for (const name of counts) values[name] = count;
      return String(new IntlMessageFormat(text, 'ru').format(values));
    };
    return told(5).includes('5') && !told(21).includes('21');
  });
  expect(silent.map(([key]) => key)).toEqual([]);
});

describe('English texts', () => {
  const source = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .map((name) => readFileSync(join(SOURCES, name), 'utf8'))
    .join('\n');
  /** `t(`theme.${scheme}`)` uses every key of `theme`, and so does `wordsAt('shell', `theme.${scheme}`)`. */
  const computed = [...source.matchAll(/\b(?:t|wordsAt)\(\s*(?:'\w+', )?`([\w.:]+\.)\$\{/g)].map(
    ([, prefix]) => (prefix ?? '').split(':').at(-1) ?? '',
  );

  it('are all used', () => {
    const unused = [...english.keys()].filter((full) => {
      const key = full.slice(full.indexOf(':') + 1);
      if (computed.some((prefix) => key.startsWith(prefix))) return false;
      return !source.includes(`'${key}'`) && !source.includes(`:${key}'`);
    });
    expect(unused).toEqual([]);
  });
});
