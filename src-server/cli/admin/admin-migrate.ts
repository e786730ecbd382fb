import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import { lockDataFolder } from '../../store/data-lock.ts';
import { DATABASE_NAME } from '../../store/open-store.ts';
import { databaseFrom } from '../database-address.ts';
import { forgetServer, noteServer, requireInFolder } from '../database-note.ts';
import { makeDataFolder } from '../make-data-folder.ts';

/**
 * `migrate --to URL`: moves the file of this data folder into an empty database on a server. `migrate --to file`: moves
 * it back, from the database that the environment names. The panel must not run. The source is brought to this
 * version's schema if it is older, and keeps every row.
 * @returns what goes to stdout: what was copied, as JSON.
 * @throws {DomainError} `store.folderInUse`, `store.nothingToMigrate`, `store.onServer`, and the errors of `store/transfer`
 */
export async function migrateCommand(dataDir: string, to: string, log: Logger): Promise<string> {
  process.umask(0o077);
  await makeDataFolder(dataDir);
  const lock = lockDataFolder(dataDir);
  try {
    const { fileToServer, serverToFile } = await import('../../store/transfer/migrate-database.ts');
    const file = join(dataDir, DATABASE_NAME);
    if (to === 'file') {
      const url = await databaseFrom(null);
      if (url === null) throw new DomainError('store.nothingToMigrate', { where: 'DATABASE_URL' });
      const moved = await serverToFile(url, file, log);
      await forgetServer(dataDir);
      return `${JSON.stringify({ ...moved, to: file })}\n`;
    }
    requireInFolder(dataDir);
    if (!existsSync(file)) throw new DomainError('store.nothingToMigrate', { where: file });
    const url = (await databaseFrom(to))!;
    const moved = await fileToServer(file, url, log);
    await noteServer(dataDir);
    return `${JSON.stringify(moved)}\n`;
  } finally {
    lock.release();
  }
}
