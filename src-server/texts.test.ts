import { readFile, readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { FIELD_TEXTS } from './contract/fields/field-texts.ts';
import { CONFIG_TEXTS } from './core/config/rules/finding.ts';
import { LEFT_OUT_KINDS, LEFT_OUT_TEXTS } from './domains/import/left-out.ts';
import { INBOUND_FIELD_TEXTS } from './domains/inbounds/field-texts.ts';
import { ENGLISH } from './texts.ts';

const FOLDER = new URL('.', import.meta.url);

/** Keys of success messages; the interface has its own words for those. */
async function successes(): Promise<Set<string>> {
  const contracts = (await readdir(FOLDER, { recursive: true })).filter((name) => /[\\/]contract\.ts$/.test(name));
  const exported = await Promise.all(
    contracts.map(async (name) =>
      Object.values((await import(/* @vite-ignore */ `./${name.replaceAll('\\', '/')}`)) as Record<string, unknown>),
    ),
  );
  const messages = exported.flat().map((one) => (one as { message?: string } | undefined)?.message ?? '');
  return new Set(['outboundSub.restarted', ...messages]);
}

/** Every code that the server refuses with, and its English. */
async function refusals(): Promise<Record<string, string>> {
  const done = await successes();
  const own = Object.entries(ENGLISH).filter(
    // An empty text is never shown.
    ([key, text]) => text !== '' && !done.has(key) && !key.startsWith('coreSettings.saved.'),
  );
  const ofFields = Object.entries({ ...FIELD_TEXTS, ...CONFIG_TEXTS, ...INBOUND_FIELD_TEXTS });
  return {
    ...Object.fromEntries(own),
    ...LEFT_OUT_TEXTS,
    ...Object.fromEntries(ofFields.map(([code, [, english, bound = '']]) => [code, english || bound])),
  };
}

type Nested = { [key: string]: string | Nested };

function flatten(words: Nested, prefix = ''): [string, string][] {
  return Object.entries(words).flatMap(([key, inner]): [string, string][] =>
    typeof inner === 'string' ? [[prefix + key, inner]] : flatten(inner, `${prefix}${key}.`),
  );
}

const namesIn = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)(?:\}|, (?:plural|select))/g)].map(([, name]) => name!))].sort();

describe.each(['fa', 'ru', 'zh'])('words in %s', async (language) => {
  const file = new URL(`../src-renderer/i18n/${language}/later/shared/refusals.json`, FOLDER);
  const { code, leftOutKind } = JSON.parse(await readFile(file, 'utf8')) as Record<'code' | 'leftOutKind', Nested>;

  test('exist for every code the server refuses with, with the names that it fills in', async () => {
    const texts = await refusals();
    const words = new Map(flatten(code));
    expect([...words.keys()].sort()).toEqual(Object.keys(texts).sort());
    expect([...words].map(([key, text]) => [key, namesIn(text)])).toEqual(
      [...words.keys()].map((key) => [key, namesIn(texts[key]!)]),
    );
  });

  test('exist for every kind that an import leaves out', () =>
    expect(Object.keys(leftOutKind)).toEqual(Object.keys(LEFT_OUT_KINDS)));
});
