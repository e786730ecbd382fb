import { Kysely } from 'kysely';
import { Pool, type Client, type ClientConfig } from 'pg';
import { presentAct } from '../../acting.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import { failpoint } from '../../failpoints/failpoint.ts';
import { takeBackup } from '../backups.ts';
import { LATEST_VERSION, migrate, refuseNewer, requireOwnVersion } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import type { Store } from '../store.ts';
import type { StatementRunner } from '../sqlite-dialect.ts';
import { captureOfPostgres } from './capture.ts';
import { connect, lockDatabase, lookAround, SCHEMA } from './connect.ts';
import { FUNCTIONS } from './functions.ts';
import { connectionOptions, runStatement } from './postgres-connection.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { COMMITS, createWriter } from './postgres-writer.ts';
import { respell } from './respell.ts';
import { FOUNDATION, IN_TABLE, LAST_IDS } from './version-place.ts';

/** Connections for short reads, and for long ones. */
const READERS = 4;
const HEAVY_READERS = 2;

interface OpenOptions {
  url: string;
  backupFolder: string;
  clock: () => number;
  log: Logger;
  /** A panel uses the database meanwhile: nothing is migrated, its schema must be ours. */
  beside?: boolean;
  /** Folder in which an import may wait for this start; absent = this is no start of the panel. */
  importsFrom?: string;
  /** Hears that the connection that writes is lost: nothing is written any more by this process. */
  onLost?: (reason: string) => void;
}

/** Opens the panel's database on a PostgreSQL server: one writer, readers from pools. */
export async function openPostgres(options: OpenOptions): Promise<Store> {
  const { url, clock, log } = options;
  const settings = connectionOptions(url, SCHEMA);
  const client = await connect(url);
  const writing = createWriter(client);
  const writer = new Kysely<Schema>({ dialect: postgresDialect(writing, 'serial') });
  const copyTo = async (file: string): Promise<void> => {
    const { copyServer } = await import('../transfer/copy-server.ts');
    await copyServer(url, file);
  };
  const backup: Store['backup'] = (reason, finish) =>
    takeBackup(options.backupFolder, reason, clock(), async (to) => {
      await copyTo(to);
      await finish?.(to);
    });
  let version = 1;
  let isClosed = false;
  let lostBecause = 'the server ended it';
  client.on('error', (error) => (lostBecause = error.message));
  client.on('end', () => {
    if (isClosed) return;
    log.error('store.connectionLost', { reason: lostBecause });
    options.onLost?.(lostBecause);
  });
  try {
    await prepare(client, writer as unknown as Kysely<unknown>, { ...options, backup });
    if (options.importsFrom !== undefined) {
      const { settleImportOnServer } = await import('./waiting-import.ts');
      await settleImportOnServer(client, { dataDir: options.importsFrom, clock, log, backup: () => backup('import') });
    }
    client.on('notification', () => (version += 1));
    await client.query(`LISTEN ${COMMITS}`);
  } catch (error) {
    isClosed = true;
    await client.end();
    throw error;
  }

  const pool = readers(settings, READERS, log);
  const heavyPool = readers(settings, HEAVY_READERS, log);
  const reader = new Kysely<Schema>({ dialect: postgresDialect(readingFrom(pool), 'shared') });
  const heavyReader = new Kysely<Schema>({ dialect: postgresDialect(readingFrom(heavyPool), 'shared') });
  return {
    reader,
    heavyReader,
    turnReader: {
      all: async <Row>(text: string, parameters: readonly (string | number)[]) =>
        (await runStatement(pool, respell(text), parameters)).rows as Row[],
      version: () => version,
      close() {},
    },
    dataVersion: async () => version,
    write: (work) =>
      writer
        .transaction()
        .execute(async (trx) => {
          const act = presentAct();
          if (act !== undefined) await writing.openEntry();
          const result = await work(trx);
          if (act !== undefined) {
            const { entries, ...told } = act;
            const entryId = await writing.closeEntry(told, clock());
            if (entryId !== 0) {
              entries?.push(entryId);
              failpoint('journal.committing');
            }
          }
          return result;
        })
        .finally(() => (version += 1)),
    // A file as the panel has without a server: it opens anywhere, and goes back with `migrate`.
    backup,
    copyTo,
    backupFolder: options.backupFolder,
    recovery: null,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await Promise.all([pool.end(), heavyPool.end()]);
      await client.end();
    },
  };
}

/** @throws {DomainError} as `connect.ts` says, and `store.newerVersion`; nothing is written then */
async function prepare(
  client: Client,
  writer: Kysely<unknown>,
  { log, beside, backup }: Pick<OpenOptions, 'log' | 'beside'> & { backup: Store['backup'] },
): Promise<void> {
  const found = await lookAround(client);
  if (beside === true) {
    if (found === 'nothing') throw new DomainError('store.otherVersion', { found: 0, known: LATEST_VERSION });
    await requireOwnVersion(writer, IN_TABLE);
    return;
  }
  await lockDatabase(client);
  if (found === 'nothing') await inTransaction(client, [`CREATE SCHEMA "${SCHEMA}"`, ...FOUNDATION]);
  else await refuseNewer(writer, IN_TABLE);
  await inTransaction(client, FUNCTIONS);
  const beforeFirst = async (fromVersion: number) =>
    log.info('store.migration', { fromVersion, backup: await backup('migration') });
  await migrate(writer, beforeFirst, undefined, IN_TABLE);
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

function readers(settings: ClientConfig, max: number, log: Logger): Pool {
  const pool = new Pool({
    ...settings,
    max,
    options: `${settings.options} -c default_transaction_read_only=on`,
    idleTimeoutMillis: 60_000,
    allowExitOnIdle: true,
  });
  pool.on('error', (error) => log.warn('store.readerLost', { reason: error.message }));
  return pool;
}

const readingFrom = (pool: Pool): StatementRunner => ({
  query: (text, parameters) => runStatement(pool, text, parameters),
  batch: () => Promise.reject(new Error('a reader does not write')),
  script: () => Promise.reject(new Error('a reader does not write')),
});
