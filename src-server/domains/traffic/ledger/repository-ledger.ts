import { sql, type Kysely, type RawBuilder } from 'kysely';
import { MAX_BYTES } from '../../../contract/fields/port.ts';
import { spelled } from '../../../store/dialect/spelled.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Schema } from '../../../store/schema.ts';
import { panelOfSource } from './source-guid.ts';
import { CARRIED_SPAN_SEC, SPANS_SEC } from './ledger-spans.ts';

/** One bucket of one source, possibly summed over finer buckets. */
export interface LedgerEntry {
  startSec: number;
  spanSec: number;
  kind: Schema['trafficSources']['kind'];
  guid: string;
  upBytes: number;
  downBytes: number;
}

/**
 * The ledger is ordered by time, not by client: a tick appends to the end of the tree. A client's rows are found by
 * stepping through the existing buckets and looking the client up in each, two descents of the tree per bucket: about
 * 600 + 1,500 + 1,900 buckets for the whole reach, whatever the number of clients.
 */
const bucketsOf = (spanSec: number, fromSec: number, untilSec: number) => sql`
  WITH RECURSIVE bucket (startSec) AS (
    SELECT min(bucketStartSec) FROM trafficLedger WHERE spanSec = ${spanSec} AND bucketStartSec >= ${fromSec}
    UNION ALL
    SELECT ${nextBucket(spanSec)} FROM bucket WHERE bucket.startSec < ${untilSec})`;

function nextBucket(spanSec: number): RawBuilder<unknown> {
  const next = sql`(SELECT min(bucketStartSec) FROM trafficLedger WHERE spanSec = ${spanSec} AND bucketStartSec > bucket.startSec)`;
  // The next bucket usually follows directly, in the same month. To find the minimum, PostgreSQL queries every month.
  const behind = sql`bucket.startSec + ${Math.max(1, spanSec)}`;
  return spelled(
    next,
    sql`CASE WHEN EXISTS (SELECT 1 FROM trafficLedger WHERE spanSec = ${spanSec} AND bucketStartSec = ${behind})
      THEN ${behind} ELSE ${next} END`,
  );
}

/**
 * A client's entries of the range [fromSec, untilSec), in buckets of `bucketSec` or, where the ledger has been rolled
 * up further, of the coarser span. Buckets at the edges of the range are whole.
 */
export async function ledgerEntries(
  db: Kysely<Schema>,
  clientId: number,
  range: { fromSec: number; untilSec: number; bucketSec: number },
): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for (const spanSec of SPANS_SEC) {
    const shownSec = Math.max(spanSec, range.bucketSec);
    const firstSec = Math.floor(range.fromSec / shownSec) * shownSec;
    const { rows } = await sql<LedgerEntry>`${bucketsOf(spanSec, firstSec, range.untilSec)}
      SELECT entry.bucketStartSec / ${sql.raw(String(shownSec))} * ${sql.raw(String(shownSec))} AS startSec,
        ${shownSec} AS spanSec, source.kind, source.guid, sum(entry.upBytes) AS upBytes, sum(entry.downBytes) AS downBytes
      FROM bucket CROSS JOIN trafficLedger AS entry JOIN trafficSources AS source ON source.id = entry.sourceId
      WHERE bucket.startSec < ${range.untilSec} AND entry.spanSec = ${spanSec} AND entry.bucketStartSec = bucket.startSec
        AND entry.clientId = ${clientId}
      GROUP BY 1, source.id`.execute(db);
    entries.push(...rows.map((row) => ({ ...row, guid: panelOfSource(row.guid) })));
  }
  return summed(entries);
}

/** The same bucket may exist at two spans while a roll-up is running. */
function summed(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const byKey = new Map<string, LedgerEntry>();
  for (const entry of entries) {
    const key = `${entry.startSec} ${entry.spanSec} ${entry.kind} ${entry.guid}`;
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, { ...entry });
    else {
      known.upBytes += entry.upBytes;
      known.downBytes += entry.downBytes;
    }
  }
  return [...byKey.values()].sort((a, b) => a.startSec - b.startSec || a.kind.localeCompare(b.kind));
}

/** Sum of all of a client's entries, which its counters must equal. */
export async function ledgerTotal(
  db: Kysely<Schema>,
  clientId: number,
): Promise<{ upBytes: number; downBytes: number }> {
  let upBytes = 0;
  let downBytes = 0;
  for (const spanSec of [CARRIED_SPAN_SEC, ...SPANS_SEC]) {
    const { rows } = await sql<{ up: number; down: number }>`
      ${bucketsOf(spanSec, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)}
      SELECT coalesce(sum(entry.upBytes), 0) AS up, coalesce(sum(entry.downBytes), 0) AS down
      FROM bucket CROSS JOIN trafficLedger AS entry
      WHERE entry.spanSec = ${spanSec} AND entry.bucketStartSec = bucket.startSec AND entry.clientId = ${clientId}`.execute(
      db,
    );
    upBytes += rows[0]?.up ?? 0;
    downBytes += rows[0]?.down ?? 0;
  }
  return { upBytes, downBytes };
}

/** Sets a client's counters to the sum of its ledger. */
export async function setToLedger(
  trx: WriteTransaction,
  clientId: number,
): Promise<{ upBytes: number; downBytes: number }> {
  const total = await ledgerTotal(trx, clientId);
  const upBytes = Math.min(MAX_BYTES, Math.max(0, total.upBytes));
  const downBytes = Math.min(MAX_BYTES, Math.max(0, total.downBytes));
  await trx.updateTable('clientStates').set({ upBytes, downBytes }).where('clientId', '=', clientId).execute();
  return { upBytes, downBytes };
}

export function clientCounters(db: Kysely<Schema>, emailKey: string) {
  return db
    .selectFrom('clients')
    .innerJoin('clientStates', 'clientStates.clientId', 'clients.id')
    .select(['clients.id', 'clients.email', 'clientStates.upBytes', 'clientStates.downBytes'])
    .where('clients.emailKey', '=', emailKey)
    .executeTakeFirst();
}

/**
 * Moves up to `limit` clients' rows of the oldest bucket that starts before `beforeSec` into buckets of the next span.
 * Sums stay exact; rows of permanently deleted clients are dropped, since they can no longer be requested.
 * @returns whether there was something to move.
 */
export async function rollUpSlice(
  trx: WriteTransaction,
  spans: { fromSec: number; toSec: number },
  beforeSec: number,
  limit: number,
): Promise<boolean> {
  const oldest = await trx
    .selectFrom('trafficLedger')
    .select('bucketStartSec')
    .where('spanSec', '=', spans.fromSec)
    .orderBy('bucketStartSec')
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined || oldest.bucketStartSec >= beforeSec) return false;
  const startSec = oldest.bucketStartSec;
  const targetSec = spans.toSec === CARRIED_SPAN_SEC ? 0 : Math.floor(startSec / spans.toSec) * spans.toSec;
  const next = await trx
    .selectFrom('trafficLedger')
    .select('clientId')
    .where('spanSec', '=', spans.fromSec)
    .where('bucketStartSec', '=', startSec)
    .orderBy('clientId')
    .offset(limit)
    .limit(1)
    .executeTakeFirst();
  const slice = sql`spanSec = ${spans.fromSec} AND bucketStartSec = ${startSec} AND clientId <= ${next?.clientId ?? Number.MAX_SAFE_INTEGER}`;
  await sql`INSERT INTO trafficLedger (spanSec, bucketStartSec, clientId, sourceId, upBytes, downBytes)
    SELECT ${spans.toSec}, ${targetSec}, clientId, sourceId, upBytes, downBytes FROM trafficLedger
    WHERE ${slice} AND (EXISTS (SELECT 1 FROM clients WHERE clients.id = clientId)
      OR EXISTS (SELECT 1 FROM recycleBin WHERE kind = 'client' AND itemId = clientId))
    ON CONFLICT (spanSec, bucketStartSec, clientId, sourceId) DO UPDATE SET upBytes = trafficLedger.upBytes + excluded.upBytes, downBytes = trafficLedger.downBytes + excluded.downBytes`.execute(
    trx,
  );
  await sql`DELETE FROM trafficLedger WHERE ${slice}`.execute(trx);
  return true;
}
