import { sql, type RawBuilder } from 'kysely';
import { MAX_BYTES } from '../../../contract/fields/port.ts';
import type { Step } from '../../../store/batch.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Db } from '../../../store/schema.ts';
import { bucketStartSec, DAY_SPAN_SEC } from '../ledger/ledger-spans.ts';
import { eachObject } from '../../../store/dialect/each-json.ts';

/** Length of a bucket in seconds: midnight in any zone falls on a bucket boundary. */
export const TOTAL_SPAN_SEC = 900;

const MAX = sql.raw(String(MAX_BYTES));
const INSERT = sql`INSERT INTO trafficTotals (kind, subject, spanSec, bucketStartSec, sourceId, upBytes, downBytes)`;
const ADD = sql`ON CONFLICT (kind, subject, spanSec, bucketStartSec, sourceId) DO UPDATE SET upBytes = min(trafficTotals.upBytes + excluded.upBytes, ${MAX}),
  downBytes = min(trafficTotals.downBytes + excluded.downBytes, ${MAX})`;

const totalBucket = (nowMs: number): number => bucketStartSec(nowMs, TOTAL_SPAN_SEC);

/** Owner of the totals: everything (empty subject), a group by name, an inbound by id. */
export interface Subject {
  kind: string;
  subject: string;
}

interface Moment {
  sourceId: number;
  nowMs: number;
}

/**
 * Adds a reading's client credits to the overall total and to group totals, with one scan of `moved` each.
 * @param moved temporary table with `clientId`, `up` and `down`
 */
export function addClientTotals(moved: 'moved' | 'nodeDelta', { sourceId, nowMs }: Moment): Step[] {
  const table = sql.raw(`temp.${moved}`);
  const place = sql`${TOTAL_SPAN_SEC}, ${totalBucket(nowMs)}, ${sourceId}`;
  return [
    sql`${INSERT} SELECT 'all', '', ${place}, min(sum(up), ${MAX}), min(sum(down), ${MAX}) FROM ${table}
      WHERE true HAVING count(*) > 0 ${ADD}`,
    // The index holds only clients with a group; without it, every client row would be looked up.
    sql`${INSERT} SELECT 'group', client.groupName, ${place}, min(sum(moved.up), ${MAX}), min(sum(moved.down), ${MAX})
      FROM ${table} AS moved CROSS JOIN clients AS client INDEXED BY clientsGrouped
        ON client.id = moved.clientId AND client.groupName <> ''
      WHERE true GROUP BY client.groupName ${ADD}`,
  ];
}

/** Adds what this panel's core counted for its inbounds. `ids` are baseline ids, which lead to the inbound. */
export function addInboundTotals(
  { sourceId, nowMs }: Moment,
  { ids, upDelta, downDelta }: Readonly<Record<'ids' | 'upDelta' | 'downDelta', Float64Array>>,
): Step {
  return {
    query: sql`${INSERT} SELECT 'inbound', CAST(inbound.id AS TEXT), ${0}, ${0}, ${0}, CAST(${0} AS INTEGER), CAST(${0} AS INTEGER)
      FROM counterBaselines AS baseline CROSS JOIN inbounds AS inbound ON inbound.id = baseline.ownerId
      WHERE baseline.id = ${0} AND inbound.nodeId IS NULL ${ADD}`,
    columns: [[TOTAL_SPAN_SEC], [totalBucket(nowMs)], [sourceId], upDelta, downDelta, ids],
    rowCount: ids.length,
  };
}

/**
 * Adds the growth of a node's inbounds since their counters were last mirrored; call it before mirroring. A smaller
 * value is a restart and adds nothing; an implausibly large one is ignored.
 * @param reported JSON array of `{ tag, up, down }`
 */
export function addMirroredTotals(
  moment: Moment,
  { nodeId, reported, limitBytes }: { nodeId: number; reported: string; limitBytes: number },
): RawBuilder<unknown> {
  const up = sql`max(0, CAST(j.value ->> 'up' AS INTEGER) - inbounds.upBytes)`;
  const down = sql`max(0, CAST(j.value ->> 'down' AS INTEGER) - inbounds.downBytes)`;
  return sql`${INSERT}
    SELECT 'inbound', CAST(inbounds.id AS TEXT), ${TOTAL_SPAN_SEC}, ${totalBucket(moment.nowMs)}, ${moment.sourceId}, ${up}, ${down}
    FROM ${eachObject(reported)} AS j
    JOIN nodeInbounds AS held ON held.nodeId = ${nodeId} AND held.remoteTag = j.value ->> 'tag'
    JOIN inbounds ON inbounds.id = held.inboundId
    WHERE held.remoteId <> 0 AND held.resetDeliveredAtMs >= inbounds.lastTrafficResetAtMs
      AND ${up} + ${down} > 0 AND ${up} <= ${limitBytes} AND ${down} <= ${limitBytes} ${ADD}`;
}

/** Adds a quarantined difference that was accepted. */
export async function addCreditedTotals(
  trx: WriteTransaction,
  { nowMs, kind, ownerId, deltaId }: { nowMs: number; kind: 'user' | 'inbound'; ownerId: number; deltaId: number },
): Promise<void> {
  const subjects =
    kind === 'inbound'
      ? sql`SELECT 'inbound' AS kind, CAST(${ownerId} AS TEXT) AS subject`
      : sql`
    SELECT 'all' AS kind, '' AS subject UNION ALL
    SELECT 'group', groupName FROM clients WHERE id = ${ownerId} AND groupName <> ''`;
  await sql`${INSERT} SELECT whose.kind, whose.subject, ${TOTAL_SPAN_SEC}, ${totalBucket(nowMs)}, delta.sourceId,
      delta.upBytes, delta.downBytes
    FROM (${subjects}) AS whose CROSS JOIN quarantinedDeltas AS delta WHERE delta.id = ${deltaId} ${ADD}`.execute(trx);
}

/** Moves a group's totals to its new name. */
export async function renameGroupTotals(trx: WriteTransaction, from: string, to: string): Promise<void> {
  await sql`${INSERT} SELECT kind, ${to}, spanSec, bucketStartSec, sourceId, upBytes, downBytes FROM trafficTotals
    WHERE kind = 'group' AND subject = ${from} ${ADD}`.execute(trx);
  await trx.deleteFrom('trafficTotals').where('kind', '=', 'group').where('subject', '=', from).execute();
}

/** The next subject after the given one; null = there is none. */
export async function subjectAfter(db: Db, after: Subject): Promise<Subject | null> {
  const { rows } = await sql<Subject>`SELECT kind, subject FROM trafficTotals
    WHERE (kind, subject) > (${after.kind}, ${after.subject}) ORDER BY kind, subject LIMIT 1`.execute(db);
  return rows[0] ?? null;
}

/** Start of a subject's oldest quarter of an hour, in seconds; null = there is none. */
export async function oldestQuarter(db: Db, { kind, subject }: Subject): Promise<number | null> {
  const { rows } = await sql<{ oldest: number | null }>`SELECT min(bucketStartSec) AS oldest FROM trafficTotals
    WHERE kind = ${kind} AND subject = ${subject} AND spanSec = ${TOTAL_SPAN_SEC}`.execute(db);
  return rows[0]?.oldest ?? null;
}

/** Rolls the quarter-hours of a day, [startSec, endSec), up into one row per source; the sum stays the same. */
export async function rollUpDay(
  trx: WriteTransaction,
  { kind, subject }: Subject,
  { startSec, endSec }: { startSec: number; endSec: number },
): Promise<void> {
  const quarters = sql`kind = ${kind} AND subject = ${subject} AND spanSec = ${TOTAL_SPAN_SEC} AND bucketStartSec < ${endSec}`;
  await sql`${INSERT} SELECT kind, subject, ${DAY_SPAN_SEC}, ${startSec}, sourceId, sum(upBytes), sum(downBytes)
    FROM trafficTotals WHERE ${quarters} GROUP BY kind, subject, sourceId ${ADD}`.execute(trx);
  await sql`DELETE FROM trafficTotals WHERE ${quarters}`.execute(trx);
}

/** The time span of one bar, in seconds since the epoch; the end is exclusive. */
export interface Stretch {
  startSec: number;
  endSec: number;
}

export interface StretchSum {
  /** Index in the list of stretches. */
  at: number;
  kind: 'core' | 'node';
  guid: string;
  upBytes: number;
  downBytes: number;
}

/**
 * Traffic of a subject in each stretch, by source. A rolled-up day counts in the stretch that contains its noon, so
 * that it stays whole when the panel's zone has changed.
 * @param guid of the only source to count; null = all
 */
export async function sumsOf(
  db: Db,
  { kind, subject }: Subject,
  stretches: readonly Stretch[],
  guid: string | null,
): Promise<StretchSum[]> {
  const rows = (spanSec: number, shiftSec: number) => sql`
    SELECT edge.at, entry.sourceId, entry.upBytes, entry.downBytes
    FROM edge CROSS JOIN trafficTotals AS entry
    WHERE entry.kind = ${kind} AND entry.subject = ${subject} AND entry.spanSec = ${spanSec}
      AND entry.bucketStartSec >= edge.startSec - ${shiftSec} AND entry.bucketStartSec < edge.endSec - ${shiftSec}`;
  const { rows: sums } = await sql<StretchSum>`
    WITH edge (at, startSec, endSec) AS MATERIALIZED (
      SELECT key, CAST(value ->> 'startSec' AS INTEGER), CAST(value ->> 'endSec' AS INTEGER) FROM ${eachObject(JSON.stringify(stretches))})
    SELECT part.at, source.kind, source.guid, sum(part.upBytes) AS upBytes, sum(part.downBytes) AS downBytes
    FROM (${rows(TOTAL_SPAN_SEC, 0)} UNION ALL ${rows(DAY_SPAN_SEC, DAY_SPAN_SEC / 2)}) AS part
    CROSS JOIN trafficSources AS source ON source.id = part.sourceId
    WHERE ${guid === null ? sql`true` : sql`source.guid = ${guid}`}
    GROUP BY part.at, source.id`.execute(db);
  return sums;
}
