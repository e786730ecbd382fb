import { sql, type RawBuilder } from 'kysely';
import { MAX_BYTES } from '../../../contract/fields/port.ts';
import { runScript, type Step } from '../../../store/batch.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import { spelled } from '../../../store/dialect/spelled.ts';
import { MAX_TIME_MS } from '../../clients/contract.ts';
import type { CounterKind } from './baselines.ts';
import { addClientTotals, addInboundTotals } from '../history/repository-totals.ts';
import type { Credits } from '../ledger/credits.ts';
import { bucketStartSec, FINE_SPAN_SEC } from '../ledger/ledger-spans.ts';
import type { Changed, Implausible } from './measure.ts';
import { rowByRow } from '../../../store/dialect/row-by-row.ts';
import { eachText } from '../../../store/dialect/each-json.ts';

const MAX = sql.raw(String(MAX_BYTES));
/** A later end could be neither shown nor saved. */
const LATEST = sql.raw(String(MAX_TIME_MS));

/** Differences of one reading, ready to be stored. */
export interface CounterCommit {
  sourceId: number;
  nowMs: number;
  /** False while the time is not known: a delayed start then waits for later traffic. */
  startsTerms: boolean;
  /** Time span of the differences. */
  intervalMs: number;
  /** Traffic of clients. */
  credits: Credits;
  users: Changed;
  inbounds: Changed;
  /** `tags` in the order of the columns. */
  outbounds: Changed & { tags: readonly string[] };
  implausible: (Implausible & { kind: CounterKind })[];
  /** E-mails connected without moving bytes; their last-seen time is raised. */
  connected: string[];
}

export interface Committed {
  /** Clients whose delayed start began now. */
  activatedIds: number[];
  /** Positions of users that will reach their quota within {@link SOON_MS} at this speed. */
  nearQuota: number[];
  /** Positions of users that the loop disabled but that moved bytes: one of their connections is still open. */
  leftover: number[];
}

/** Users that would exceed their quota within this time are read more often. */
export const SOON_MS = 10_000;
/** Enough for any rate at which watching them one by one makes sense. */
const MAX_WATCHED = 1_000;

/** The one transaction of a reading: baselines, counters, ledger, last seen, delayed starts, quarantine. */
export async function commitCounters(trx: WriteTransaction, commit: CounterCommit): Promise<Committed> {
  const credited = creditClients(commit);
  const rows = await runScript(trx, [
    ...credited,
    ...moveBaselines(commit),
    ...creditInbounds(commit),
    ...creditOutbounds(commit.outbounds),
    ...setAside(commit),
    ...raiseLastSeen(commit),
  ]);
  if (credited.length === 0) return { activatedIds: [], nearQuota: [], leftover: [] };
  const [activated, watched] = rows.slice(credited.length - 2, credited.length) as [
    { clientId: number }[],
    { position: number; enable: number }[],
  ];
  return {
    activatedIds: activated.map(({ clientId }) => clientId),
    nearQuota: watched.flatMap(({ position, enable }) => (enable === 1 ? [position] : [])),
    leftover: watched.flatMap(({ position, enable }) => (enable === 0 ? [position] : [])),
  };
}

/**
 * The traffic is written to a temporary table once, and every later statement works on whole tables: 50,000 single
 * updates take three times as long. The last two steps return clients whose delayed start began, and clients to watch.
 */
function creditClients({ credits, nowMs, startsTerms, sourceId, intervalMs }: CounterCommit): Step[] {
  const { clientIds, positions, up, down } = credits;
  if (clientIds.length === 0) return [];
  const speedFactor = SOON_MS / Math.max(intervalMs, 1);
  // CROSS JOIN and IN: the few rows with traffic drive the join, whatever the number of clients.
  return [
    sql`CREATE TEMP TABLE IF NOT EXISTS moved
      (clientId INTEGER PRIMARY KEY, position INTEGER, up INTEGER, down INTEGER)`,
    sql`DELETE FROM temp.moved`,
    {
      query: sql`INSERT INTO temp.moved (clientId, position, up, down) VALUES (${0}, ${0}, ${0}, ${0})`,
      columns: [clientIds, positions, up, down],
      rowCount: clientIds.length,
    },
    ...rowByRow([
      // The ledger comes first, while the old counters still show how much fits below the maximum: both stay equal.
      sql`INSERT INTO trafficLedger (spanSec, bucketStartSec, clientId, sourceId, upBytes, downBytes)
        SELECT ${FINE_SPAN_SEC}, ${bucketStartSec(nowMs, FINE_SPAN_SEC)}, moved.clientId, ${sourceId},
          min(moved.up, ${MAX} - state.upBytes), min(moved.down, ${MAX} - state.downBytes)
        FROM temp.moved AS moved CROSS JOIN clientStates AS state ON state.clientId = moved.clientId WHERE true
        ON CONFLICT (spanSec, bucketStartSec, clientId, sourceId) DO UPDATE SET upBytes = trafficLedger.upBytes + excluded.upBytes, downBytes = trafficLedger.downBytes + excluded.downBytes`,
      raiseCounters(nowMs),
    ]),
    ...addClientTotals('moved', { sourceId, nowMs }),
    sql`UPDATE clientStates SET expiresAtMs = min(CAST(${nowMs} AS INTEGER) - expiresAtMs, ${LATEST})
      WHERE expiresAtMs < 0 AND ${startsTerms ? sql`true` : sql`false`}
        AND clientId IN (SELECT clientId FROM temp.moved) RETURNING clientId`,
    sql`SELECT moved.position, state.enable
      FROM temp.moved AS moved CROSS JOIN clientStates AS state ON state.clientId = moved.clientId
      WHERE (state.enable = 0 AND state.disabledBy = 'loop')
        OR (state.enable = 1 AND state.quotaBytes > 0
          AND state.quotaBytes - state.upBytes - state.downBytes <= (moved.up + moved.down) * ${speedFactor})
      LIMIT ${MAX_WATCHED}`,
  ];
}

/** Both let the few rows with traffic drive the join; one lookup per row costs PostgreSQL half of the statement. */
function raiseCounters(nowMs: number): RawBuilder<unknown> {
  const [up, down] = [
    sql`clientStates.upBytes + min(moved.up, ${MAX} - clientStates.upBytes)`,
    sql`clientStates.downBytes + min(moved.down, ${MAX} - clientStates.downBytes)`,
  ];
  const seen = sql`lastOnlineAtMs = max(lastOnlineAtMs, CAST(${nowMs} AS INTEGER))`;
  return spelled(
    sql`UPDATE clientStates SET (upBytes, downBytes) = (
        SELECT ${up}, ${down} FROM temp.moved AS moved WHERE moved.clientId = clientStates.clientId), ${seen}
      WHERE clientId IN (SELECT clientId FROM temp.moved)`,
    sql`UPDATE clientStates SET upBytes = ${up}, downBytes = ${down}, ${seen}
      FROM temp.moved AS moved WHERE moved.clientId = clientStates.clientId`,
  );
}

function moveBaselines({ users, inbounds, outbounds }: CounterCommit): Step[] {
  return [
    sql`CREATE TEMP TABLE IF NOT EXISTS counted (id INTEGER PRIMARY KEY, up INTEGER, down INTEGER)`,
    sql`DELETE FROM temp.counted`,
    ...[users, inbounds, outbounds].map(({ ids, up, down }) => ({
      query: sql`INSERT INTO temp.counted (id, up, down) VALUES (${0}, ${0}, ${0})`,
      columns: [ids, up, down],
      rowCount: ids.length,
    })),
    spelled(
      sql`UPDATE counterBaselines SET (upBytes, downBytes) = (
          SELECT up, down FROM temp.counted AS counted WHERE counted.id = counterBaselines.id)
        WHERE id IN (SELECT id FROM temp.counted)`,
      sql`UPDATE counterBaselines SET upBytes = counted.up, downBytes = counted.down
        FROM temp.counted AS counted WHERE counted.id = counterBaselines.id`,
    ),
  ];
}

/**
 * Inbounds are looked up by tag each time: an inbound deleted and created again with its tag continues the old counter.
 * After a tag change, the recorded owner gets what open connections still move under the old one.
 */
function creditInbounds({ inbounds, sourceId, nowMs }: CounterCommit): Step[] {
  const { ids, upDelta, downDelta } = inbounds;
  if (ids.length === 0) return [];
  const columns = [upDelta, downDelta, ids] as const;
  return [
    {
      query: sql`UPDATE counterBaselines
        SET ownerId = coalesce((SELECT id FROM inbounds WHERE tag = subject AND nodeId IS NULL), ownerId) WHERE id = ${0}`,
      columns: [columns[2]],
      rowCount: ids.length,
    },
    {
      query: sql`UPDATE inbounds SET upBytes = upBytes + min(CAST(${0} AS INTEGER), ${MAX} - upBytes),
          downBytes = downBytes + min(CAST(${0} AS INTEGER), ${MAX} - downBytes)
        WHERE nodeId IS NULL AND id = (SELECT ownerId FROM counterBaselines WHERE id = ${0})`,
      columns,
      rowCount: ids.length,
    },
    addInboundTotals({ sourceId, nowMs }, inbounds),
  ];
}

function creditOutbounds({ tags, upDelta, downDelta }: CounterCommit['outbounds']): Step[] {
  if (tags.length === 0) return [];
  return [
    {
      query: sql`INSERT INTO outboundTraffics (tag, upBytes, downBytes) VALUES (${''}, ${0}, ${0})
        ON CONFLICT (tag) DO UPDATE SET upBytes = min(outboundTraffics.upBytes + excluded.upBytes, ${MAX}),
          downBytes = min(outboundTraffics.downBytes + excluded.downBytes, ${MAX})`,
      columns: [tags, upDelta, downDelta],
      rowCount: tags.length,
    },
  ];
}

function setAside({ implausible, nowMs, sourceId, intervalMs }: CounterCommit): Step[] {
  return implausible.map(
    ({ kind, subject, upDelta, downDelta }) => sql`
      INSERT INTO quarantinedDeltas (atMs, sourceId, kind, subject, upBytes, downBytes, intervalMs, ownerId)
      VALUES (${nowMs}, ${sourceId}, ${kind}, ${subject}, ${upDelta}, ${downDelta}, ${Math.round(intervalMs)},
        (SELECT ownerId FROM counterBaselines WHERE sourceId = ${sourceId} AND kind = ${kind} AND subject = ${subject}))`,
  );
}

function raiseLastSeen({ connected, nowMs }: CounterCommit): Step[] {
  if (connected.length === 0) return [];
  return [
    sql`UPDATE clientStates SET lastOnlineAtMs = max(lastOnlineAtMs, CAST(${nowMs} AS INTEGER))
      WHERE clientId IN (SELECT client.id FROM ${eachText(JSON.stringify(connected))} AS j
        JOIN clients AS client ON client.email = j.value)`,
  ];
}
