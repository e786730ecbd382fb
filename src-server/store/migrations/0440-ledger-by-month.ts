import { sql, type Kysely } from 'kysely';
import { spelled } from '../dialect/spelled.ts';

/** PostgreSQL keeps the ledger in one table per month. SQLite's is already ordered by time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of ON_SERVER) await spelled(sql`SELECT 1`, sql.raw(statement)).execute(db);
}

const ON_SERVER = [
  `ALTER TABLE trafficLedger RENAME TO trafficLedgerBefore`,
  `ALTER INDEX trafficLedger_pkey RENAME TO trafficLedgerBefore_pkey`,
  `CREATE TABLE trafficLedger (
     LIKE trafficLedgerBefore, PRIMARY KEY (spanSec, bucketStartSec, clientId, sourceId)
   ) PARTITION BY RANGE (bucketStartSec)`,
  // Carried-over sums have time 0; no panel counted before the year 2000.
  `CREATE TABLE trafficLedger_carried PARTITION OF trafficLedger FOR VALUES FROM (MINVALUE) TO (946684800)`,
  `CREATE TABLE trafficLedger_other PARTITION OF trafficLedger DEFAULT`,
  `SELECT make_ledger_month(sec) FROM (SELECT DISTINCT bucketStartSec / 86400 * 86400 AS sec FROM trafficLedgerBefore) AS days`,
  `INSERT INTO trafficLedger SELECT * FROM trafficLedgerBefore`,
  `DROP TABLE trafficLedgerBefore`,
  `ANALYZE trafficLedger`,
];
