import { sql, type Kysely } from 'kysely';

/** What the client list, identity checks and groups need beyond the first schema. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // One narrow column that a substring search reads from its index alone, instead of the wide rows of the table.
  `ALTER TABLE clients ADD COLUMN searchKey TEXT NOT NULL DEFAULT ''`,
  `UPDATE clients SET searchKey = lower(email || char(31) || subId || char(31) || comment)`,
  `CREATE INDEX clientsBySearch ON clients (searchKey)`,
  // Identity checks compare ids with two bytes ignored; the last 12 characters find the few candidates.
  `CREATE INDEX clientsByUuidTail ON clients (substr(uuid, -12)) WHERE uuid <> ''`,
  `CREATE INDEX clientsByAuthTail ON clients (lower(substr(auth, -12))) WHERE auth <> ''`,
  `CREATE INDEX clientsByPassword ON clients (password) WHERE password <> ''`,
  `CREATE INDEX clientInboundsByPassword ON clientInbounds (passwordOverride) WHERE passwordOverride <> ''`,
  // Their conditions name no counter, so a tick that moves counters does not touch them.
  `CREATE INDEX clientStatesDisabled ON clientStates (clientId) WHERE enable = 0`,
  `CREATE TABLE clientGroups (
     name TEXT PRIMARY KEY, upBaselineBytes INTEGER NOT NULL, downBaselineBytes INTEGER NOT NULL,
     createdAtMs INTEGER NOT NULL, updatedAtMs INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE clientExternalLinks (
     id INTEGER PRIMARY KEY AUTOINCREMENT, clientId INTEGER NOT NULL REFERENCES clients(id) ON DELETE CASCADE,
     kind TEXT NOT NULL, value TEXT NOT NULL, remark TEXT NOT NULL, sortIndex INTEGER NOT NULL, createdAtMs INTEGER NOT NULL
   ) STRICT`,
  `CREATE INDEX externalLinksByClient ON clientExternalLinks (clientId, sortIndex, id)`,
];
