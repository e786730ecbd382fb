import { sql, type Kysely } from 'kysely';

/** A sender is looked up by messaging id; the same index finds clients that have one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`DROP INDEX clientsWithTelegram`.execute(db);
  await sql`CREATE INDEX clientsByTelegram ON clients (tgId) WHERE tgId > 0`.execute(db);
}
