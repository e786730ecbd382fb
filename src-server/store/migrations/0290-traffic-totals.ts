import { sql, type Kysely } from 'kysely';

/**
 * Sums of the ledger for charts: the total, each group, each inbound, by source; and each client's traffic per day.
 * Groups are filled with their current members' traffic; inbounds and client days start now, since the ledger has no
 * such data.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

/**
 * Entries from traffic, not manual ones: by source and bucket, days unchanged, everything finer in quarters of an hour.
 */
const MOVED = `FROM trafficLedger AS entry JOIN trafficSources AS source ON source.id = entry.sourceId`;
const BUCKET = `CASE entry.spanSec WHEN 86400 THEN 86400 ELSE 900 END AS span,
  CASE entry.spanSec WHEN 86400 THEN entry.bucketStartSec ELSE entry.bucketStartSec / 900 * 900 END AS bucket`;
const WHICH = `entry.spanSec > 0 AND source.kind IN ('core', 'node')`;
const SUMS = `entry.sourceId, sum(entry.upBytes), sum(entry.downBytes)`;

const STATEMENTS = [
  `CREATE TABLE trafficTotals (
     kind TEXT NOT NULL, subject TEXT NOT NULL, spanSec INTEGER NOT NULL, bucketStartSec INTEGER NOT NULL,
     sourceId INTEGER NOT NULL, upBytes INTEGER NOT NULL, downBytes INTEGER NOT NULL,
     PRIMARY KEY (kind, subject, spanSec, bucketStartSec, sourceId)
   ) STRICT, WITHOUT ROWID`,
  // A tick looks up the group of every client that moved bytes: this index holds exactly that, for clients that have
  // one.
  `CREATE INDEX clientsGrouped ON clients (id, groupName) WHERE groupName <> ''`,
  `CREATE TABLE clientDayPages (
     daySec INTEGER NOT NULL, page INTEGER NOT NULL, totals BLOB NOT NULL, PRIMARY KEY (daySec, page)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE clientDayMark (id INTEGER PRIMARY KEY CHECK (id = 1), bucketStartSec INTEGER NOT NULL, page INTEGER NOT NULL) STRICT`,
  `INSERT INTO trafficTotals SELECT 'all', '', ${BUCKET}, ${SUMS} ${MOVED} WHERE ${WHICH} GROUP BY span, bucket, entry.sourceId`,
  `INSERT INTO trafficTotals SELECT 'group', client.groupName, ${BUCKET}, ${SUMS} ${MOVED}
     JOIN clients AS client ON client.id = entry.clientId
     WHERE ${WHICH} AND client.groupName <> '' GROUP BY client.groupName, span, bucket, entry.sourceId`,
];
