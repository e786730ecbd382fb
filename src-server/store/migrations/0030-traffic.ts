import { sql, type Kysely } from 'kysely';

/** What the accounting loop looks for, as indexes that hold exactly the answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // Empty except for clients that must be disabled now: finding them costs nothing, however many clients there are. A
  // tick only evaluates the condition for the rows it changes.
  `CREATE INDEX clientStatesDepleted ON clientStates (clientId)
     WHERE enable = 1 AND quotaBytes > 0 AND upBytes + downBytes >= quotaBytes`,
  // The next moment at which a client expires or renews is the first entry.
  `CREATE INDEX clientStatesEnding ON clientStates (expiresAtMs) WHERE enable = 1 AND expiresAtMs > 0`,
  `CREATE INDEX clientStatesRenewing ON clientStates (expiresAtMs) WHERE resetDays > 0 AND expiresAtMs > 0`,
  `CREATE INDEX clientStatesWaiting ON clientStates (clientId) WHERE expiresAtMs < 0`,
];
