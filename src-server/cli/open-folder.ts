import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DomainError } from '../contract/domain-error.ts';
import type { Logger } from '../contract/logger.ts';
import { lockDataFolder } from '../store/data-lock.ts';
import { DATABASE_NAME, openStore, type Store } from '../store/open-store.ts';
import { databaseOf } from './database-note.ts';
import { makeDataFolder } from './make-data-folder.ts';

/** How long a command may take to open the database. */
const LOCK_WAIT_MS = 3000;

/** Whether a panel uses this data folder now. The folder must exist. */
export function isPanelRunning(dataDir: string): boolean {
  const lock = tryLock(dataDir);
  lock?.release();
  return lock === null;
}

/**
 * Whether a data folder has a database of its own. One that this user may not look into is not without one.
 * @throws {DomainError} `store.folderReadOnly`
 */
export function hasDatabaseFile(dataDir: string): boolean {
  try {
    return statSync(join(dataDir, DATABASE_NAME), { throwIfNoEntry: false }) !== undefined;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DomainError('store.folderReadOnly', { folder: dataDir, reason }, { cause });
  }
}

/**
 * Opens a data folder for one command and closes it afterwards. While a panel runs there, the command is a second
 * writer on the same database and leaves recovery and migrations to the panel; otherwise it does first what a start
 * would do.
 * @throws {DomainError} `store.newerVersion`, `store.otherVersion`, `store.notInFolder`, `store.onServer`
 */
export async function withFolder<T>(dataDir: string, log: Logger, work: (store: Store) => Promise<T>): Promise<T> {
  // Only the owner may read what this process creates, as with the panel's own files.
  process.umask(0o077);
  await makeDataFolder(dataDir);
  const address = await databaseOf(dataDir, null);
  // Another command holds the lock for moments, before its file is open.
  const lock = tryLock(dataDir, address === null && !isFileOpen(dataDir) ? LOCK_WAIT_MS : 0);
  let store: Store;
  try {
    store = await openBeside(dataDir, address, log, lock === null);
  } finally {
    // Held only while the schema may change: a panel that starts meanwhile must not be turned away.
    lock?.release();
  }
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/**
 * As {@link withFolder} for a command that replaces the database: that of a newer panel, which only such a command can
 * bring back to this version, is left as it is.
 */
export async function withoutStore<T>(dataDir: string, log: Logger, work: () => Promise<T>): Promise<T> {
  try {
    await withFolder(dataDir, log, () => Promise.resolve());
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'store.newerVersion') throw error;
  }
  return work();
}

/** A database on a server may be used by a panel on another machine. */
async function openBeside(dataDir: string, address: string | null, log: Logger, beside: boolean): Promise<Store> {
  // A panel that has not noted yet that its database is on a server leaves the file of its data folder alone.
  if (address === null && beside && !isFileOpen(dataDir))
    throw new DomainError('store.notInFolder', { folder: dataDir });
  const options = { dataDir, clock: Date.now, log, ...(address !== null && { database: address }) };
  try {
    return await openStore({ ...options, beside });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'store.databaseInUse')
      return await openStore({ ...options, beside: true });
    throw error;
  }
}

/** The file is there while any process has the database open. */
const isFileOpen = (dataDir: string): boolean => existsSync(join(dataDir, `${DATABASE_NAME}-shm`));

function tryLock(dataDir: string, waitMs = 0): { release(): void } | null {
  try {
    return lockDataFolder(dataDir, waitMs);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'store.folderInUse') return null;
    throw error;
  }
}
