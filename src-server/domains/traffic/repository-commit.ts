import { sql } from 'kysely';
import { MAX_BYTES } from '../../contract/port.ts';
import { runBatch } from '../../store/batch.ts';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { CounterKind } from './baselines.ts';
import { bucketStartSec, FINE_SPAN_SEC } from './ledger-spans.ts';
import type { Changed, Implausible } from './measure.ts';

const MAX = sql.raw(String(MAX_BYTES));

/** Differences of one reading, ready to be stored. */
export interface CounterCommit {
  sourceId: number;
  nowMs: number;
  /** Time the differences cover. */
  intervalMs: number;
  changed: Record<CounterKind, Changed>;
  /** Tags of the changed outbounds, in their order. */
  outboundTags: string[];
  implausible: (Implausible & { kind: CounterKind })[];
  /** E-mails that are connected without moving bytes; their last-seen time is raised. */
  connected: string[];
}

export interface Committed {
  /** Clients whose delayed start began now. */
  activatedIds: number[];
  /** Positions of users that reach their quota within {@link SOON_MS} at this speed. */
  nearQuota: number[];
  /** Positions of users that the loop switched off and that moved bytes: a connection of theirs is still open. */
  leftover: number[];
}

/** Users that would be over their quota within this time are read more often. */
export const SOON_MS = 10_000;
/** Counters of one reading. */
const MAX_READING = 2 ** 21;
/** Enough for any rate at which watching them one by one makes sense. */
const MAX_WATCHED = 1_000;

/** The one transaction of a reading: baselines, counters, ledger, last seen, delayed starts, quarantine. */
export async function commitCounters(trx: WriteTransaction, commit: CounterCommit): Promise<Committed> {
  const { changed, nowMs, sourceId } = commit;
  const outcome = await creditUsers(trx, commit);
  if (changed.inbound.ids.length > 0) await creditInbounds(trx, changed.inbound);
  if (changed.outbound.ids.length > 0) {
    await fillReading(trx, changed.outbound);
    await moveBaselines(trx);
    await creditOutbounds(trx, changed.outbound, commit.outboundTags);
  }
  for (const { kind, subject, upDelta, downDelta } of commit.implausible) {
    await trx
      .insertInto('quarantinedDeltas')
      .values({
        atMs: nowMs,
        sourceId,
        kind,
        subject,
        upBytes: upDelta,
        downBytes: downDelta,
        intervalMs: Math.round(commit.intervalMs),
        ownerId: (eb) =>
          eb
            .selectFrom('counterBaselines')
            .select('ownerId')
            .where('sourceId', '=', sourceId)
            .where('kind', '=', kind)
            .where('subject', '=', subject),
      })
      .execute();
  }
  if (commit.connected.length > 0) {
    await sql`UPDATE clientStates SET lastOnlineAtMs = max(lastOnlineAtMs, CAST(${nowMs} AS INTEGER))
      WHERE clientId IN (SELECT client.id FROM json_each(${JSON.stringify(commit.connected)}) AS j
        JOIN clients AS client ON client.email = j.value)`.execute(trx);
  }
  return outcome;
}

/**
 * The reading goes into a temporary table once, in the order of its counters, and every statement after that works on whole
 * tables: 50,000 single updates take three times as long.
 */
async function fillReading(trx: WriteTransaction, rows: Changed): Promise<void> {
  await sql`CREATE TEMP TABLE IF NOT EXISTS reading
    (id INTEGER PRIMARY KEY, position INTEGER, up INTEGER, down INTEGER, upDelta INTEGER, downDelta INTEGER)`.execute(
    trx,
  );
  await sql`DELETE FROM temp.reading`.execute(trx);
  const order = orderOf(rows.ids);
  await runBatch(
    trx,
    sql`INSERT INTO temp.reading (id, position, up, down, upDelta, downDelta) VALUES (${0}, ${0}, ${0}, ${0}, ${0}, ${0})`,
    [rows.ids, rows.positions, rows.up, rows.down, rows.upDelta, rows.downDelta].map((column) => picked(column, order)),
    order.length,
  );
}

// Plain loops: the functions that take a callback hold the event loop ten times as long.

/** Places of the ids in ascending order, found by sorting numbers that carry their place. */
function orderOf(ids: readonly number[]): Float64Array {
  const keys = new Float64Array(ids.length);
  for (let i = 0; i < ids.length; i++) keys[i] = ids[i]! * MAX_READING + i;
  keys.sort();
  for (let i = 0; i < keys.length; i++) keys[i] = keys[i]! % MAX_READING;
  return keys;
}

function picked(column: readonly number[], order: Float64Array): Float64Array {
  const values = new Float64Array(order.length);
  for (let i = 0; i < order.length; i++) values[i] = column[order[i]!]!;
  return values;
}

async function moveBaselines(trx: WriteTransaction): Promise<void> {
  await sql`UPDATE counterBaselines SET (upBytes, downBytes) = (
      SELECT reading.up, reading.down FROM temp.reading AS reading WHERE reading.id = counterBaselines.id)
    WHERE id IN (SELECT id FROM temp.reading)`.execute(trx);
}

async function creditUsers(trx: WriteTransaction, commit: CounterCommit): Promise<Committed> {
  const { nowMs, sourceId } = commit;
  const nothing: Committed = { activatedIds: [], nearQuota: [], leftover: [] };
  if (commit.changed.user.ids.length === 0) return nothing;
  await fillReading(trx, commit.changed.user);
  await moveBaselines(trx);
  if ((await fillMoved(trx)) === 0) return nothing;
  // CROSS JOIN and IN: the few that moved lead, whatever the number of clients.
  // The ledger comes first, while the old counters still tell how much fits below the largest number: both stay equal.
  await sql`INSERT INTO trafficLedger (spanSec, bucketStartSec, clientId, sourceId, upBytes, downBytes)
    SELECT ${FINE_SPAN_SEC}, ${bucketStartSec(nowMs, FINE_SPAN_SEC)}, moved.clientId, ${sourceId},
      min(moved.up, ${MAX} - state.upBytes), min(moved.down, ${MAX} - state.downBytes)
    FROM temp.moved AS moved CROSS JOIN clientStates AS state ON state.clientId = moved.clientId WHERE true
    ON CONFLICT DO UPDATE SET upBytes = upBytes + excluded.upBytes, downBytes = downBytes + excluded.downBytes`.execute(
    trx,
  );
  await sql`UPDATE clientStates SET (upBytes, downBytes) = (
      SELECT clientStates.upBytes + min(moved.up, ${MAX} - clientStates.upBytes),
        clientStates.downBytes + min(moved.down, ${MAX} - clientStates.downBytes)
      FROM temp.moved AS moved WHERE moved.clientId = clientStates.clientId),
      lastOnlineAtMs = max(lastOnlineAtMs, CAST(${nowMs} AS INTEGER))
    WHERE clientId IN (SELECT clientId FROM temp.moved)`.execute(trx);
  const activated = await sql<{ clientId: number }>`
    UPDATE clientStates SET expiresAtMs = min(CAST(${nowMs} AS INTEGER) - expiresAtMs, ${MAX})
    WHERE expiresAtMs < 0 AND clientId IN (SELECT clientId FROM temp.moved) RETURNING clientId`.execute(trx);
  const speedFactor = SOON_MS / Math.max(commit.intervalMs, 1);
  const watched = await sql<{ position: number; enable: number }>`
    SELECT moved.position, state.enable FROM temp.moved AS moved CROSS JOIN clientStates AS state ON state.clientId = moved.clientId
    WHERE (state.enable = 0 AND state.disabledBy = 'loop')
      OR (state.enable = 1 AND state.quotaBytes > 0
        AND state.quotaBytes - state.upBytes - state.downBytes <= (moved.up + moved.down) * ${speedFactor})
    LIMIT ${MAX_WATCHED}`.execute(trx);
  return {
    activatedIds: activated.rows.map(({ clientId }) => clientId),
    nearQuota: watched.rows.flatMap(({ position, enable }) => (enable === 1 ? [position] : [])),
    leftover: watched.rows.flatMap(({ position, enable }) => (enable === 0 ? [position] : [])),
  };
}

/**
 * Keys the deltas by the client that owns the counter in this very moment: a client that was renamed has two counters, a
 * client deleted meanwhile has none, and the key is then no client's.
 * @returns number of counters with bytes to credit
 */
async function fillMoved(trx: WriteTransaction): Promise<number> {
  await sql`CREATE TEMP TABLE IF NOT EXISTS moved
    (clientId INTEGER PRIMARY KEY, position INTEGER, up INTEGER, down INTEGER)`.execute(trx);
  await sql`DELETE FROM temp.moved`.execute(trx);
  const { numAffectedRows } = await sql`
    INSERT INTO temp.moved (clientId, position, up, down)
    SELECT coalesce(base.ownerId, -reading.id), reading.position, reading.upDelta, reading.downDelta
    FROM temp.reading AS reading CROSS JOIN counterBaselines AS base ON base.id = reading.id
    WHERE reading.upDelta > 0 OR reading.downDelta > 0
    ON CONFLICT (clientId) DO UPDATE SET up = up + excluded.up, down = down + excluded.down`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Inbounds are looked up by tag each time: an inbound deleted and made again under its tag goes on with the old counter.
 * After a change of the tag the remembered owner gets what open connections still move under the old one.
 */
async function creditInbounds(trx: WriteTransaction, rows: Changed): Promise<void> {
  const ids = new Float64Array(rows.ids);
  await runBatch(
    trx,
    sql`UPDATE counterBaselines SET upBytes = ${0}, downBytes = ${0},
      ownerId = coalesce((SELECT id FROM inbounds WHERE tag = subject AND nodeId IS NULL), ownerId) WHERE id = ${0}`,
    [new Float64Array(rows.up), new Float64Array(rows.down), ids],
    rows.ids.length,
  );
  await runBatch(
    trx,
    sql`UPDATE inbounds SET upBytes = upBytes + min(CAST(${0} AS INTEGER), ${MAX} - upBytes),
        downBytes = downBytes + min(CAST(${0} AS INTEGER), ${MAX} - downBytes)
      WHERE nodeId IS NULL AND id = (SELECT ownerId FROM counterBaselines WHERE id = ${0})`,
    [new Float64Array(rows.upDelta), new Float64Array(rows.downDelta), ids],
    rows.ids.length,
  );
}

async function creditOutbounds(trx: WriteTransaction, rows: Changed, tags: readonly string[]): Promise<void> {
  await runBatch(
    trx,
    sql`INSERT INTO outboundTraffics (tag, upBytes, downBytes) VALUES (${''}, ${0}, ${0}) ON CONFLICT (tag) DO UPDATE SET
      upBytes = min(upBytes + excluded.upBytes, ${MAX}),
      downBytes = min(downBytes + excluded.downBytes, ${MAX})`,
    [tags, new Float64Array(rows.upDelta), new Float64Array(rows.downDelta)],
    tags.length,
  );
}
