import type { Kysely } from 'kysely';
import type { Client } from 'pg';
import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import { LATEST_VERSION, migrate, refuseNewer, requireOwnVersion } from '../migrate.ts';
import type { Store } from '../store.ts';
import { captureOfPostgres } from './schema/capture.ts';
import { COMMITS } from './shared-names.ts';
import { lockDatabase, lookAround, refusalOf, showPresence, unlockDatabase } from './connection/connect.ts';
import { FUNCTIONS } from './schema/functions.ts';
import { openLink, type Link } from './connection/link.ts';
import { isAwayError } from './dialect/postgres-connection.ts';
import { backupsOf, storeOver, writerOver, type SeenVersion } from './postgres-store.ts';
import { respell } from './dialect/respell.ts';
import { requireSameSchema } from './schema/version-at-server.ts';
import { FOUNDATION, IN_TABLE, LAST_IDS, SCHEMA } from './schema/version-place.ts';

/** The server notices within a second that a killed process held the lock; commands hold it only for moments. */
const LOCK_WAIT_MS = 1_500;

interface OpenOptions {
  url: string;
  /** As in {@link openLink}. */
  pooler?: string | undefined;
  backupFolder: string;
  clock: () => number;
  log: Logger;
  /** A panel uses the database meanwhile: nothing is migrated, and its schema must match ours. */
  beside?: boolean;
  /** Folder in which an import may wait for this start; absent = this is not a start of the panel. */
  importsFrom?: string;
  /** This panel's server, as the others see it. */
  serverId?: string | undefined;
  /**
   * If present, this process is the panel: one at a time, and it outlives the loss of the server. It is called when the
   * database is lost for good, because another panel took it, or because what came back is not this panel's.
   */
  onLost?: (reason: string) => void;
}

/** Opens the panel's database on a PostgreSQL server: one writer, readers from pools. */
export async function openPostgres(options: OpenOptions): Promise<Store> {
  const { url, pooler, clock, log, onLost, serverId } = options;
  const version: SeenVersion = { seen: 1 };
  const isPanel = onLost !== undefined;
  const backListeners: (() => void)[] = [];
  const listen = async (client: Client): Promise<void> => {
    client.on('notification', () => (version.seen += 1));
    await client.query(`LISTEN ${COMMITS}`);
    if (serverId !== undefined) await showPresence(client, serverId);
  };
  const link: Link = await openLink({
    url,
    pooler,
    log,
    role: isPanel ? 'panel' : 'command',
    onLost,
    async rejoin(client) {
      await requireSameSchema(client);
      await lockDatabase(client, { name: link.name });
      await listen(client);
    },
    // Commits without a notification, and those whose end this process did not learn, are read now.
    onBack() {
      version.seen += 1;
      for (const listener of backListeners) listener();
    },
  });
  const writer = writerOver(link);
  const backups = backupsOf(url, options.backupFolder, clock);
  const { backup } = backups;
  try {
    const client = link.client();
    await prepare(client, writer as unknown as Kysely<unknown>, { ...options, backup });
    if (options.importsFrom !== undefined) {
      const { settleImportOnServer } = await import('./waiting-import.ts');
      const from = { dataDir: options.importsFrom, serverId };
      await settleImportOnServer(client, { ...from, clock, log, backup: () => backup('import') });
    }
    if (!isPanel && options.beside !== true) await unlockDatabase(client);
    await listen(client);
    if (isPanel) await link.watch();
  } catch (error) {
    await link.close();
    throw isAwayError(error) ? refusalOf(error) : error;
  }

  return {
    ...storeOver(link, { ...backups, backupFolder: options.backupFolder, version, writer, clock }),
    onBack: (listener) => void backListeners.push(listener),
  };
}

/** @throws {DomainError} as in `connect.ts`, and `store.newerVersion`; nothing is written then */
async function prepare(
  client: Client,
  writer: Kysely<unknown>,
  { log, beside, clock, backup }: Pick<OpenOptions, 'log' | 'beside' | 'clock'> & { backup: Store['backup'] },
): Promise<void> {
  // Refusals come before any waiting.
  const seen = await lookAround(client);
  if (beside === true) {
    if (seen === 'nothing') throw new DomainError('store.otherVersion', { found: 0, known: LATEST_VERSION });
    await requireOwnVersion(writer, IN_TABLE);
    return;
  }
  await lockDatabase(client, { waitMs: LOCK_WAIT_MS });
  // The previous holder may have created it while it had the lock.
  const found = seen === 'ours' ? seen : await lookAround(client);
  if (found === 'nothing') await inTransaction(client, [`CREATE SCHEMA "${SCHEMA}"`, ...FOUNDATION]);
  else await refuseNewer(writer, IN_TABLE);
  await inTransaction(client, FUNCTIONS);
  const beforeFirst = async (fromVersion: number) =>
    log.info('store.migration', { fromVersion, backup: await backup('migration') });
  await migrate(writer, { beforeFirst, place: IN_TABLE });
  await client.query('SELECT keep_ledger_months($1, 0)', [Math.floor(clock() / 1000)]);
  const { text, hash } = captureOfPostgres();
  const { rows: present } = await client.query('SELECT hash FROM captured');
  if ((present as { hash: string }[])[0]?.hash === hash) return;
  const note = ['DELETE FROM captured', `INSERT INTO captured VALUES ('${hash}')`];
  await inTransaction(client, [...LAST_IDS, respell(text), ...note]);
}

async function inTransaction(client: Client, statements: readonly string[]): Promise<void> {
  try {
    await client.query('BEGIN');
    for (const statement of statements) await client.query(statement);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
