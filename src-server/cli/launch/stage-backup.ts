import { basename, join } from 'node:path';
import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import { listBackups } from '../../store/backups.ts';
import { restoreCommand } from '../admin/admin-restore.ts';

/**
 * Stages an automatic backup before the database is opened, as the command `restore` does. The name is compared with
 * the list and never becomes a path.
 * @throws {DomainError} `import.failed`, `import.busy`
 */
export async function stageBackup(dataDir: string, log: Logger, name: string): Promise<void> {
  const found = (await listBackups(join(dataDir, 'backups'))).find(({ path }) => basename(path) === name);
  if (found === undefined) throw new DomainError('import.failed', { reason: `there is no backup "${name}"` });
  const say = (line: string): void => log.info('backup.restoring', { name, line });
  await restoreCommand({ dataDir, log, isPanelRunning: () => false, say, readPassphrase: null }, found.path, {
    isDryRun: false,
  });
}
