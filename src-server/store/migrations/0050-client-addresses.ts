import { sql, type Kysely } from 'kysely';

/** Addresses where clients were seen, and the owner of a quarantined delta. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // One row per client, observer and address. The observer is the GUID of the panel whose core saw it, or empty for
  // addresses that another panel passed on.
  `CREATE TABLE clientAddresses (
     emailKey TEXT NOT NULL, guid TEXT NOT NULL, ip TEXT NOT NULL, email TEXT NOT NULL, seenAtSec INTEGER NOT NULL,
     PRIMARY KEY (emailKey, guid, ip)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX clientAddressesByAge ON clientAddresses (seenAtSec)`,
  // The client or inbound that the counter belonged to when the delta was set aside; null = none.
  `ALTER TABLE quarantinedDeltas ADD COLUMN ownerId INTEGER`,
];
