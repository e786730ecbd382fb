import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ENGLISH } from './texts.ts';

const FOLDER = new URL('.', import.meta.url);
/** The interface's words for what the server refuses: `code` → the same dotted keys, nested, as ICU messages. */
const WORDS = new URL('../src-renderer/i18n/en/refusals.json', FOLDER);

/** Keys that a success is told with; the interface has words of its own for those. */
async function successKeys(): Promise<Set<string>> {
  const names = await readdir(FOLDER, { recursive: true });
  const sources = await Promise.all(
    names
      .filter((name) => /contract\.ts$|routes\.ts$/.test(name))
      .map((name) => readFile(new URL(name.replaceAll('\\', '/'), FOLDER), 'utf8')),
  );
  return new Set(
    sources.flatMap((source) =>
      [...source.matchAll(/\b(?:message: |say\(\s*)'([a-z]\w*(?:\.\w+)+)'/gi)].map(([, key]) => key!),
    ),
  );
}

function flatten(words: object, prefix = ''): [string, string][] {
  return Object.entries(words).flatMap(([key, inner]: [string, string | object]): [string, string][] =>
    typeof inner === 'string' ? [[prefix + key, inner]] : flatten(inner, `${prefix}${key}.`),
  );
}

/** A brace that opens no parameter stands in quotes there. */
const unquoted = (words: string): string => words.replaceAll(/'([{}])'/g, '$1');

test('the interface has words for every code the server refuses with, in English the same', async () => {
  const { code } = JSON.parse(await readFile(WORDS, 'utf8')) as { code: object };
  const successes = await successKeys();
  const refusals = Object.entries(ENGLISH).filter(
    // An empty text is never shown.
    ([key, text]) => text !== '' && !successes.has(key) && !key.startsWith('coreSettings.saved.'),
  );
  expect(successes.size).toBeGreaterThan(30);
  expect(Object.fromEntries(flatten(code).map(([key, words]) => [key, unquoted(words)]))).toEqual(
    Object.fromEntries(refusals),
  );
});
