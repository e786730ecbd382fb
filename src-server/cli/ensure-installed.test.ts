import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../testing/for-each-test.ts';
import { isInstalled } from './ensure-installed.mjs';

let root: string;
beforeEach(async () => {
  root = await testFolder();
  await mkdir(join(root, 'node_modules'));
});

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
  it('compares the installed packages with the lock file, leaving out optional packages of other systems', async () => {
    expect(await isUpToDate(null)).toBe(false);
    expect(await isUpToDate({ 'node_modules/a': { version: '1.0.0' } })).toBe(true);
    expect(await isUpToDate({ 'node_modules/a': { version: '0.9.0' } })).toBe(false);
    expect(await isUpToDate({})).toBe(false);
    expect(
      await isUpToDate({ 'node_modules/a': { version: '1.0.0' }, 'node_modules/other-system': { version: '1.0.0' } }),
    ).toBe(false);
  });
});

const run = promisify(execFile);
const MODULE = pathToFileURL(join(import.meta.dirname, 'ensure-installed.mjs')).href;
/** An installing command that notes when it begins and ends; one that began meanwhile would show in between. */
const COMMAND = `
  import { appendFileSync } from 'node:fs';
  import { setImmediate } from 'node:timers/promises';
  import { whileLocked } from ${JSON.stringify(MODULE)};
  const [lock, notes] = process.argv.slice(1);
  const work = async () => {
    appendFileSync(notes, 'begin ');
    for (let turn = 0; turn < 1000; turn += 1) await setImmediate();
    appendFileSync(notes, 'end ');
  };
  await whileLocked(lock, work, () => undefined);`;

describe('whileLocked', () => {
  it('lets one command install at a time, even after one died in the middle', async () => {
    const [lock, notes] = [join(root, '.installing'), join(root, 'notes')];
    const dead = run(process.execPath, ['-e', '']);
    await dead;
    await writeFile(lock, String(dead.child.pid));
    const command = () => run(process.execPath, ['--input-type=module', '-e', COMMAND, lock, notes]);
    await Promise.all([command(), command(), command()]);
    expect(await readFile(notes, 'utf8')).toBe('begin end '.repeat(3));
    expect((await readdir(root)).sort()).toEqual(['node_modules', 'notes']);
  });
});
