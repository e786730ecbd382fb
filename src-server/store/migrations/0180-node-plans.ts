import { sql, type Kysely } from 'kysely';

/**
 * Many deletions on a node wait for confirmation; the order of its responses and the sessions to end there outlive a
 * restart.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['nodeInbounds', 'nodeClients'])
    await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN isDeletionConfirmed INTEGER NOT NULL DEFAULT 0`.execute(db);
  await sql`ALTER TABLE nodeClients ADD COLUMN endSessions TEXT NOT NULL DEFAULT ''`.execute(db);
  await sql`CREATE INDEX nodeClientsEnding ON nodeClients (nodeId) WHERE endSessions <> ''`.execute(db);
  await sql`ALTER TABLE nodes ADD COLUMN answerOrder TEXT NOT NULL DEFAULT ''`.execute(db);
}
