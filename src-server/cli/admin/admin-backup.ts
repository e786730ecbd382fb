import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DomainError } from '../../contract/domain-error.ts';
import type { Store } from '../../store/open-store.ts';

/**
 * `backup FILE`: a consistent copy of the database, also while the panel runs. Written under another name first, so that a
 * file of this name is always whole.
 * @returns what goes to stdout: the path.
 * @throws {DomainError} `backup.fileExists`: an older backup is never overwritten.
 */
export async function backupCommand(store: Pick<Store, 'copyTo'>, name: string): Promise<string> {
  const file = resolve(name);
  if (existsSync(file)) throw new DomainError('backup.fileExists', { file });
  const unfinished = `${file}.unfinished`;
  try {
    await rm(unfinished, { force: true });
    await store.copyTo(unfinished);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return `${file}\n`;
}
