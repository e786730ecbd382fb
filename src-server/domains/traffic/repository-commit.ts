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
/** Enough for any rate at which watching them one by one makes sense. */
const MAX_WATCHED = 1_000;

/** The one transaction of a reading: baselines, counters, ledger, last seen, delayed starts, quarantine. */
export async function commitCounters(trx: WriteTransaction, commit: CounterCommit): Promise<Committed> {
  const { changed, nowMs, sourceId } = commit;
  await moveBaselines(trx, changed.user);
  const outcome = await creditUsers(trx, commit);
  if (changed.inbound.ids.length > 0) await creditInbounds(trx, changed.inbound);
  if (changed.outbound.ids.length > 0) {
    await moveBaselines(trx, changed.outbound);
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

async function moveBaselines(trx: WriteTransaction, rows: Changed): Promise<void> {
  await runBatch(
    trx,
    sql`UPDATE counterBaselines SET upBytes = ${0}, downBytes = ${0} WHERE id = ${0}`,
    [new Float64Array(rows.up), new Float64Array(rows.down), new Float64Array(rows.ids)],
    rows.ids.length,
  );
}

/**
 * The deltas go into a temporary table once, keyed by the client that owns the counter in this very moment: a client that
 * was renamed has two counters, a client deleted meanwhile has none. Everything after that is one statement per table.
 */
async function creditUsers(trx: WriteTransaction, commit: CounterCommit): Promise<Committed> {
  const { nowMs, sourceId } = commit;
  const count = await fillMoved(trx, commit.changed.user);
  if (count === 0) return { activatedIds: [], nearQuota: [], leftover: [] };
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

/** @returns number of counters with bytes to credit */
async function fillMoved(trx: WriteTransaction, rows: Changed): Promise<number> {
  const columns = { ids: [] as number[], positions: [] as number[], up: [] as number[], down: [] as number[] };
  for (let i = 0; i < rows.ids.length; i++) {
    if (rows.upDelta[i] === 0 && rows.downDelta[i] === 0) continue;
    columns.ids.push(rows.ids[i]!);
    columns.positions.push(rows.positions[i]!);
    columns.up.push(rows.upDelta[i]!);
    columns.down.push(rows.downDelta[i]!);
  }
  const count = columns.ids.length;
  if (count === 0) return 0;
  await sql`CREATE TEMP TABLE IF NOT EXISTS moved
    (clientId INTEGER PRIMARY KEY, position INTEGER, up INTEGER, down INTEGER)`.execute(trx);
  await sql`DELETE FROM temp.moved`.execute(trx);
  const ids = new Float64Array(columns.ids);
  // Not INSERT ... SELECT, which takes eight times as long here. A counter without owner gets a key that is no client's.
  await runBatch(
    trx,
    sql`INSERT INTO temp.moved (clientId, position, up, down)
      VALUES (coalesce((SELECT ownerId FROM counterBaselines WHERE id = ${0}), -${0}), ${0}, ${0}, ${0})
      ON CONFLICT (clientId) DO UPDATE SET up = up + excluded.up, down = down + excluded.down`,
    [ids, ids, new Float64Array(columns.positions), new Float64Array(columns.up), new Float64Array(columns.down)],
    count,
  );
  return count;
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
