import { Kysely } from 'kysely';
import { migrate } from '../migrate.ts';
import { sqliteDialect } from '../sqlite/sqlite-dialect.ts';
import type { SqliteThread } from '../sqlite/sqlite-thread.ts';

/** A table as both sides have it. */
export interface Table {
  name: string;
  columns: string[];
  /** Columns of its primary key, in order: rows are read by it. */
  keys: string[];
  /** Whether ids that were assigned once are never reused. */
  countsIds: boolean;
}

/** Creates or completes the panel's schema in a file. @param upTo version of the schema; absent = the latest */
export async function prepareFile(thread: SqliteThread, upTo?: number): Promise<void> {
  const db = new Kysely<unknown>({ dialect: sqliteDialect(thread, 'serial') });
  await migrate(db, { upTo });
}

const textOf = (name: string): string => `'${name.replaceAll("'", "''")}'`;
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Every table of the panel, referenced tables before those that refer to them. */
export async function tablesOf(thread: SqliteThread): Promise<Table[]> {
  const all = async <T>(sql: string): Promise<T[]> => (await thread.query(sql, [])).rows as T[];
  const found = await all<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`,
  );
  const open = new Map<string, { table: Table; parents: string[] }>();
  for (const { name, sql } of found) {
    const columns = await all<{ name: string; pk: number }>(`PRAGMA table_info(${textOf(name)})`);
    const keys = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const parents = await all<{ table: string }>(`PRAGMA foreign_key_list(${textOf(name)})`);
    const table = {
      name,
      columns: columns.map((column) => column.name),
      keys: keys.map((column) => column.name),
      countsIds: /AUTOINCREMENT/i.test(sql),
    };
    open.set(name, { table, parents: parents.map((parent) => parent.table).filter((parent) => parent !== name) });
  }
  const ordered: Table[] = [];
  while (open.size > 0) {
    const free = [...open].filter(([, { parents }]) => parents.every((parent) => !open.has(parent)));
    if (free.length === 0) throw new Error(`tables refer to each other in a circle: ${[...open.keys()].join(', ')}`);
    for (const [name, { table }] of free) {
      ordered.push(table);
      open.delete(name);
    }
  }
  return ordered;
}
