import { copyFile, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { databaseOf, inFiles, isInFiles } from '../testing/postgres/databases.ts';
import { addOne, openTestStore, recordingLogger } from '../testing/test-store.ts';
import { BACKUPS_KEPT, listBackups, takeBackup } from './backups.ts';
import { runBatch } from './batch.ts';
import { lockDataFolder } from './data-lock.ts';
import { migrate } from './migrate.ts';
import { DATABASE_NAME, openStore, type Store } from './open-store.ts';
import { openSqlite } from './sqlite/sqlite-connection.ts';
import { sqliteDialect } from './sqlite/sqlite-dialect.ts';
import { StoreError } from './sqlite/sqlite-thread.ts';

type TestStore = Awaited<ReturnType<typeof openTestStore>>;
let opened: TestStore | undefined;
const openedAgain: Store[] = [];
afterEach(async () => {
  for (const store of openedAgain.splice(0)) await store.close();
  await opened?.dispose();
  opened = undefined;
});

const setSetting = (store: Store, key: string, value: string): Promise<void> =>
  store.write(async (trx) => {
    await trx.insertInto('settings').values({ key, value }).execute();
  });
const settingOf = async (store: Store, key: string): Promise<string | undefined> =>
  (await store.reader.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst())?.value;

/** Closes the store but leaves its folder, for tests that look at the file or open it again. */
async function reopen(test: TestStore): Promise<Store> {
  const database = databaseOf(test.dataDir);
  const store = await openStore({
    dataDir: test.dataDir,
    clock: Date.now,
    log: recordingLogger(),
    ...(database !== undefined && { database }),
  });
  openedAgain.push(store);
  return store;
}

describe('transactions', () => {
  test('a write that throws leaves nothing and frees its turn', async () => {
    opened = await openTestStore();
    const { store } = opened;
    await expect(
      store.write(async (trx) => {
        await trx.insertInto('settings').values({ key: 'half', value: '1' }).execute();
        throw new Error('refused half-way');
      }),
    ).rejects.toThrow('refused half-way');
    await setSetting(store, 'whole', '2');
    expect(await settingOf(store, 'half')).toBeUndefined();
    expect(await settingOf(store, 'whole')).toBe('2');
  });

  test('parallel read-modify-writes run one after another', async () => {
    opened = await openTestStore();
    const { store } = opened;
    await setSetting(store, 'n', '0');
    await Promise.all(Array.from({ length: 50 }, () => addOne(store, 'n')));
    expect(await settingOf(store, 'n')).toBe('50');
  });

  test('a constraint error carries its code', async () => {
    opened = await openTestStore();
    await setSetting(opened.store, 'k', '1');
    const failure = await setSetting(opened.store, 'k', '2').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreError);
    expect((failure as StoreError).code).toBe(isInFiles() ? 'SQLITE_CONSTRAINT_PRIMARYKEY' : '23505');
  });

  test('a batch runs its statement once per row, constants repeated', async () => {
    opened = await openTestStore();
    const { store } = opened;
    const changed = await store.write((trx) =>
      runBatch(trx, sql`INSERT INTO settings (key, value) VALUES (${''}, ${''})`, [['a', 'b', 'c'], ['same']], 3),
    );
    expect(changed).toBe(3);
    const rows = await store.reader.selectFrom('settings').selectAll().orderBy('key').execute();
    expect(rows).toEqual(['a', 'b', 'c'].map((key) => ({ key, value: 'same' })));
    await expect(
      store.write((trx) => runBatch(trx, sql`DELETE FROM settings WHERE key = ${''}`, [['a'], ['b']], 1)),
    ).rejects.toThrow('2 columns for 1 parameters');
  });

  test('a batch of updates gives each row its own value and counts the rows that exist', async () => {
    opened = await openTestStore();
    const { store } = opened;
    await store.write(async (trx) => {
      for (const key of ['a', 'b', 'c']) await trx.insertInto('settings').values({ key, value: 'old' }).execute();
    });
    const update = sql`UPDATE settings SET value = ${''} WHERE key = ${''}`;
    const given = [
      ['1', '2', '3'],
      ['a', 'missing', 'c'],
    ];
    expect(await store.write((trx) => runBatch(trx, update, given, 3))).toBe(2);
    const values = () => store.reader.selectFrom('settings').selectAll().orderBy('key').execute();
    expect(await values()).toEqual([
      { key: 'a', value: '1' },
      { key: 'b', value: 'old' },
      { key: 'c', value: '3' },
    ]);
    // Two values for one row: the later one stays.
    const twice = [
      ['4', '5'],
      ['b', 'b'],
    ];
    await store.write((trx) => runBatch(trx, update, twice, 2));
    expect((await values())[1]).toEqual({ key: 'b', value: '5' });
  });

  test('a long read does not see a transaction until it is committed', async () => {
    opened = await openTestStore();
    const { store } = opened;
    let duringWrite: string | undefined = 'unset';
    await store.write(async (trx) => {
      await trx.insertInto('settings').values({ key: 'k', value: 'v' }).execute();
      duringWrite = await settingOf(store, 'k');
    });
    expect(duringWrite).toBeUndefined();
    expect((await store.heavyReader.selectFrom('settings').selectAll().execute()).length).toBe(1);
  });
});

describe('opening', () => {
  test('acknowledged writes are there after reopening', async () => {
    opened = await openTestStore();
    await setSetting(opened.store, 'kept', 'yes');
    await opened.store.close();
    const again = await reopen(opened);
    expect(await settingOf(again, 'kept')).toBe('yes');
  });

  inFiles(test)('the file says the version that a migration reached before it ended', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-store-'));
    const file = join(dataDir, DATABASE_NAME);
    const connection = openSqlite(file, 'readWrite');
    await migrate(new Kysely({ dialect: sqliteDialect(connection, 'serial') }), { upTo: 490 });
    connection.close();
    // Open throughout, so that no end of another connection brings the log into the file.
    const beside = new Database(file);
    beside.exec('ALTER TABLE "clientStates" ADD COLUMN "resetUpBytes" INTEGER');
    await expect(openStore({ dataDir, clock: Date.now, log: recordingLogger() })).rejects.toThrow('duplicate column');
    const header = await readFile(file);
    expect(header.readUInt32BE(60)).toBe(500);
    beside.close();
    await rm(dataDir, { recursive: true });
  });

  test("a newer panel's database is refused with both versions", async () => {
    opened = await openTestStore();
    await opened.store.write(async (trx) => {
      await (isInFiles() ? sql`PRAGMA user_version = 99990` : sql`UPDATE schemaVersion SET version = 99990`).execute(
        trx,
      );
    });
    await opened.store.close();
    await expect(reopen(opened)).rejects.toMatchObject({ code: 'store.newerVersion', params: { found: 99_990 } });
  });

  inFiles(test)(
    'a database damaged in the middle opens from the newest good backup, the bad file is kept',
    async () => {
      opened = await openTestStore();
      const { store, dataDir } = opened;
      await setSetting(store, 'before', '1');
      await store.write((trx) =>
        runBatch(
          trx,
          sql`INSERT INTO settings (key, value) VALUES (${''}, ${''})`,
          [Array.from({ length: 2000 }, (_, i) => `row-${i}`), ['x'.repeat(100)]],
          2000,
        ),
      );
      await store.backup('daily');
      await setSetting(store, 'after', '1');
      await store.close();
      const file = join(dataDir, DATABASE_NAME);
      const handle = await open(file, 'r+');
      const { size } = await stat(file);
      await handle.write(Buffer.alloc(8192, 0xaa), 0, 8192, Math.floor(size / 2 / 4096) * 4096);
      await handle.close();
      const again = await reopen(opened);
      expect(again.recovery?.backupFile).toMatch(/panel-\d{13}-daily\.db$/);
      expect(await settingOf(again, 'before')).toBe('1');
      expect(await settingOf(again, 'after')).toBeUndefined();
      expect((await readdir(dataDir)).some((name) => name.includes('.damaged-'))).toBe(true);
    },
  );

  inFiles(test)('a backup from a clock that was ahead replaces no later one', async () => {
    opened = await openTestStore();
    const { store, dataDir } = opened;
    const copy = (to: string) => store.copyTo(to);
    await takeBackup(store.backupFolder, 'daily', Date.now() + 3_653 * 86_400_000, copy);
    await setSetting(store, 'later', '1');
    const newest = await takeBackup(store.backupFolder, 'daily', Date.now(), copy);
    await store.close();
    await copyFile(new URL(import.meta.url), join(dataDir, DATABASE_NAME));
    const again = await reopen(opened);
    expect(again.recovery?.backupFile).toBe(newest);
    expect(await settingOf(again, 'later')).toBe('1');
  });

  inFiles(test)('a damaged database without any good backup opens empty', async () => {
    opened = await openTestStore();
    await opened.store.close();
    await copyFile(new URL(import.meta.url), join(opened.dataDir, DATABASE_NAME));
    const again = await reopen(opened);
    expect(again.recovery).toMatchObject({ backupFile: null });
    expect(await settingOf(again, 'anything')).toBeUndefined();
  });
});

inFiles(test)('a database that cannot be opened is no damaged one: it stays, and no backup replaces it', async () => {
  opened = await openTestStore();
  const { store, dataDir } = opened;
  await store.backup('daily');
  await store.close();
  const file = join(dataDir, DATABASE_NAME);
  // As with the file of another user, which root may open.
  await rename(file, `${file}.away`);
  await mkdir(file);
  await expect(reopen(opened)).rejects.toMatchObject({ code: 'store.fileUnusable', params: { file } });
  expect((await readdir(dataDir)).filter((name) => name.includes('.damaged-'))).toEqual([]);
  await rm(file, { recursive: true });
  await rename(`${file}.away`, file);
  expect((await reopen(opened)).recovery).toBeNull();
});

describe('backups and the lock', () => {
  test('only the newest ten stay', async () => {
    opened = await openTestStore();
    const { store } = opened;
    for (let i = 0; i < BACKUPS_KEPT + 3; i++)
      await takeBackup(store.backupFolder, 'daily', 1_700_000_000_000 + i, (to) => store.copyTo(to));
    const kept = await listBackups(store.backupFolder);
    expect(kept.length).toBe(BACKUPS_KEPT);
    expect(kept[0]!.takenAtMs).toBe(1_700_000_000_012);
  });

  test('the one just taken stays, also when the clock was ahead before', async () => {
    opened = await openTestStore();
    const { backupFolder } = opened.store;
    const copyOf = async (to: string) => writeFile(to, 'x');
    for (let i = 0; i < BACKUPS_KEPT; i++) await takeBackup(backupFolder, 'daily', 2_000_000_000_000 + i, copyOf);
    const taken = await takeBackup(backupFolder, 'import', 1_900_000_000_000, copyOf);
    const left = (await listBackups(backupFolder)).map(({ path }) => path);
    expect(left).toContain(taken);
    expect(left).toHaveLength(BACKUPS_KEPT);
  });

  test('a backup taken during writes is consistent', async () => {
    opened = await openTestStore();
    const { store } = opened;
    const writes = Promise.all(Array.from({ length: 100 }, (_, i) => setSetting(store, `w${i}`, 'x')));
    const path = await store.backup('manual');
    await writes;
    const { checkIntegrity } = await import('./integrity.ts');
    expect(await checkIntegrity(path)).toBeNull();
  });

  test('a second panel on the same folder is refused, and admitted after the first is gone', async () => {
    opened = await openTestStore();
    const first = lockDataFolder(opened.dataDir);
    const { dataDir } = opened;
    expect(() => lockDataFolder(dataDir)).toThrow('store.folderInUse');
    // Nothing that a full disk would refuse.
    expect((await stat(join(dataDir, 'panel.lock'))).size).toBe(0);
    expect(await readdir(dataDir)).not.toContain('panel.lock-journal');
    first.release();
    lockDataFolder(dataDir).release();
  });
});
