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

/** What a pattern finds in the sources of a folder; the first group that took part. */
async function found(folder: string, pattern: RegExp): Promise<string[]> {
  const base = new URL(folder, FOLDER);
  const names = (await readdir(base, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !/\.test\.|cases/.test(name),
  );
  const sources = await Promise.all(names.map((name) => readFile(new URL(name.replaceAll('\\', '/'), base), 'utf8')));
  return sources.flatMap((source) =>
    [...source.matchAll(pattern)].map((match) => match.slice(1).find((group) => group !== undefined)!),
  );
}

/** Complete sentences about a field, written behind its rule; those with a value in them are told by their rule. */
const RULED =
  /'(?:format|conflict|removed|unsupported|oneof|startswith)',\s*'([^']+ [^']+)'|\bpattern\('([^']+)'\)|refuse\(\s*(?:'\w+'|keyMember),\s*'([^']+ [^']+)'/g;
const KIND = /\bcannot\('([^']+)'/g;
const LEFT_OUT = /\bcannot\('[^']+', [^']*'([^']+ [^']+)'\)|return '([^']+ [^']+)';|reason: '([^']+ [^']+)'/g;

/** The same slug as in the interface. */
const slugOf = (sentence: string): string =>
  sentence
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');

/** Of the nodes' contract: they name their field themselves, and the interface says them behind its name. */
const NAMED = [
  'node name is required',
  'address is required',
  'node port must be 1-65535',
  'certificate pin is empty',
  'certificate pin must be a SHA-256 hash (base64 or hex)',
  'mtls requires the node scheme to be https',
];

test('the interface has words for every sentence about a field and about what an import leaves out', async () => {
  type Words = Record<'detail' | 'leftOut' | 'leftOutKind', Record<string, string>>;
  const words = JSON.parse(await readFile(WORDS, 'utf8')) as Words;
  const fields = await Promise.all(
    ['core/config/', 'domains/inbounds/', 'domains/hosts/'].map((folder) => found(folder, RULED)),
  );
  const said = {
    detail: fields.flat(),
    leftOut: await found('domains/import/', LEFT_OUT),
    leftOutKind: await found('domains/import/', KIND),
  };
  expect(Object.values(said).map(({ length }) => length > 10)).toEqual([true, true, true]);
  const nodes = await readFile(new URL('domains/nodes/contract.ts', FOLDER), 'utf8');
  const named = new Set(NAMED.map(slugOf));
  for (const sentence of NAMED) {
    expect(nodes).toContain(sentence);
    expect(words.detail).toHaveProperty([slugOf(sentence)]);
  }
  for (const [group, sentences] of Object.entries(said) as [keyof Words, string[]][]) {
    expect(sentences.filter((sentence) => words[group][slugOf(sentence)] === undefined)).toEqual([]);
    for (const [slug, text] of Object.entries(words[group]))
      if (!named.has(slug)) expect(slugOf(text.replace('{value}', ''))).toBe(slug);
  }
});

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
