import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { afterTest, testFolder } from '../../testing/for-each-test.ts';
import { createDatabaseCopy } from './database-copy.ts';

/** Writes a database whose schema has this version, as a killed panel leaves it: its last row is in the log alone. */
async function leaveDatabase(file: string, version: number, rows: readonly string[]): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) await rm(file + suffix, { force: true });
  const made = `${file}.made`;
  const db = new Database(made);
  db.pragma('journal_mode = WAL');
  db.pragma('wal_autocheckpoint = 0');
  db.exec('CREATE TABLE rows (name TEXT)');
  db.pragma(`user_version = ${version}`);
  const insert = db.prepare('INSERT INTO rows VALUES (?)');
  for (const row of rows.slice(0, -1)) insert.run(row);
  db.pragma('wal_checkpoint(TRUNCATE)');
  insert.run(rows.at(-1));
  for (const suffix of ['', '-wal']) await copyFile(made + suffix, file + suffix);
  db.close();
  await rm(made);
}

/** What a panel would find in a database; it is looked at in a copy. */
async function found(file: string): Promise<{ version: unknown; rows: unknown[]; check: unknown }> {
  const seen = `${file}.seen`;
  for (const suffix of ['', '-wal', '-shm']) {
    await rm(seen + suffix, { force: true });
    if (existsSync(file + suffix)) await copyFile(file + suffix, seen + suffix);
  }
  const db = new Database(seen);
  try {
    return {
      version: db.pragma('user_version', { simple: true }),
      rows: db.prepare('SELECT name FROM rows').pluck().all(),
      check: db.pragma('integrity_check', { simple: true }),
    };
  } finally {
    db.close();
  }
}

const OLDER = { version: 1, rows: ['first', 'acknowledged'], check: 'ok' };
/** Another number of pages, so that the log of the one does not fit the other. */
const NEWER_ROWS = [...Array.from({ length: 50 }, (_, at) => `${at}`.repeat(200)), 'of the newer version'];

// Packages are for Linux alone.
describe.skipIf(process.platform === 'win32')('the copy of the database before an update', () => {
  let folder: string;
  let copy: ReturnType<typeof createDatabaseCopy>;
  const live = () => join(folder, 'panel.db');
  const kept = () => join(folder, 'before-update', 'panel.db');
  const calls = async () => (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');
  /** The machine goes down after so many steps; a program that takes several files does one step for each. */
  const stopAfter = (steps: number) => writeFile(join(folder, 'left'), `${steps}\n`);

  beforeEach(async () => {
    folder = await testFolder();
    copy = createDatabaseCopy(folder, { uid: 1, gid: 1 });
    // Only root can be others: this one notes what it is to run, and runs it.
    const path = join(folder, 'path');
    await mkdir(path);
    const step = `left=$(cat '${folder}/left'); [ "$left" -gt 0 ] || exit 9; echo $((left - 1)) >'${folder}/left'`;
    const scripts = {
      setpriv: `while [ "$1" != -- ]; do shift; done; shift; echo "$@" >>'${folder}/calls'
        case $1 in rm | mv) ;; *) ${step} ;; esac; exec "$@"`,
      rm: `for file; do case $file in -*) ;; *) ${step}; /bin/rm -rf "$file" || exit ;; esac; done`,
      mv: `for to; do :; done; for file; do case $file in -* | "$to") ;; *) ${step}; /bin/mv -f "$file" "$to" || exit ;; esac; done`,
    };
    for (const [name, script] of Object.entries(scripts)) {
      await writeFile(join(path, name), `#!/bin/sh\n${script}\n`);
      await chmod(join(path, name), 0o755);
    }
    await stopAfter(1_000);
    vi.stubEnv('PATH', `${path}${delimiter}${process.env['PATH']!}`);
    afterTest(() => vi.unstubAllEnvs());
    await leaveDatabase(live(), 1, OLDER.rows);
  });

  test('is on the disk, and not only its folder, before anything is exchanged', async () => {
    expect(await copy.make()).toBe(true);
    const last = (await calls()).at(-1)!;
    expect(last.split(' ').sort()).toEqual(['sync', join(folder, 'before-update'), kept(), `${kept()}-wal`].sort());
  });

  test('goes back where the schema has changed, with what its log holds', async () => {
    await copy.make();
    await leaveDatabase(live(), 2, NEWER_ROWS);
    await copy.putBack();
    expect(await found(live())).toEqual(OLDER);
    // What removes the copy then must not be on the disk before it is.
    expect((await calls()).at(-1)).toBe(`sync ${folder}`);
  });

  test('is back after a second time, too', async () => {
    await copy.make();
    await leaveDatabase(live(), 2, NEWER_ROWS);
    await copy.putBack();
    await copy.putBack();
    expect(await found(live())).toEqual(OLDER);
  });

  test('leaves no moment without a database, or with one that lacks its log', async () => {
    let steps = 0;
    for (let isBack = false; !isBack; steps++) {
      await stopAfter(1_000);
      await leaveDatabase(live(), 1, OLDER.rows);
      await copy.make();
      await leaveDatabase(live(), 2, NEWER_ROWS);
      await stopAfter(steps);
      isBack = await copy.putBack().then(
        () => true,
        () => false,
      );
      // An older panel refuses the newer database, and changes nothing in it.
      const state = await found(live());
      if (state.version !== 2) expect([steps, state]).toEqual([steps, OLDER]);
      await stopAfter(1_000);
      await copy.putBack();
      expect([steps, await found(live())]).toEqual([steps, OLDER]);
    }
    expect(steps).toBeGreaterThan(4);
  });

  test('that a power cut has emptied replaces nothing', async () => {
    await copy.make();
    await truncate(kept());
    await copy.putBack();
    expect(await found(live())).toEqual(OLDER);
  });
});
