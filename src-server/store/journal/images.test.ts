import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestStore } from '../../testing/test-store.ts';
import { CAPTURED } from './captured-tables.ts';
import { imageColumns, typeOfColumn } from './images.ts';

test('columns that are read out of images have the type that they have in their table', async () => {
  const opened = await openTestStore();
  try {
    const stored: string[] = [];
    const said: string[] = [];
    for (const table of CAPTURED) {
      if (table.isNoted === true) continue;
      const { rows } = await sql<{ name: string; type: string }>`PRAGMA table_info(${sql.raw(table.name)})`.execute(
        opened.store.reader,
      );
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
