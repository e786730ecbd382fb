import { sql, type Kysely } from 'kysely';

/** Addresses under which clients reach an inbound; they are deleted with their inbound. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `CREATE TABLE hosts (
     id INTEGER PRIMARY KEY AUTOINCREMENT, groupId TEXT NOT NULL,
     inboundId INTEGER NOT NULL REFERENCES inbounds(id) ON DELETE CASCADE,
     sortOrder INTEGER NOT NULL, enable INTEGER NOT NULL, address TEXT NOT NULL, port INTEGER NOT NULL,
     content TEXT NOT NULL, createdAtMs INTEGER NOT NULL, updatedAtMs INTEGER NOT NULL
   ) STRICT`,
  `CREATE INDEX hostsByInbound ON hosts (inboundId, sortOrder, id)`,
  `CREATE INDEX hostsByGroup ON hosts (groupId, sortOrder, id)`,
];
