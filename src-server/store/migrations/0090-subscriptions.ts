import { sql, type Kysely } from 'kysely';

/** When apps last fetched a client's subscription, and how the last fetch of a provider's subscription went. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `ALTER TABLE clientStates ADD COLUMN lastSubFetchAtMs INTEGER NOT NULL DEFAULT 0`,
  `CREATE TABLE remoteSubscriptions (
     url TEXT PRIMARY KEY, fetchedAtMs INTEGER NOT NULL, error TEXT NOT NULL
   ) STRICT, WITHOUT ROWID`,
];
