import { sql, type Kysely } from 'kysely';

/** An admin's saved view of a list: filters, columns, density. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE savedViews (
    owner TEXT NOT NULL, page TEXT NOT NULL, name TEXT NOT NULL, view TEXT NOT NULL, updatedAtMs INTEGER NOT NULL,
    PRIMARY KEY (owner, page, name)
  ) STRICT, WITHOUT ROWID`.execute(db);
}
