import { sql, type Kysely } from 'kysely';

/** Many deletions on a node wait until they are confirmed; the order of its answers and sessions to be ended there outlive a start. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['nodeInbounds', 'nodeClients'])
    await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN isDeletionConfirmed INTEGER NOT NULL DEFAULT 0`.execute(db);
  await sql`ALTER TABLE nodeClients ADD COLUMN endSessions TEXT NOT NULL DEFAULT ''`.execute(db);
  await sql`CREATE INDEX nodeClientsEnding ON nodeClients (nodeId) WHERE endSessions <> ''`.execute(db);
  await sql`ALTER TABLE nodes ADD COLUMN answerOrder TEXT NOT NULL DEFAULT ''`.execute(db);
}
