import { sql, type Kysely } from 'kysely';

/** Histories of the machine and the core: one row a minute with its samples as JSON columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `CREATE TABLE metricSamples (
         kind TEXT NOT NULL CHECK (kind IN ('system', 'core')),
         firstAtSec INTEGER NOT NULL,
         samples TEXT NOT NULL,
         PRIMARY KEY (kind, firstAtSec)
       ) STRICT, WITHOUT ROWID`,
    )
    .execute(db);
}
