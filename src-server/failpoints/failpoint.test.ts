import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const MODULE = join(import.meta.dirname, 'failpoint.ts');
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  await writeFile(join(folder, 'tick.read'), '');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a program that comes by this point. */
function comeBy(point: string, env: Record<string, string>) {
  const program = `const { failpoint } = await import(${JSON.stringify(MODULE)}); failpoint(${JSON.stringify(point)})`;
  const { PANEL_FAILPOINTS: _, ...others } = process.env;
  return spawnSync(process.execPath, ['--input-type=module', '-e', program], { env: { ...others, ...env } });
}

test('an armed point kills once; others, and all of a panel without the folder, do nothing', () => {
  expect(comeBy('tick.read', {})).toMatchObject({ status: 0, signal: null });
  expect(comeBy('tick.committed', { PANEL_FAILPOINTS: folder })).toMatchObject({ status: 0, signal: null });
  expect(comeBy('tick.read', { PANEL_FAILPOINTS: folder })).toMatchObject({ status: null, signal: 'SIGKILL' });
  expect(existsSync(join(folder, 'tick.read'))).toBe(false);
  expect(comeBy('tick.read', { PANEL_FAILPOINTS: folder })).toMatchObject({ status: 0, signal: null });
});
