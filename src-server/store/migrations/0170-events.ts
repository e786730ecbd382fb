import { sql, type Kysely } from 'kysely';

/** Events, and who is still to be notified of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `CREATE TABLE events (
     id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, atMs INTEGER NOT NULL, facts TEXT NOT NULL,
     summaryId INTEGER REFERENCES events(id) ON DELETE CASCADE
   ) STRICT`,
  `CREATE INDEX eventsBySummary ON events (summaryId) WHERE summaryId IS NOT NULL`,
  `CREATE TABLE deliveries (
     channel TEXT NOT NULL, eventId INTEGER NOT NULL REFERENCES events(id) ON DELETE CASCADE, state TEXT NOT NULL,
     attempts INTEGER NOT NULL, dueAtMs INTEGER NOT NULL, lastError TEXT NOT NULL, PRIMARY KEY (channel, eventId)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX deliveriesByEvent ON deliveries (eventId)`,
  `CREATE INDEX deliveriesWaiting ON deliveries (channel, dueAtMs, eventId) WHERE state = 'waiting'`,
  `CREATE INDEX deliveriesDead ON deliveries (eventId) WHERE state = 'dead'`,
  `CREATE TABLE clientNotices (
     clientId INTEGER NOT NULL REFERENCES clients(id) ON DELETE CASCADE, kind TEXT NOT NULL, mark INTEGER NOT NULL,
     PRIMARY KEY (clientId, kind)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE eventMarks (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE TABLE webhooks (
     id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, url TEXT NOT NULL, secret TEXT NOT NULL, kinds TEXT NOT NULL,
     enabled INTEGER NOT NULL, allowPrivate INTEGER NOT NULL, cpuPercent INTEGER NOT NULL,
     createdAtMs INTEGER NOT NULL, updatedAtMs INTEGER NOT NULL
   ) STRICT`,
  `CREATE TABLE webhookAttempts (
     id INTEGER PRIMARY KEY AUTOINCREMENT, webhookId INTEGER NOT NULL REFERENCES webhooks(id) ON DELETE CASCADE,
     eventId INTEGER NOT NULL, kind TEXT NOT NULL, atMs INTEGER NOT NULL, tookMs INTEGER NOT NULL, status INTEGER NOT NULL,
     answer TEXT NOT NULL, error TEXT NOT NULL, body TEXT NOT NULL
   ) STRICT`,
  `CREATE INDEX webhookAttemptsByHook ON webhookAttempts (webhookId, id)`,
];
