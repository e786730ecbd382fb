import { sql, type Kysely } from 'kysely';

/** A node's refusals are kept with their code, so that they can be translated. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE nodes ADD COLUMN lastRefusal TEXT NOT NULL DEFAULT ''`.execute(db);
  await sql`ALTER TABLE nodes ADD COLUMN syncRefusals TEXT NOT NULL DEFAULT '[]'`.execute(db);
}
