import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { testFolder } from '../testing/for-each-test.ts';

const MODULE = join(import.meta.dirname, 'failpoint.ts');
let folder: string;
beforeEach(async () => {
  folder = await testFolder();
  await writeFile(join(folder, 'tick.read'), '');
});

/** Runs a program that passes this point. */
function comeBy(point: string, env: Record<string, string>) {
  const program = `const { failpoint } = await import(${JSON.stringify(MODULE)}); failpoint(${JSON.stringify(point)})`;
  const { PANEL_FAILPOINTS: _, ...others } = process.env;
  return spawnSync(process.execPath, ['--input-type=module', '-e', program], { env: { ...others, ...env } });
}

test('an armed point kills once; others do nothing, nor does any point of a panel without the folder', () => {
  expect(comeBy('tick.read', {})).toMatchObject({ status: 0, signal: null });
  expect(comeBy('tick.committed', { PANEL_FAILPOINTS: folder })).toMatchObject({ status: 0, signal: null });
  expect(comeBy('tick.read', { PANEL_FAILPOINTS: folder })).toMatchObject({ status: null, signal: 'SIGKILL' });
  expect(existsSync(join(folder, 'tick.read'))).toBe(false);
  expect(comeBy('tick.read', { PANEL_FAILPOINTS: folder })).toMatchObject({ status: 0, signal: null });
});
