import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInstalled } from './ensure-installed.mjs';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  await mkdir(join(root, 'node_modules'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const WANTED = {
  '': { version: '0.1.0' },
  'node_modules/a': { version: '1.0.0' },
  'node_modules/other-system': { version: '2.0.0', optional: true },
};

async function isUpToDate(present: object | null) {
  await writeFile(join(root, 'package-lock.json'), JSON.stringify({ packages: WANTED }));
  const file = join(root, 'node_modules', '.package-lock.json');
  if (present !== null) await writeFile(file, JSON.stringify({ packages: present }));
  return isInstalled(root);
}

describe('isInstalled', () => {
  it('compares what is there with the lock file, leaving out optional packages of other systems', async () => {
    expect(await isUpToDate(null)).toBe(false);
    expect(await isUpToDate({ 'node_modules/a': { version: '1.0.0' } })).toBe(true);
    expect(await isUpToDate({ 'node_modules/a': { version: '0.9.0' } })).toBe(false);
    expect(await isUpToDate({})).toBe(false);
    expect(
      await isUpToDate({ 'node_modules/a': { version: '1.0.0' }, 'node_modules/other-system': { version: '1.0.0' } }),
    ).toBe(false);
  });
});
