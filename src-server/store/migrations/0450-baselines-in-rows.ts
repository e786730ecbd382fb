import { sql, type Kysely, type Transaction } from 'kysely';
import { runBatch } from '../batch.ts';
import { spelled } from '../dialect/spelled.ts';
import type { Schema } from '../schema.ts';

const COUNTERS_PER_PAGE = 512;

interface Page {
  sourceId: number;
  page: number;
  counters: Uint8Array;
}

/** The values of baselines return from pages to their rows: docs/performance.md compares both. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['upBytes', 'downBytes'])
    await sql.raw(`ALTER TABLE counterBaselines ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0`).execute(db);
  const { rows: pages } = await sql<Page>`SELECT sourceId, page, counters FROM counterPages`.execute(db);
  for (const one of pages) {
    const { rows } = await sql<{ id: number }>`SELECT id FROM counterBaselines WHERE sourceId = ${one.sourceId}
      AND id >= ${one.page * COUNTERS_PER_PAGE} AND id < ${(one.page + 1) * COUNTERS_PER_PAGE}`.execute(db);
    const ids = rows.map(({ id }) => id);
    const values = new DataView(one.counters.buffer, one.counters.byteOffset);
    const column = (offset: number): number[] =>
      ids.map((id) => values.getFloat64((id % COUNTERS_PER_PAGE) * 16 + offset, true));
    const query = sql`UPDATE counterBaselines SET upBytes = ${0}, downBytes = ${0} WHERE id = ${0}`;
    await runBatch(db as unknown as Transaction<Schema>, query, [column(0), column(8), ids], ids.length);
  }
  await sql`DROP TABLE counterPages`.execute(db);
  // Space in each page for the new version of a row: no index has to be written when counters move.
  await spelled(sql`SELECT 1`, sql.raw('ALTER TABLE counterBaselines SET (fillfactor = 70)')).execute(db);
}
