import { sql, type Kysely } from 'kysely';

/** Clients that want no e-mail from the panel. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE clientMailStops (
    clientId INTEGER PRIMARY KEY REFERENCES clients(id) ON DELETE CASCADE, atMs INTEGER NOT NULL
  ) STRICT`.execute(db);
}
