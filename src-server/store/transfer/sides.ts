import type pg from 'pg';
import type { BatchColumn } from '../sqlite/sqlite-protocol.ts';
import { startSqliteThread, type SqliteThread } from '../sqlite/sqlite-thread.ts';
import { prepareBatch } from '../postgres/dialect/postgres-batch.ts';
import { prepareFile, quoted, type Table } from './tables.ts';

export type Cell = string | number | Uint8Array | null;

/** One of the two databases between which rows are copied. */
export interface Side {
  /** A page of a table's rows after a key, by primary key. */
  page(table: Table, after: readonly Cell[] | null, limit: number): Promise<Record<string, Cell>[]>;
  /** Inserts rows into an empty table. Only the rows change: triggers do not run. */
  insert(table: Table, rows: readonly Record<string, Cell>[]): Promise<void>;
  /** The largest id that was ever assigned. */
  lastId(table: Table): Promise<number>;
  setLastId(table: Table, id: number): Promise<void>;
}

/** Each column of some rows, in the form of a batch. */
const columnsOf = ({ columns }: Table, rows: readonly Record<string, Cell>[]): BatchColumn[] =>
  columns.map((name) => rows.map((row) => row[name]!));

function pageSql({ name, columns, keys }: Table, isFirst: boolean, placeholder: (at: number) => string): string {
  const behind = isFirst
    ? ''
    : `WHERE (${keys.map(quoted).join(', ')}) > (${keys.map((_, at) => placeholder(at + 1)).join(', ')})`;
  return `SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(name)} ${behind}
    ORDER BY ${keys.map(quoted).join(', ')} LIMIT ${placeholder(isFirst ? 1 : keys.length + 1)}`;
}

const insertSql = ({ name, columns }: Table, placeholder: (at: number) => string): string =>
  `INSERT INTO ${quoted(name)} (${columns.map(quoted).join(', ')}) VALUES (${columns.map((_, at) => placeholder(at + 1)).join(', ')})`;

const questionMark = (): string => '?';
const numbered = (at: number): string => `$${at}`;

export function fileSide(thread: SqliteThread): Side {
  return {
    async page(table, after, limit) {
      const { rows } = await thread.query(pageSql(table, after === null, questionMark), [...(after ?? []), limit]);
      return rows as Record<string, Cell>[];
    },
    async insert(table, rows) {
      await thread.batch(insertSql(table, questionMark), columnsOf(table, rows), rows.length);
    },
    async lastId({ name }) {
      const { rows } = await thread.query('SELECT seq FROM sqlite_sequence WHERE name = ?', [name]);
      return (rows as { seq: number }[])[0]?.seq ?? 0;
    },
    async setLastId({ name }, id) {
      await thread.query('DELETE FROM sqlite_sequence WHERE name = ?', [name]);
      if (id > 0) await thread.query('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', [name, id]);
    },
  };
}

/** @param client within a transaction, with the panel's schema as its search path */
export function serverSide(client: pg.Client): Side {
  /** Creates the ledger's months before their rows. */
  async function makeMonths(rows: readonly Record<string, Cell>[]): Promise<void> {
    const moments = [...new Set(rows.map((row) => Number(row['bucketStartSec'])))];
    await client.query('SELECT make_ledger_month(sec) FROM unnest($1::bigint[]) AS sec', [moments]);
  }
  return {
    async page(table, after, limit) {
      const { rows } = await client.query(pageSql(table, after === null, numbered), [...(after ?? []), limit]);
      return rows as Record<string, Cell>[];
    },
    async insert(table, rows) {
      if (table.name === 'trafficLedger') await makeMonths(rows);
      const { call, parameters } = prepareBatch(insertSql(table, numbered), columnsOf(table, rows), rows.length);
      await client.query(call, parameters);
    },
    async lastId({ name }) {
      if (name === 'journal' || name === 'events') {
        const { rows } = await client.query('SELECT seq FROM "lastIds" WHERE name = $1', [name]);
        return (rows as { seq: number }[])[0]?.seq ?? 0;
      }
      const { rows } = await client.query(`SELECT last_value, is_called FROM ${sequence(name)}`);
      const [row] = rows as { last_value: number; is_called: number }[];
      if (row === undefined) return 0;
      return row.is_called === 0 ? row.last_value - 1 : row.last_value;
    },
    async setLastId({ name }, id) {
      // Its triggers are off while rows are copied.
      if (name === 'clients') await client.query('UPDATE "clientCount" SET clients = (SELECT count(*) FROM clients)');
      // Unlike `setval` it is rolled back with the transaction.
      await client.query(`ALTER SEQUENCE ${sequence(name)} RESTART WITH ${id + 1}`);
      await client.query('UPDATE "lastIds" SET seq = $2 WHERE name = $1', [name, id]);
    },
  };
}

const sequence = (table: string): string => quoted(`${table}_id_seq`);

/**
 * A new file with this version's panel schema for `fill` to insert rows into: without triggers and references
 * meanwhile, which are restored and valid when it is closed. After a failure the file is useless.
 */
export async function fillFile(
  file: string,
  version: number,
  fill: (thread: SqliteThread) => Promise<void>,
): Promise<void> {
  const thread = startSqliteThread(file, 'readWrite');
  try {
    await prepareFile(thread, version);
    const { rows } = await thread.query(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger'`, []);
    const triggers = rows as { name: string; sql: string }[];
    await thread.query('PRAGMA foreign_keys = OFF', []);
    await thread.query('BEGIN IMMEDIATE', []);
    for (const { name } of triggers) await thread.query(`DROP TRIGGER ${quoted(name)}`, []);
    await fill(thread);
    for (const { sql } of triggers) await thread.query(sql, []);
    const broken = (await thread.query('PRAGMA foreign_key_check', [])).rows;
    if (broken.length > 0) throw new Error(`rows refer to others that are not there: ${JSON.stringify(broken[0])}`);
    await thread.query('COMMIT', []);
    await thread.checkpoint();
  } finally {
    await thread.close();
  }
}
