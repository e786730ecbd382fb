import { sql, type Kysely } from 'kysely';

/** Versions that ran on a node before this panel's last update there, for the way back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE nodes ADD COLUMN coreVersionBefore TEXT NOT NULL DEFAULT ''`.execute(db);
  await sql`ALTER TABLE nodes ADD COLUMN panelVersionBefore TEXT NOT NULL DEFAULT ''`.execute(db);
}
