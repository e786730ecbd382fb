import { sql, type Kysely } from 'kysely';

/** Certificates that the panel obtains by itself; keys and chains are files in the data folder. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE certificates (
    id INTEGER PRIMARY KEY AUTOINCREMENT, fileId TEXT NOT NULL UNIQUE, name TEXT NOT NULL, nameKey TEXT NOT NULL UNIQUE,
    wanted TEXT NOT NULL, eabHmacKey TEXT NOT NULL, isObtained INTEGER NOT NULL, revokedPin TEXT NOT NULL,
    failures INTEGER NOT NULL, nextTryAtMs INTEGER NOT NULL, lastFailure TEXT NOT NULL,
    createdAtMs INTEGER NOT NULL, updatedAtMs INTEGER NOT NULL
  ) STRICT`.execute(db);
  // Subscribers to expiring certificates also want to know about failed renewals.
  await sql`UPDATE settings SET value = value || ',certificate.failed'
    WHERE key IN ('panelEnabledEvents', 'desktopEnabledEvents', 'smtpEnabledEvents', 'tgEnabledEvents')
      AND value LIKE '%certificate.expiring%'`.execute(db);
  await sql`UPDATE webhooks SET kinds = kinds || ',certificate.failed'
    WHERE kinds LIKE '%certificate.expiring%'`.execute(db);
}
