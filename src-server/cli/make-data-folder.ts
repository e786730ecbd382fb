import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { DomainError } from '../contract/domain-error.ts';

/**
 * Makes the data folder, readable by its owner only, and makes sure that it is writable.
 * @throws {DomainError} `store.folderReadOnly`
 */
export async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DomainError('store.folderReadOnly', { folder: dataDir, reason }, { cause });
  }
}
