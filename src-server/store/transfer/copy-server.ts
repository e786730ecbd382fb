import { rename, rm } from 'node:fs/promises';
import type pg from 'pg';
import { DomainError } from '../../contract/domain-error.ts';
import { connect } from '../postgres/connection/connect.ts';
import { compareRows, copyRows } from './copy-rows.ts';
import { fileSide, fillFile, serverSide } from './sides.ts';
import { tablesOf } from './tables.ts';

export interface Moved {
  tables: number;
  rows: number;
}

/**
 * A consistent copy of a database on a server as a file, even during writes. The file gets its name when it is
 * complete.
 */
export async function copyServer(url: string, file: string): Promise<void> {
  const client = await connect(url);
  try {
    await copyOut(client, file, false);
  } finally {
    await client.end();
  }
}

/** @param isCompared whether every row of the copy is compared with its source */
export async function copyOut(client: pg.Client, file: string, isCompared: boolean): Promise<Moved> {
  const unfinished = `${file}.copying`;
  await removeFile(unfinished);
  const moved = { tables: 0, rows: 0 };
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const { rows } = await client.query('SELECT version FROM "schemaVersion"');
    await fillFile(unfinished, (rows as { version: number }[])[0]!.version, async (thread) => {
      const tables = await tablesOf(thread);
      moved.tables = tables.length;
      moved.rows = await copyRows(serverSide(client), fileSide(thread), tables);
      if (isCompared) requireSame(await compareRows(serverSide(client), fileSide(thread), tables));
    });
    await rename(unfinished, file);
    return moved;
  } finally {
    await removeFile(unfinished);
    // Nothing was written there; a lost connection needs no closing.
    await client.query('ROLLBACK').catch(() => undefined);
  }
}

async function removeFile(file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) await rm(file + suffix, { force: true });
}

/** @throws {DomainError} `store.copyDiffers` */
export function requireSame(differences: Awaited<ReturnType<typeof compareRows>>): void {
  const [first] = differences;
  if (first === undefined) return;
  throw new DomainError('store.copyDiffers', { table: first.table, rows: first.rows[0], copied: first.rows[1] });
}
