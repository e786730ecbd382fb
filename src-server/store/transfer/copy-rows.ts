import { createHash } from 'node:crypto';
import type { Cell, Side } from './sides.ts';
import type { Table } from './tables.ts';

const PAGE = 2_000;

/** Rows of a table by primary key, page by page. */
async function* pagesOf(side: Side, table: Table): AsyncGenerator<Record<string, Cell>[]> {
  for (let after: Cell[] | null = null; ;) {
    const rows: Record<string, Cell>[] = await side.page(table, after, PAGE);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    const last = rows.at(-1)!;
    after = table.keys.map((key) => last[key]!);
  }
}

/** Copies every row of the tables, and the highest assigned ids. @returns rows copied */
export async function copyRows(from: Side, to: Side, tables: readonly Table[]): Promise<number> {
  let copied = 0;
  for (const table of tables) {
    for await (const rows of pagesOf(from, table)) {
      await to.insert(table, rows);
      copied += rows.length;
    }
    if (table.countsIds) await to.setLastId(table, await from.lastId(table));
  }
  return copied;
}

/** A table whose rows differ between two databases. */
export interface Difference {
  table: string;
  rows: readonly [number, number];
}

/** Compares every table row by row. @returns the tables that differ; empty = the databases are equal */
export async function compareRows(one: Side, other: Side, tables: readonly Table[]): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const table of tables) {
    const [a, b] = [await digestOf(one, table), await digestOf(other, table)];
    if (a.hash !== b.hash || a.lastId !== b.lastId) differences.push({ table: table.name, rows: [a.rows, b.rows] });
  }
  return differences;
}

async function digestOf(side: Side, table: Table): Promise<{ hash: string; rows: number; lastId: number }> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const rows of pagesOf(side, table)) {
    count += rows.length;
    for (const row of rows) hash.update(`${JSON.stringify(table.columns.map((name) => comparable(row[name]!)))}\n`);
  }
  return { hash: hash.digest('hex'), rows: count, lastId: table.countsIds ? await side.lastId(table) : 0 };
}

/** PostgreSQL holds no NUL in texts; replaced ones compare as equal. */
function comparable(cell: Cell): Cell {
  if (cell instanceof Uint8Array) return Buffer.from(cell).toString('base64');
  return typeof cell === 'string' ? cell.replaceAll('\0', '\u{fffd}') : cell;
}
