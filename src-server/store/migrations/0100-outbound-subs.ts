import { sql, type Kysely } from 'kysely';

/** Remote lists of servers, with the content of their last good response. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `CREATE TABLE outboundSubs (
         id INTEGER PRIMARY KEY AUTOINCREMENT, remark TEXT NOT NULL, url TEXT NOT NULL, enabled INTEGER NOT NULL,
         allowPrivate INTEGER NOT NULL, prepend INTEGER NOT NULL, tagPrefix TEXT NOT NULL,
         updateIntervalSec INTEGER NOT NULL, priority INTEGER NOT NULL, lastUpdatedAtMs INTEGER NOT NULL,
         lastError TEXT NOT NULL, outboundCount INTEGER NOT NULL, outbounds TEXT NOT NULL, leftOut TEXT NOT NULL,
         knownTags TEXT NOT NULL, createdAtMs INTEGER NOT NULL, updatedAtMs INTEGER NOT NULL
       ) STRICT`,
    )
    .execute(db);
}
