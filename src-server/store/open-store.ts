import { existsSync, mkdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CompiledQuery, Kysely } from 'kysely';
import { presentAct } from '../acting.ts';
import type { Logger } from '../contract/logger.ts';
import { failpoint } from '../failpoints/failpoint.ts';
import { likeliestFirst, takeBackup } from './backups.ts';
import { checkIn } from './integrity.ts';
import { migrate, requireOwnVersion } from './migrate.ts';
import type { Schema } from './schema.ts';
import { openSqlite } from './sqlite/sqlite-connection.ts';
import { sqliteDialect } from './sqlite/sqlite-dialect.ts';
import type { Recovery, Store } from './store.ts';
import { settleImport } from './waiting-import.ts';
import { openTurnReader } from './turn-reader.ts';
import { startSqliteThread, type SqliteThread } from './sqlite/sqlite-thread.ts';

export type { ChangeFeed, Store, WriteTransaction } from './store.ts';

export const DATABASE_NAME = 'panel.db';

/**
 * Opens the panel's database in `dataDir`: integrity check with recovery from the newest good backup, migrations
 * with a backup before the first, then one writer thread and a reader.
 * @param options.beside another process serves this folder: nothing is recovered or migrated, and its schema must match
 *   ours.
 * @param options.isPanel the panel itself starts, and reports when it is up: a staged import is put in place, see
 *   {@link settleImport}.
 * @throws {DomainError} `store.newerVersion`, `store.fileUnusable`, and `store.otherVersion` beside a panel of another
 *   version
 */
export async function openStore(options: {
  dataDir: string;
  clock: () => number;
  log: Logger;
  beside?: boolean;
  isPanel?: boolean;
  /** `postgres://…`; absent = the file in `dataDir`. */
  database?: string;
  /** Address of a pooler in front of that server, used for reads. */
  pooler?: string | undefined;
  /** Id of this panel among those on that server; absent = it has the database to itself. */
  serverId?: string;
  /** Called when a database on a server is lost for good. One that is only away comes back by itself. */
  onLost?: (reason: string) => void;
}): Promise<Store> {
  const { dataDir, clock, log, beside = false, isPanel = false, database, pooler, serverId, onLost } = options;
  const file = join(dataDir, DATABASE_NAME);
  const backupFolder = join(dataDir, 'backups');
  // Nothing is awaited before the threads run: the caller keeps loading the rest of the program meanwhile.
  mkdirSync(backupFolder, { recursive: true, mode: 0o700 });
  if (database !== undefined) {
    const { openPostgres } = await import('./postgres/open-postgres.ts');
    return openPostgres({
      url: database,
      pooler,
      backupFolder,
      clock,
      log,
      beside,
      ...(isPanel && { importsFrom: dataDir, serverId, onLost: onLost ?? (() => undefined) }),
    });
  }

  // It checks the file first, and opens it with its first statement.
  const writerThread = startSqliteThread(file, 'readWrite');
  const writer = new Kysely<Schema>({ dialect: sqliteDialect(writerThread, 'serial') });
  let recovery: Recovery | null = null;
  try {
    if (existsSync(file) && !beside)
      recovery = await recoverIfDamaged(file, (path) => checkIn(writerThread, path), backupFolder, clock, log);
    if (isPanel) await settleImport({ dataDir, file, backupFolder, clock, log });
    if (beside) await requireOwnVersion(writer as unknown as Kysely<unknown>);
    const beforeFirst = async (fromVersion: number): Promise<void> => {
      const path = await takeBackup(backupFolder, 'migration', clock(), (to) => writerThread.backup(to));
      log.info('store.migration', { fromVersion, backup: path });
    };
    // An update that goes back reads the version in the file, also when the panel was killed between two steps.
    const afterStep = (): Promise<void> => writerThread.checkpoint();
    await migrate(writer as unknown as Kysely<unknown>, { beforeFirst, afterStep });
    await writerThread.capture();
  } catch (error) {
    await writerThread.close();
    throw error;
  }

  const inline = openSqlite(file, 'readOnly');
  const reader = new Kysely<Schema>({ dialect: sqliteDialect(inline, 'shared') });
  const turnReader = openTurnReader(file);
  /** Started with the first long read. */
  let heavyThread: SqliteThread | null = null;
  let isClosed = false;
  const heavyReader = new Kysely<Schema>({
    dialect: sqliteDialect(
      {
        query: (sql, parameters) => (heavyThread ??= startSqliteThread(file, 'readOnly')).query(sql, parameters),
        batch: () => Promise.reject(new Error('the heavy reader does not write')),
        script: () => Promise.reject(new Error('the heavy reader does not write')),
      },
      'shared',
    ),
  });

  return {
    reader,
    turnReader,
    heavyReader,
    dataVersion: async () => {
      const { rows } = await reader.executeQuery<{ data_version: number }>(CompiledQuery.raw('PRAGMA data_version'));
      return rows[0]?.data_version ?? 0;
    },
    write: (work) =>
      writer.transaction().execute(async (trx) => {
        const act = presentAct();
        if (act === undefined) return work(trx);
        // The transaction has the writer to itself: statements sent past the query builder run within its turn.
        await writerThread.openEntry();
        const result = await work(trx);
        const { entries, ...facts } = act;
        const { lastInsertId } = await writerThread.closeEntry(facts, clock());
        if (lastInsertId === 0) return result;
        entries?.push(lastInsertId);
        failpoint('journal.committing');
        return result;
      }),
    backup: (reason, finish) =>
      takeBackup(backupFolder, reason, clock(), async (to) => {
        await copyLive(file, to);
        await finish?.(to);
      }),
    copyTo: (to) => copyLive(file, to),
    dumpTo: null,
    backupFolder,
    recovery,
    async close(closing) {
      if (isClosed) return;
      isClosed = true;
      // By now nothing waits for the writer.
      if (closing?.backup === true) await takeBackup(backupFolder, 'stop', clock(), (to) => writerThread.backup(to));
      await heavyThread?.close();
      turnReader.close();
      inline.close();
      // Beside a panel, checkpoints are the panel's: a checkpoint waits for readers, and writers would wait for it.
      if (!beside) await writerThread.checkpoint();
      await writerThread.close();
    },
  };
}

/** Copies in a separate thread, so that neither the writer nor the event loop waits for a long backup. */
async function copyLive(file: string, toFile: string): Promise<void> {
  const thread = startSqliteThread(file, 'readOnly');
  try {
    await thread.backup(toFile);
  } finally {
    await thread.close();
  }
}

async function recoverIfDamaged(
  file: string,
  check: SqliteThread['check'],
  backupFolder: string,
  clock: () => number,
  log: Logger,
): Promise<Recovery | null> {
  const reason = await check(file);
  if (reason === null) return null;
  const damagedFile = `${file}.damaged-${clock()}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(file + suffix)) await rename(file + suffix, damagedFile + suffix);
  }
  for (const backup of await likeliestFirst(backupFolder, clock())) {
    if ((await check(backup.path).catch(() => 'cannot be opened')) !== null) continue;
    const opened = `${file}.restoring`;
    await copyFile(backup.path, opened);
    await rename(opened, file);
    log.error('store.recovered', { damagedFile, backup: backup.path, reason });
    return { damagedFile, backupFile: backup.path, reason };
  }
  await rm(file, { force: true });
  log.error('store.startedEmpty', { damagedFile, reason });
  return { damagedFile, backupFile: null, reason };
}
