import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';
import { beginWork, exchangeFiles, newFile, recover } from './exchange.ts';

let folder = '';
beforeEach(async () => {
  folder = await testFolder();
  writeFileSync(join(folder, 'a'), 'old a');
  writeFileSync(join(folder, 'other'), 'untouched');
  await prepare();
});

async function prepare(): Promise<void> {
  await beginWork(folder);
  writeFileSync(newFile(folder, 'a'), 'new a', { mode: 0o755 });
  writeFileSync(newFile(folder, 'b'), 'new b');
}
const files = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
const OLD = { a: 'old a', other: 'untouched' };
const NEW = { a: 'new a', b: 'new b', other: 'untouched' };

test('new files stay after a commit, old ones return after a revert, nothing else is left', async () => {
  await (await exchangeFiles(folder, ['a', 'b'])).commit();
  expect(files()).toEqual(NEW);
  rmSync(join(folder, 'b'));
  writeFileSync(join(folder, 'a'), 'old a');
  await prepare();
  const second = await exchangeFiles(folder, ['a', 'b']);
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('new a');
  await second.revert();
  expect(files()).toEqual(OLD);
});

test('old files return when the program ended before the commit', async () => {
  await exchangeFiles(folder, ['a', 'b']);
  expect(readFileSync(join(folder, 'b'), 'utf8')).toBe('new b');
  await recover(folder);
  await recover(folder);
  expect(files()).toEqual(OLD);
});

test('a program that ends while preparing leaves nothing', async () => {
  await recover(folder);
  expect(files()).toEqual(OLD);
});

test('an interrupted recovery can be repeated at every point', async () => {
  const work = join(folder, '.exchange');
  await exchangeFiles(folder, ['a', 'b']);
  // The old file is back, the journal still there.
  writeFileSync(join(folder, 'a'), 'old a');
  rmSync(join(work, 'old', 'a'));
  await recover(folder);
  expect(files()).toEqual(OLD);
});

test('the whole exchange is refused when one new file is missing', async () => {
  await expect(exchangeFiles(folder, ['a', 'gone'])).rejects.toThrow(/ENOENT/);
  await recover(folder);
  expect(files()).toEqual(OLD);
  expect(existsSync(join(folder, '.exchange'))).toBe(false);
});
