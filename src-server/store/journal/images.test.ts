import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { isInFiles } from '../../testing/postgres/databases.ts';
import { openTestStore } from '../../testing/test-store.ts';
import { CAPTURED } from './captured-tables.ts';
import { imageColumns, typeOfColumn } from './images.ts';

const columnsOf = (table: string) =>
  isInFiles()
    ? sql<{ name: string; type: string }>`PRAGMA table_info(${sql.raw(table)})`
    : sql<{ name: string; type: string }>`SELECT column_name AS name, data_type AS type FROM information_schema.columns
        WHERE table_schema = 'switchyard' AND table_name = ${table}`;

test('columns read from images have the type of their table column', async () => {
  const opened = await openTestStore();
  try {
    const stored: string[] = [];
    const said: string[] = [];
    for (const table of CAPTURED) {
      if (table.isNoted === true) continue;
      const { rows } = await columnsOf(table.name).execute(opened.store.reader);
      const types = new Map(rows.map(({ name, type }) => [name, type.toUpperCase().replace('BIGINT', 'INTEGER')]));
      for (const column of [...table.keys, ...imageColumns(table)]) {
        stored.push(`${table.name}.${column} ${types.get(column)}`);
        said.push(`${table.name}.${column} ${typeOfColumn(column)}`);
      }
    }
    expect(said).toEqual(stored);
  } finally {
    await opened.dispose();
  }
});
