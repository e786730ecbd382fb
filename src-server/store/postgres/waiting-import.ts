import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type pg from 'pg';
import type { Logger } from '../../contract/logger.ts';
import { checkIntegrity } from '../integrity.ts';
import { readAccess } from '../kept-access.ts';
import { startSqliteThread } from '../sqlite/sqlite-thread.ts';
import { copyRows, compareRows } from '../transfer/copy-rows.ts';
import { fileSide, serverSide } from '../transfer/sides.ts';
import { prepareFile, quoted, tablesOf } from '../transfer/tables.ts';
import { endImport, isImportWaiting, keepAccessAsIs, lastActiveMsAtStaging, stagedFile } from '../waiting-import.ts';

/**
 * At the start of the panel: replaces everything in the database with a staged file, in one transaction that is
 * committed when every row compares as equal. The previous content is backed up before. A failure leaves the database
 * as it was. It is dropped when another panel has been active since it was staged: it would undo what was done there.
 * @param client holds the lock of the panel
 * @param options.serverId of this panel's server
 */
export async function settleImportOnServer(
  client: pg.Client,
  options: {
    dataDir: string;
    serverId: string | undefined;
    clock: () => number;
    log: Logger;
    backup: () => Promise<string>;
  },
): Promise<void> {
  const { dataDir, serverId, clock, log } = options;
  const file = stagedFile(dataDir);
  if (!existsSync(file) || !isImportWaiting(dataDir)) return;
  // Activations are in order whatever the clocks of the servers say.
  const others = 'SELECT 1 FROM "panelServers" WHERE id <> $1 AND "activeSinceMs" > $2';
  const last = await lastActiveMsAtStaging(dataDir);
  if (serverId !== undefined && (await client.query(others, [serverId, last])).rows.length > 0) {
    log.error('standby.importDropped', {});
    await endImport(dataDir, { atMs: clock(), outcome: 'undone', backup: '' });
    return;
  }
  const complaint = await checkIntegrity(file).catch(String);
  if (complaint !== null) {
    log.error('store.importDamaged', { reason: complaint });
    await endImport(dataDir, { atMs: clock(), outcome: 'undone', backup: '' });
    return;
  }
  const backup = await options.backup();
  const thread = startSqliteThread(file, 'readWrite');
  try {
    await prepareFile(thread);
    const tables = await tablesOf(thread);
    await client.query('BEGIN');
    // A command that would revoke a token meanwhile waits, and then finds none: its change is not lost silently.
    await client.query('LOCK TABLE "admins", "settings", "apiTokens" IN EXCLUSIVE MODE');
    await keepAccessAsIs(dataDir, () => readAccess(async (sql) => (await client.query(sql)).rows as unknown[]));
    for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
    for (const { name } of tables.toReversed()) await client.query(`DELETE FROM ${quoted(name)}`);
    await copyRows(fileSide(thread), serverSide(client), tables);
    const [difference] = await compareRows(fileSide(thread), serverSide(client), tables);
    if (difference !== undefined) throw new Error(`the copy differs in ${difference.table}`);
    for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
    await client.query('COMMIT');
    await endImport(dataDir, { atMs: clock(), outcome: 'imported', backup: basename(backup) });
    log.warn('store.importTried', { backup });
  } catch (error) {
    await client.query('ROLLBACK');
    await endImport(dataDir, { atMs: clock(), outcome: 'undone', backup: basename(backup) });
    log.error('store.importUndone', { backup, error });
  } finally {
    await thread.close();
  }
}
