import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { afterTest, testFolder } from '../../testing/for-each-test.ts';
import { createDatabaseCopy } from './database-copy.ts';

/** The first bytes of a database whose schema has this version. */
function databaseOf(version: number): Buffer {
  const header = Buffer.alloc(100);
  header.write('SQLite format 3\0', 'latin1');
  header.writeUInt32BE(version, 60);
  return header;
}

// Packages are for Linux alone.
describe.skipIf(process.platform === 'win32')('the copy of the database before an update', () => {
  let folder: string;
  let copy: ReturnType<typeof createDatabaseCopy>;
  const live = () => join(folder, 'panel.db');
  const kept = () => join(folder, 'before-update', 'panel.db');

  beforeEach(async () => {
    folder = await testFolder();
    copy = createDatabaseCopy(folder, { uid: 1, gid: 1 });
    // Only root can be others: this one notes what it is to run, and runs it.
    const path = join(folder, 'path');
    await mkdir(path);
    await writeFile(
      join(path, 'setpriv'),
      `#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\necho "$@" >>'${folder}/calls'\nexec "$@"\n`,
    );
    await chmod(join(path, 'setpriv'), 0o755);
    vi.stubEnv('PATH', `${path}${delimiter}${process.env['PATH']!}`);
    afterTest(() => vi.unstubAllEnvs());
    await writeFile(live(), databaseOf(1));
  });

  test('is on the disk, and not only its folder, before anything is exchanged', async () => {
    await writeFile(`${live()}-wal`, 'log');
    expect(await copy.make()).toBe(true);
    const last = (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n').at(-1)!;
    expect(last.split(' ').sort()).toEqual(['sync', join(folder, 'before-update'), kept(), `${kept()}-wal`].sort());
  });

  test('goes back where the schema has changed', async () => {
    await copy.make();
    await writeFile(live(), databaseOf(2));
    await writeFile(`${live()}-wal`, 'of the newer version');
    await copy.putBack();
    expect(await readFile(live())).toEqual(databaseOf(1));
    expect(existsSync(`${live()}-wal`)).toBe(false);
  });

  test('is back after a second time, too', async () => {
    await writeFile(`${live()}-wal`, 'log');
    await copy.make();
    await writeFile(live(), databaseOf(2));
    await copy.putBack();
    await copy.putBack();
    expect(await readFile(live())).toEqual(databaseOf(1));
    expect(await readFile(`${live()}-wal`, 'utf8')).toBe('log');
  });

  test('leaves no moment without a database', async () => {
    await copy.make();
    await writeFile(live(), databaseOf(2));
    await copy.putBack();
    const calls = (await readFile(join(folder, 'calls'), 'utf8')).split('\n');
    expect(calls.filter((call) => call.startsWith('rm ') && call.split(' ').includes(live()))).toEqual([]);
  });

  test('that a power cut has emptied replaces nothing', async () => {
    await copy.make();
    await truncate(kept());
    await copy.putBack();
    expect(await readFile(live())).toEqual(databaseOf(1));
  });
});
