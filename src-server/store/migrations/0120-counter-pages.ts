import { sql, type Kysely } from 'kysely';
import { runAll } from '../dialect/trigger.ts';

const COUNTERS_PER_PAGE = 512;

/**
 * The values of baselines move from their rows into pages: a tick in which 50,000 clients moved bytes rewrote 50,000
 * rows including their names. What stays in the row, name and owner, rarely changes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // `counters`: 512 pairs of 64-bit floats (uplink, downlink), little-endian; pair k belongs to baseline page * 512 + k.
  await sql
    .raw(
      `CREATE TABLE counterPages (
         sourceId INTEGER NOT NULL REFERENCES trafficSources(id) ON DELETE CASCADE, page INTEGER NOT NULL,
         counters BLOB NOT NULL, PRIMARY KEY (sourceId, page)
       ) STRICT`,
    )
    .execute(db);
  const { rows } = await sql<{ id: number; sourceId: number; upBytes: number; downBytes: number }>`
    SELECT id, sourceId, upBytes, downBytes FROM counterBaselines WHERE upBytes > 0 OR downBytes > 0`.execute(db);
  const pages = new Map<string, { sourceId: number; page: number; counters: DataView<ArrayBuffer> }>();
  for (const { id, sourceId, upBytes, downBytes } of rows) {
    const page = Math.floor(id / COUNTERS_PER_PAGE);
    const key = `${sourceId} ${page}`;
    const target = pages.get(key) ?? {
      sourceId,
      page,
      counters: new DataView(new ArrayBuffer(COUNTERS_PER_PAGE * 16)),
    };
    pages.set(key, target);
    const at = (id % COUNTERS_PER_PAGE) * 16;
    target.counters.setFloat64(at, upBytes, true);
    target.counters.setFloat64(at + 8, downBytes, true);
  }
  for (const { sourceId, page, counters } of pages.values())
    await sql`INSERT INTO counterPages (sourceId, page, counters)
      VALUES (${sourceId}, ${page}, ${new Uint8Array(counters.buffer)})`.execute(db);
  await runAll(db, STATEMENTS);
}

const STATEMENTS = [
  `ALTER TABLE counterBaselines DROP COLUMN upBytes`,
  `ALTER TABLE counterBaselines DROP COLUMN downBytes`,
  // Owners are cached in memory; a transaction that changes one records the counter here for the next reading.
  `CREATE TABLE changedOwners (baselineId INTEGER PRIMARY KEY) STRICT`,
  {
    name: 'counterOwnerChanged',
    table: 'counterBaselines',
    after: 'UPDATE OF ownerId',
    when: `new.kind = 'user' AND new.ownerId IS NOT old.ownerId`,
    body: `INSERT INTO changedOwners (baselineId) VALUES (new.id) ON CONFLICT DO NOTHING;`,
  },
];
