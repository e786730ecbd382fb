import { sql, type Kysely } from 'kysely';

/** What ran on a node before the last exchange that this panel made there, for the way back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE nodes ADD COLUMN coreVersionBefore TEXT NOT NULL DEFAULT ''`.execute(db);
  await sql`ALTER TABLE nodes ADD COLUMN panelVersionBefore TEXT NOT NULL DEFAULT ''`.execute(db);
}
