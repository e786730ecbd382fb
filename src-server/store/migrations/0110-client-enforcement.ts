import { sql, type Kysely } from 'kysely';

/** Clients that renew on a day of the month, and the indexes that find who is due. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `ALTER TABLE clientStates ADD COLUMN resetDay INTEGER NOT NULL DEFAULT 0`,
  // The next renewal is the first entry, whichever way a client renews.
  `DROP INDEX clientStatesRenewing`,
  `CREATE INDEX clientStatesRenewing ON clientStates (expiresAtMs)
     WHERE (resetDays > 0 OR resetDay > 0) AND expiresAtMs > 0`,
  // SQLite swaps a comparison when only its right side is a column, and then no longer recognises this condition in a
  // statement: written the other way, every client would be read.
  `DROP INDEX clientStatesDepleted`,
  `CREATE INDEX clientStatesDepleted ON clientStates (clientId)
     WHERE enable = 1 AND quotaBytes > 0 AND quotaBytes <= upBytes + downBytes`,
];
