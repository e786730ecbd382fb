import { existsSync } from 'node:fs';
import type pg from 'pg';
import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import { connect, lockDatabase, refusalOf } from '../postgres/connection/connect.ts';
import { isAwayError } from '../postgres/dialect/postgres-connection.ts';
import { openPostgres } from '../postgres/open-postgres.ts';
import { startSqliteThread } from '../sqlite/sqlite-thread.ts';
import { compareRows, copyRows } from './copy-rows.ts';
import { copyOut, requireSame, type Moved } from './copy-server.ts';
import { fileSide, serverSide } from './sides.ts';
import { prepareFile, quoted, tablesOf, type Table } from './tables.ts';

/**
 * Copies a panel's file into an empty database on a server, in one transaction that is committed when every row
 * compares as equal. The file is first brought to this version's schema and otherwise left unchanged.
 * @throws {DomainError} `store.notEmpty`, `store.copyDiffers`, and those of opening a server
 */
export function fileToServer(file: string, url: string, log: Logger): Promise<Moved> {
  return orRefusal(copyIn(file, url, log));
}

async function copyIn(file: string, url: string, log: Logger): Promise<Moved> {
  // It creates the schema if there is none, and refuses a foreign one.
  await (await openPostgres({ url, backupFolder: '', clock: Date.now, log })).close();
  const thread = startSqliteThread(file, 'readWrite');
  const client = await connect(url);
  try {
    await prepareFile(thread);
    const tables = await tablesOf(thread);
    await lockDatabase(client);
    await client.query('BEGIN');
    await requireEmpty(client, tables);
    for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
    const rows = await copyRows(fileSide(thread), serverSide(client), tables);
    requireSame(await compareRows(fileSide(thread), serverSide(client), tables));
    for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
    await client.query('COMMIT');
    await client.query('ANALYZE');
    return { tables: tables.length, rows };
  } finally {
    await client.end();
    await thread.close();
  }
}

/**
 * Copies a database on a server into a new file, which gets its name when every row compares as equal.
 * @throws {DomainError} `store.fileExists`, `store.copyDiffers`, `store.databaseInUse`, and those of opening a server
 */
export function serverToFile(url: string, file: string, log: Logger): Promise<Moved> {
  return orRefusal(copyBack(url, file, log));
}

async function copyBack(url: string, file: string, log: Logger): Promise<Moved> {
  if (existsSync(file)) throw new DomainError('store.fileExists', { file });
  await (await openPostgres({ url, backupFolder: '', clock: Date.now, log })).close();
  const client = await connect(url);
  try {
    await lockDatabase(client);
    return await copyOut(client, file, true);
  } finally {
    await client.end();
  }
}

/** Reports a server that went away in the middle in one sentence. */
async function orRefusal<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isAwayError(error) && !(error instanceof DomainError) ? refusalOf(error) : error;
  }
}

async function requireEmpty(client: pg.Client, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) {
    const { rows } = await client.query(`SELECT 1 FROM ${quoted(name)} LIMIT 1`);
    if (rows.length > 0) throw new DomainError('store.notEmpty', { table: name });
  }
}
