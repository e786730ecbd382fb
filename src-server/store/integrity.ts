import { DomainError } from '../contract/domain-error.ts';
import { startSqliteThread, StoreError, type SqliteThread } from './sqlite/sqlite-thread.ts';

/**
 * `quickCheck` in its own thread.
 * @throws {DomainError} `store.fileUnusable`
 */
export async function checkIntegrity(file: string): Promise<string | null> {
  const thread = startSqliteThread(file, 'readOnly');
  try {
    return await checkIn(thread, file);
  } finally {
    await thread.close();
  }
}

/**
 * `quickCheck` in a thread that is there.
 * @throws {DomainError} `store.fileUnusable` when the file cannot be opened: that is no damage, and nothing may replace
 *   the file for it.
 */
export async function checkIn(thread: Pick<SqliteThread, 'check'>, file: string): Promise<string | null> {
  try {
    return await thread.check(file);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new DomainError('store.fileUnusable', { file, reason: error.message }, { cause: error });
  }
}
