import Database from 'better-sqlite3';
import { join } from 'node:path';
import { DomainError } from '../contract/domain-error.ts';

/**
 * One panel per data folder. The lock is the operating system's own file lock, taken through SQLite, so it ends with the
 * process however that ends and no stale lock file can keep a panel from starting.
 * @param waitMs how long to wait for a holder to end; commands hold the lock only for moments.
 * @throws {DomainError} `store.folderInUse` when another panel serves this folder.
 */
export function lockDataFolder(dataDir: string, waitMs = 0): { release(): void } {
  const db = new Database(join(dataDir, 'panel.lock'));
  try {
    db.pragma(`busy_timeout = ${waitMs}`);
    // Nothing is written: a command can look at a folder whose disk is full.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    db.close();
    if (cause instanceof Error && 'code' in cause && cause.code === 'SQLITE_BUSY')
      throw new DomainError('store.folderInUse', { folder: dataDir }, { cause });
    throw cause;
  }
  return { release: () => db.close() };
}
