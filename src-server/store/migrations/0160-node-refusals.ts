import { sql, type Kysely } from 'kysely';

/** What nodes refuse is kept with its code, so that it can be told in any language. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE nodes ADD COLUMN lastRefusal TEXT NOT NULL DEFAULT ''`.execute(db);
  await sql`ALTER TABLE nodes ADD COLUMN syncRefusals TEXT NOT NULL DEFAULT '[]'`.execute(db);
}
