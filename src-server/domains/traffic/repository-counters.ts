import { sql } from 'kysely';
import { MAX_BYTES } from '../../contract/port.ts';
import { runBatch } from '../../store/batch.ts';
import type { Store, WriteTransaction } from '../../store/open-store.ts';
import { addBaseline, type BaselineBook, type BaselineRow, type CounterKind } from './baselines.ts';
import { bucketStartSec, FINE_SPAN_SEC } from './ledger-spans.ts';
import type { Changed, Implausible } from './measure.ts';

/** Rows per read on the main thread: a few ms. */
const PAGE = 2_000;
const MAX = sql.raw(String(MAX_BYTES));
const OWNER_OF: Record<CounterKind, string> = {
  user: '(SELECT id FROM clients WHERE email = j.value)',
  inbound: '(SELECT id FROM inbounds WHERE tag = j.value AND nodeId IS NULL)',
  outbound: 'NULL',
};

/** Id of the bookkeeping or counting source, created when it is new. */
export async function sourceIdOf(
  trx: WriteTransaction,
  kind: 'core' | 'reset' | 'manual' | 'opening',
  guid = '',
): Promise<number> {
  const found = await trx
    .selectFrom('trafficSources')
    .select('id')
    .where('kind', '=', kind)
    .where('guid', '=', guid)
    .executeTakeFirst();
  if (found !== undefined) return found.id;
  const { insertId } = await trx
    .insertInto('trafficSources')
    .values({ kind, guid, bootId: '' })
    .executeTakeFirstOrThrow();
  return Number(insertId);
}

/**
 * Makes `bootId` the boot that the source's baselines belong to. Another boot drops them in the same transaction: the
 * panel started that process itself, so everything it counts is new.
 */
export async function enterBoot(trx: WriteTransaction, sourceId: number, bootId: string): Promise<void> {
  const source = await trx
    .selectFrom('trafficSources')
    .select('bootId')
    .where('id', '=', sourceId)
    .executeTakeFirstOrThrow();
  if (source.bootId === bootId) return;
  await trx.deleteFrom('counterBaselines').where('sourceId', '=', sourceId).execute();
  await trx.updateTable('trafficSources').set({ bootId }).where('id', '=', sourceId).execute();
}

/** Takes rows the book does not know yet over from the table, in pages with turns of the event loop in between. */
export async function loadNewBaselines(store: Store, book: BaselineBook): Promise<void> {
  for (;;) {
    const { rows } = await sql<BaselineRow>`
      SELECT id, kind, subject, upBytes, downBytes FROM counterBaselines
      WHERE id > ${book.maxId} AND sourceId = ${book.sourceId} ORDER BY id LIMIT ${PAGE}`.execute(store.reader);
    for (const row of rows) addBaseline(book, row);
    if (rows.length < PAGE) return;
    await new Promise(setImmediate);
  }
}

/** Opens baselines at zero for names seen for the first time, owned by whoever bears the name now. Known names are kept. */
export async function registerSubjects(
  trx: WriteTransaction,
  sourceId: number,
  kind: CounterKind,
  subjects: readonly string[],
): Promise<void> {
  await sql`INSERT INTO counterBaselines (sourceId, kind, subject, ownerId, upBytes, downBytes)
    SELECT ${sourceId}, ${kind}, j.value, ${sql.raw(OWNER_OF[kind])}, 0, 0 FROM json_each(${JSON.stringify(subjects)}) AS j
    WHERE true ON CONFLICT (sourceId, kind, subject) DO NOTHING`.execute(trx);
}

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
  /** Whether somebody who was switched off by the loop moved bytes: a connection of theirs is still open. */
  hasOpenLeftover: boolean;
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
    [Float64Array.from(rows.up), Float64Array.from(rows.down), Float64Array.from(rows.ids)],
    rows.ids.length,
  );
}

/**
 * The deltas go into a temporary table once, keyed by the client that owns the counter in this very moment: a client that
 * was renamed has two counters, a client deleted meanwhile has none. Everything after that is one statement per table.
 */
async function creditUsers(trx: WriteTransaction, commit: CounterCommit): Promise<Committed> {
  const { changed, nowMs, sourceId } = commit;
  const rows = changed.user;
  if (!rows.upDelta.some((up, i) => up + rows.downDelta[i]! > 0))
    return { activatedIds: [], nearQuota: [], hasOpenLeftover: false };
  await sql`CREATE TEMP TABLE IF NOT EXISTS moved
    (clientId INTEGER PRIMARY KEY, position INTEGER, up INTEGER, down INTEGER)`.execute(trx);
  await sql`DELETE FROM temp.moved`.execute(trx);
  await runBatch(
    trx,
    sql`INSERT INTO temp.moved (clientId, position, up, down)
      SELECT state.clientId, ${0}, ${0}, ${0} FROM counterBaselines AS base JOIN clientStates AS state ON state.clientId = base.ownerId
      WHERE base.id = ${0} AND ${0} > 0
      ON CONFLICT (clientId) DO UPDATE SET up = up + excluded.up, down = down + excluded.down`,
    [
      Float64Array.from(rows.positions),
      Float64Array.from(rows.upDelta),
      Float64Array.from(rows.downDelta),
      Float64Array.from(rows.ids),
      Float64Array.from(rows.upDelta, (up, i) => up + rows.downDelta[i]!),
    ],
    rows.ids.length,
  );
  // The ledger comes first, while the old counters still tell how much fits below the largest number: both stay equal.
  await sql`INSERT INTO trafficLedger (spanSec, bucketStartSec, clientId, sourceId, upBytes, downBytes)
    SELECT ${FINE_SPAN_SEC}, ${bucketStartSec(nowMs, FINE_SPAN_SEC)}, moved.clientId, ${sourceId},
      min(moved.up, ${MAX} - state.upBytes), min(moved.down, ${MAX} - state.downBytes)
    FROM temp.moved AS moved JOIN clientStates AS state ON state.clientId = moved.clientId WHERE true
    ON CONFLICT DO UPDATE SET upBytes = upBytes + excluded.upBytes, downBytes = downBytes + excluded.downBytes`.execute(
    trx,
  );
  await sql`UPDATE clientStates AS state SET
      upBytes = state.upBytes + min(moved.up, ${MAX} - state.upBytes),
      downBytes = state.downBytes + min(moved.down, ${MAX} - state.downBytes),
      lastOnlineAtMs = max(state.lastOnlineAtMs, CAST(${nowMs} AS INTEGER))
    FROM temp.moved AS moved WHERE state.clientId = moved.clientId`.execute(trx);
  const activated = await sql<{ clientId: number }>`
    UPDATE clientStates SET expiresAtMs = min(CAST(${nowMs} AS INTEGER) - expiresAtMs, ${MAX})
    WHERE expiresAtMs < 0 AND clientId IN (SELECT clientId FROM temp.moved) RETURNING clientId`.execute(trx);
  const speedFactor = SOON_MS / Math.max(commit.intervalMs, 1);
  const watched = await sql<{ position: number; enable: number }>`
    SELECT moved.position, state.enable FROM temp.moved AS moved JOIN clientStates AS state ON state.clientId = moved.clientId
    WHERE (state.enable = 0 AND state.disabledBy = 'loop')
      OR (state.enable = 1 AND state.quotaBytes > 0
        AND state.quotaBytes - state.upBytes - state.downBytes <= (moved.up + moved.down) * ${speedFactor})
    LIMIT ${MAX_WATCHED}`.execute(trx);
  return {
    activatedIds: activated.rows.map(({ clientId }) => clientId),
    nearQuota: watched.rows.flatMap(({ position, enable }) => (enable === 1 ? [position] : [])),
    hasOpenLeftover: watched.rows.some(({ enable }) => enable === 0),
  };
}

/**
 * Inbounds are looked up by tag each time: an inbound deleted and made again under its tag goes on with the old counter.
 * After a change of the tag the remembered owner gets what open connections still move under the old one.
 */
async function creditInbounds(trx: WriteTransaction, rows: Changed): Promise<void> {
  const ids = Float64Array.from(rows.ids);
  await runBatch(
    trx,
    sql`UPDATE counterBaselines SET upBytes = ${0}, downBytes = ${0},
      ownerId = coalesce((SELECT id FROM inbounds WHERE tag = subject AND nodeId IS NULL), ownerId) WHERE id = ${0}`,
    [Float64Array.from(rows.up), Float64Array.from(rows.down), ids],
    rows.ids.length,
  );
  await runBatch(
    trx,
    sql`UPDATE inbounds SET upBytes = upBytes + min(CAST(${0} AS INTEGER), ${MAX} - upBytes),
        downBytes = downBytes + min(CAST(${0} AS INTEGER), ${MAX} - downBytes)
      WHERE nodeId IS NULL AND id = (SELECT ownerId FROM counterBaselines WHERE id = ${0})`,
    [Float64Array.from(rows.upDelta), Float64Array.from(rows.downDelta), ids],
    rows.ids.length,
  );
}

async function creditOutbounds(trx: WriteTransaction, rows: Changed, tags: readonly string[]): Promise<void> {
  await runBatch(
    trx,
    sql`INSERT INTO outboundTraffics (tag, upBytes, downBytes) VALUES (${''}, ${0}, ${0}) ON CONFLICT (tag) DO UPDATE SET
      upBytes = min(upBytes + excluded.upBytes, ${MAX}),
      downBytes = min(downBytes + excluded.downBytes, ${MAX})`,
    [tags, Float64Array.from(rows.upDelta), Float64Array.from(rows.downDelta)],
    tags.length,
  );
}
