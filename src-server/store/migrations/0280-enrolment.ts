import { sql, type Kysely } from 'kysely';

/** Enrolment of panels with a ticket, seen from both sides. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `ALTER TABLE nodes ADD COLUMN trunkId TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE nodes ADD COLUMN seenAddress TEXT NOT NULL DEFAULT ''`,
  `CREATE TABLE enrolments (
     id TEXT PRIMARY KEY, secretHash TEXT NOT NULL, name TEXT NOT NULL, nodeId INTEGER, url TEXT NOT NULL,
     state TEXT NOT NULL, createdAtMs INTEGER NOT NULL, expiresAtMs INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE masters (
     trunkId TEXT PRIMARY KEY, name TEXT NOT NULL, url TEXT NOT NULL, authority TEXT NOT NULL, certificate TEXT NOT NULL,
     key TEXT NOT NULL, enrolledAtMs INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID`,
];
