import { startSqliteThread } from '../../store/sqlite/sqlite-thread.ts';

/** Rows per message between the threads: a page is read and handed over within a few milliseconds. */
const PAGE_ROWS = 1_000;

interface Table {
  name: string;
  sql: string;
  hasRowId: 0 | 1;
}

/**
 * The database as SQL text, in the order of the sqlite3 shell's `.dump`: tables with their rows, the sequence table,
 * indexes, triggers and views. Also sets `user_version`, which identifies the format of the dump.
 * @param file a copy that nobody writes to; it is read in pages, in a separate thread.
 */
export async function* sqlDump(file: string): AsyncGenerator<string> {
  const thread = startSqliteThread(file, 'readOnly');
  const all = async <Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> =>
    (await thread.query(sql, parameters)).rows as Row[];
  try {
    const [version] = await all<{ user_version: number }>('PRAGMA user_version');
    yield `PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nPRAGMA user_version=${version?.user_version ?? 0};\n`;
    const tables = await all<Table>(
      `SELECT m.name, m.sql, 1 - t.wr AS hasRowId FROM sqlite_master AS m
       JOIN pragma_table_list AS t ON t.schema = 'main' AND t.name = m.name
       WHERE m.type = 'table' AND t.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY m.rowid`,
    );
    for (const table of tables) {
      yield `${table.sql};\n`;
      yield* rowsOf(table, all);
    }
    const sequence = await all<{ name: string }>(`SELECT name FROM sqlite_master WHERE name = 'sqlite_sequence'`);
    if (sequence.length > 0) {
      yield 'DELETE FROM sqlite_sequence;\n';
      yield* rowsOf({ name: 'sqlite_sequence', hasRowId: 1 }, all);
    }
    const rest = await all<{ sql: string }>(
      `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND type IN ('index', 'trigger', 'view')
       ORDER BY CASE type WHEN 'index' THEN 1 WHEN 'trigger' THEN 2 ELSE 3 END, rowid`,
    );
    for (const { sql } of rest) yield `${sql};\n`;
    yield 'COMMIT;\n';
  } finally {
    await thread.close();
  }
}

/** Pages follow the key instead of an offset, so that the last page costs as much as the first. */
async function* rowsOf(
  { name, hasRowId }: Pick<Table, 'name' | 'hasRowId'>,
  all: <Row>(sql: string, parameters?: readonly unknown[]) => Promise<Row[]>,
): AsyncGenerator<string> {
  const columns = await all<{ name: string; pk: number }>(
    'SELECT name, pk FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid',
    [name],
  );
  const key =
    hasRowId === 1
      ? ['rowid']
      : columns
          .filter(({ pk }) => pk > 0)
          .toSorted((a, b) => a.pk - b.pk)
          .map((column) => quoteName(column.name));
  // SQLite writes the literals itself: exact for 64-bit integers, which a JavaScript number is not.
  const literals = columns.map((column) => `quote(${quoteName(column.name)})`).join(` || ',' || `);
  const keys = key.map((column, i) => `${column} AS k${i}`).join(', ');
  const select = `SELECT ${literals} AS row, ${keys} FROM ${quoteName(name)}`;
  const order = `ORDER BY ${key.join(', ')} LIMIT ${PAGE_ROWS}`;
  const after = `WHERE (${key.join(', ')}) > (${key.map(() => '?').join(', ')})`;
  let page = await all<Record<string, unknown> & { row: string }>(`${select} ${order}`);
  while (page.length > 0) {
    yield page.map(({ row }) => `INSERT INTO ${quoteName(name)} VALUES(${row});\n`).join('');
    const last = page.at(-1)!;
    if (page.length < PAGE_ROWS) return;
    page = await all(
      `${select} ${after} ${order}`,
      key.map((_, i) => last[`k${i}`]),
    );
  }
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
