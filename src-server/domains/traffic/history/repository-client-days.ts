import { sql } from 'kysely';
import { runBatch } from '../../../store/batch.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Db } from '../../../store/schema.ts';
import { FINE_SPAN_SEC } from '../ledger/ledger-spans.ts';
import { numbersIn } from '../../../store/dialect/each-json.ts';
import { readIds } from '../../../store/dialect/id-list.ts';

export const CLIENTS_PER_PAGE = 1024;
/** As a mark: the whole bucket was added. */
export const ALL_PAGES = 2 ** 31;

export const pageOf = (clientId: number): number => Math.floor(clientId / CLIENTS_PER_PAGE);

export interface Moved {
  clientId: number;
  bytes: number;
}

export async function clientDayMark(db: Db): Promise<{ bucketStartSec: number; page: number } | null> {
  return (await db.selectFrom('clientDayMark').select(['bucketStartSec', 'page']).executeTakeFirst()) ?? null;
}

export async function setClientDayMark(trx: WriteTransaction, bucketStartSec: number, page: number): Promise<void> {
  await sql`INSERT INTO clientDayMark (id, bucketStartSec, page) VALUES (1, ${bucketStartSec}, ${page})
    ON CONFLICT (id) DO UPDATE SET bucketStartSec = excluded.bucketStartSec, page = excluded.page`.execute(trx);
}

/** Start of the next five minutes with entries, in seconds; null = there are none. */
export async function bucketAfter(db: Db, bucketSec: number): Promise<number | null> {
  const { rows } = await sql<{ next: number | null }>`SELECT min(bucketStartSec) AS next FROM trafficLedger
    WHERE spanSec = ${FINE_SPAN_SEC} AND bucketStartSec > ${bucketSec}`.execute(db);
  return rows[0]?.next ?? null;
}

/** Traffic of clients in a bucket, ordered by id from `fromId`, at most `limit`. Manual corrections are not traffic. */
export async function movedInBucket(db: Db, bucketSec: number, fromId: number, limit: number): Promise<Moved[]> {
  const { rows } = await sql<Moved>`
    SELECT entry.clientId, sum(entry.upBytes + entry.downBytes) AS bytes
    FROM trafficLedger AS entry CROSS JOIN trafficSources AS source ON source.id = entry.sourceId
    WHERE entry.spanSec = ${FINE_SPAN_SEC} AND entry.bucketStartSec = ${bucketSec} AND entry.clientId >= ${fromId}
      AND source.kind IN ('core', 'node')
    GROUP BY entry.clientId ORDER BY entry.clientId LIMIT ${limit}`.execute(db);
  return rows;
}

/** Adds traffic to the pages of a day. */
export async function addToDay(trx: WriteTransaction, daySec: number, moved: readonly Moved[]): Promise<void> {
  const pages = new Map<number, Float64Array<ArrayBuffer>>();
  const wanted = [...new Set(moved.map(({ clientId }) => pageOf(clientId)))];
  if (wanted.length === 0) return;
  const stored = await trx
    .selectFrom('clientDayPages')
    .select(['page', 'totals'])
    .where('daySec', '=', daySec)
    .where('page', 'in', wanted)
    .execute();
  for (const { page, totals } of stored) pages.set(page, totalsOf(totals));
  for (const { clientId, bytes } of moved) {
    const page = pageOf(clientId);
    let totals = pages.get(page);
    if (totals === undefined) pages.set(page, (totals = new Float64Array(CLIENTS_PER_PAGE)));
    totals[clientId % CLIENTS_PER_PAGE]! += bytes;
  }
  await runBatch(
    trx,
    sql`INSERT INTO clientDayPages (daySec, page, totals) VALUES (${0}, ${0}, ${0})
      ON CONFLICT (daySec, page) DO UPDATE SET totals = excluded.totals`,
    [[daySec], Float64Array.from(pages.keys()), Array.from(pages.values(), ({ buffer }) => new Uint8Array(buffer))],
    pages.size,
  );
}

export async function hasDaysBefore(db: Db, daySec: number): Promise<boolean> {
  const first = await db.selectFrom('clientDayPages').select('daySec').orderBy('daySec').limit(1).executeTakeFirst();
  return first !== undefined && first.daySec < daySec;
}

export async function dropDaysBefore(trx: WriteTransaction, daySec: number): Promise<void> {
  await trx.deleteFrom('clientDayPages').where('daySec', '<', daySec).execute();
}

/** Days with data, by their start in seconds, within [fromSec, untilSec). */
export async function knownDays(db: Db, fromSec: number, untilSec: number): Promise<number[]> {
  const { rows } = await sql<{ daySec: number }>`SELECT DISTINCT daySec FROM clientDayPages
    WHERE daySec >= ${fromSec} AND daySec < ${untilSec}`.execute(db);
  return rows.map(({ daySec }) => daySec);
}

export async function pagesOfDay(db: Db, daySec: number): Promise<{ page: number; totals: Float64Array }[]> {
  const rows = await db.selectFrom('clientDayPages').select(['page', 'totals']).where('daySec', '=', daySec).execute();
  return rows.map(({ page, totals }) => ({ page, totals: totalsOf(totals) }));
}

export const clientIds = (db: Db): Promise<Uint32Array> => readIds(db, sql<{ id: number }>`SELECT id FROM clients`);

export async function emailsById(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; email: string }>`SELECT id, email FROM clients
    WHERE id IN ${numbersIn(JSON.stringify(ids))}`.execute(db);
  return new Map(rows.map(({ id, email }) => [id, email]));
}

function totalsOf(stored: Uint8Array): Float64Array<ArrayBuffer> {
  const totals = new Float64Array(CLIENTS_PER_PAGE);
  new Uint8Array(totals.buffer).set(stored);
  return totals;
}
