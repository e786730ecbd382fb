import { sql, type RawBuilder } from 'kysely';
import { MAX_BYTES } from '../../../../contract/fields/port.ts';
import { MAX_TIME_MS } from '../../../clients/contract.ts';
import type { Step } from '../../../../store/batch.ts';
import { addClientTotals, addMirroredTotals } from '../../../traffic/history/repository-totals.ts';
import { bucketStartSec, FINE_SPAN_SEC } from '../../../traffic/ledger/ledger-spans.ts';
import { UNREPORTED, type RemoteCounters, type Snapshot } from '../snapshot.ts';
import { rowByRow } from '../../../../store/dialect/row-by-row.ts';
import { eachObject, textsIn } from '../../../../store/dialect/each-json.ts';

const MAX = sql.raw(String(MAX_BYTES));
const UNREPORTED_SQL = sql.raw(String(UNREPORTED));
/** A later end could be neither shown nor saved. */
const LATEST = sql.raw(String(MAX_TIME_MS));

/*
 * Statements that change `clientStates` select rows with `IN`: with a join to the reading, SQLite would scan all
 * clients once per name.
 */

/** One reading of a node, ready to be merged. */
export interface Merge {
  nodeId: number;
  /** The node among the sources of the ledger. */
  sourceId: number;
  nowMs: number;
  /** When the previous reading was requested; 0 = unknown, and bytes may be from any time. */
  previousReadAtMs: number;
  /** Larger differences per direction are quarantined. */
  limitBytes: number;
  intervalMs: number;
}

/** Fills the table that every statement below joins: the node's counters by name. */
export const fillReading = (counters: RemoteCounters): Step[] => [
  sql`CREATE TEMP TABLE IF NOT EXISTS nodeReading (emailKey TEXT PRIMARY KEY, up INTEGER, down INTEGER,
    isEnabled INTEGER, expiresAtMs INTEGER, lastOnlineAtMs INTEGER, lifetimeUp INTEGER, lifetimeDown INTEGER)
    WITHOUT ROWID`,
  sql`CREATE TEMP TABLE IF NOT EXISTS nodeDelta (clientId INTEGER PRIMARY KEY, up INTEGER, down INTEGER,
    changedAtMs INTEGER)`,
  sql`DELETE FROM temp.nodeReading`,
  sql`DELETE FROM temp.nodeDelta`,
  {
    query: sql`INSERT INTO temp.nodeReading VALUES (${''}, ${0}, ${0}, ${0}, ${0}, ${0},
      nullif(CAST(${0} AS INTEGER), ${UNREPORTED_SQL}), nullif(CAST(${0} AS INTEGER), ${UNREPORTED_SQL}))`,
    columns: [
      counters.emailKeys,
      counters.up,
      counters.down,
      counters.isEnabled,
      counters.expiresAtMs,
      counters.lastOnlineAtMs,
      counters.lifetimeUp,
      counters.lifetimeDown,
    ],
    rowCount: counters.emailKeys.length,
  },
];

/**
 * Adds what the node has forgotten to counters of clients on panels behind it that it has not read since it went back:
 * when it reads them the counters grow by that again, which was counted here before. What resets took off stays the same.
 * @param readGuids GUIDs of the node and of the panels behind it that it has read
 */
export function addForgotten(nodeId: number, readGuids: readonly string[]): Step {
  const forgotten = (direction: 'Up' | 'Down'): RawBuilder<unknown> => {
    const [reading, held] = [sql.raw(`lifetime${direction}`), sql.raw(`held.lifetime${direction}Bytes`)];
    return sql`max(0, coalesce(${held} - nodeReading.${reading}, 0))`;
  };
  return sql`UPDATE temp.nodeReading SET up = nodeReading.up + ${forgotten('Up')},
      down = nodeReading.down + ${forgotten('Down')}, lifetimeUp = nodeReading.lifetimeUp + ${forgotten('Up')},
      lifetimeDown = nodeReading.lifetimeDown + ${forgotten('Down')}
    FROM nodeClients AS held
    WHERE held.nodeId = ${nodeId} AND held.emailKey = nodeReading.emailKey AND held.emailKey <> ''
      AND EXISTS (SELECT 1 FROM clientInbounds AS link CROSS JOIN inbounds AS inbound ON inbound.id = link.inboundId
        WHERE link.clientId = held.clientId AND inbound.nodeId = ${nodeId} AND inbound.originNodeGuid <> ''
          AND inbound.originNodeGuid NOT IN ${textsIn(JSON.stringify(readGuids))})`;
}

/** Stores the order of the last merged response. */
export const noteOrder = (nodeId: number, responseOrder: string): Step =>
  sql`UPDATE nodes SET answerOrder = ${responseOrder} WHERE id = ${nodeId} AND answerOrder <> ${responseOrder}`;

/** One row if a client's counter is smaller than at the last reading. */
export const hasDropped = (nodeId: number): RawBuilder<{ doubt: 'dropped' }> => sql`SELECT 'dropped' AS doubt
    FROM temp.nodeReading AS reading CROSS JOIN nodeClients AS held
      ON held.nodeId = ${nodeId} AND held.emailKey = reading.emailKey AND held.emailKey <> ''
    WHERE reading.up < held.upBytes OR reading.down < held.downBytes LIMIT 1`;

const IS_LESS = sql`(reading.lifetimeUp < held.lifetimeUpBytes OR reading.lifetimeDown < held.lifetimeDownBytes)`;
const IS_MORE = sql`(reading.lifetimeUp > held.lifetimeUpBytes OR reading.lifetimeDown > held.lifetimeDownBytes)`;

/**
 * One row if more of the counters that no reset touches are smaller than at the last reading than are larger: the node
 * has an older database. A few smaller ones are of clients that were deleted and added again there.
 */
export const hasGoneBack = (nodeId: number): RawBuilder<{ doubt: 'wentBack' }> => sql`SELECT 'wentBack' AS doubt WHERE (
    SELECT sum(CASE WHEN ${IS_LESS} THEN 1 WHEN ${IS_MORE} THEN -1 ELSE 0 END)
    FROM temp.nodeReading AS reading CROSS JOIN nodeClients AS held
      ON held.nodeId = ${nodeId} AND held.emailKey = reading.emailKey AND held.emailKey <> '') > 0`;

/** Resets of clients and inbounds that the node's older database does not have are due there again. */
export const resetLostResets = (nodeId: number, inbounds: Snapshot['inbounds']): Step[] => [
  sql`UPDATE nodeClients SET isResetDue = 1, resetCause = 'request'
    WHERE nodeId = ${nodeId} AND EXISTS (SELECT 1 FROM temp.nodeReading AS reading
      WHERE reading.emailKey = nodeClients.emailKey AND nodeClients.emailKey <> ''
        AND (reading.lifetimeUp - reading.up < nodeClients.lifetimeUpBytes - nodeClients.upBytes
          OR reading.lifetimeDown - reading.down < nodeClients.lifetimeDownBytes - nodeClients.downBytes))`,
  sql`UPDATE nodeInbounds SET resetDeliveredAtMs = 0
    FROM ${eachObject(JSON.stringify(inbounds.map(({ tag, resetAtMs }) => ({ tag, resetAtMs }))))} AS j
    WHERE nodeInbounds.nodeId = ${nodeId} AND nodeInbounds.remoteTag = j.value ->> 'tag'
      AND nodeInbounds.remoteResetAtMs > CAST(j.value ->> 'resetAtMs' AS INTEGER)`,
];

/** What a counter of the reading has grown by; one that no reset touches also has what was used before a reset. */
const UP = sql`max(0, coalesce(reading.lifetimeUp - held.lifetimeUpBytes, reading.up - held.upBytes))`;
const DOWN = sql`max(0, coalesce(reading.lifetimeDown - held.lifetimeDownBytes, reading.down - held.downBytes))`;

/**
 * Differences against the baselines, for existing clients: a lower value sets a new baseline and adds nothing, as does
 * the first value of a counter. Then the baselines advance. The last step returns the number of clients with bytes to
 * credit.
 */
export const measureReading = ({ nodeId, limitBytes, sourceId, nowMs, intervalMs }: Merge): Step[] => [
  sql`INSERT INTO temp.nodeDelta (clientId, up, down, changedAtMs)
    SELECT held.clientId, ${UP}, ${DOWN}, held.changedAtMs
    FROM temp.nodeReading AS reading CROSS JOIN nodeClients AS held
      ON held.nodeId = ${nodeId} AND held.emailKey = reading.emailKey AND held.emailKey <> ''
    CROSS JOIN clientStates AS state ON state.clientId = held.clientId
    WHERE ${UP} > 0 OR ${DOWN} > 0
    ON CONFLICT (clientId) DO UPDATE SET up = max(nodeDelta.up, excluded.up), down = max(nodeDelta.down, excluded.down)`,
  sql`UPDATE nodeClients SET upBytes = reading.up, downBytes = reading.down,
      lifetimeUpBytes = reading.lifetimeUp, lifetimeDownBytes = reading.lifetimeDown
    FROM temp.nodeReading AS reading
    WHERE nodeClients.nodeId = ${nodeId} AND nodeClients.emailKey = reading.emailKey AND nodeClients.emailKey <> ''
      AND (nodeClients.upBytes IS NOT reading.up OR nodeClients.downBytes IS NOT reading.down
        OR nodeClients.lifetimeUpBytes IS NOT reading.lifetimeUp
        OR nodeClients.lifetimeDownBytes IS NOT reading.lifetimeDown)`,
  sql`INSERT INTO quarantinedDeltas (atMs, sourceId, kind, subject, upBytes, downBytes, intervalMs, ownerId)
    SELECT ${nowMs}, ${sourceId}, 'user', client.email, delta.up, delta.down, ${Math.round(intervalMs)}, delta.clientId
    FROM temp.nodeDelta AS delta CROSS JOIN clients AS client ON client.id = delta.clientId
    WHERE delta.up > ${limitBytes} OR delta.down > ${limitBytes}`,
  sql`DELETE FROM temp.nodeDelta WHERE up > ${limitBytes} OR down > ${limitBytes}`,
  sql`SELECT count(*) AS count FROM temp.nodeDelta`,
];

/** Updates counters, ledger and last seen, as for a reading of this panel's own core. */
export const creditReading = ({ nowMs, sourceId }: Merge): Step[] => [
  ...addClientTotals('nodeDelta', { nowMs, sourceId }),
  ...rowByRow([
    sql`INSERT INTO trafficLedger (spanSec, bucketStartSec, clientId, sourceId, upBytes, downBytes)
      SELECT ${FINE_SPAN_SEC}, ${bucketStartSec(nowMs, FINE_SPAN_SEC)}, delta.clientId, ${sourceId},
        min(delta.up, ${MAX} - state.upBytes), min(delta.down, ${MAX} - state.downBytes)
      FROM temp.nodeDelta AS delta CROSS JOIN clientStates AS state ON state.clientId = delta.clientId WHERE true
      ON CONFLICT (spanSec, bucketStartSec, clientId, sourceId) DO UPDATE SET upBytes = trafficLedger.upBytes + excluded.upBytes, downBytes = trafficLedger.downBytes + excluded.downBytes`,
    sql`UPDATE clientStates SET upBytes = clientStates.upBytes + min(delta.up, ${MAX} - clientStates.upBytes),
        downBytes = clientStates.downBytes + min(delta.down, ${MAX} - clientStates.downBytes),
        lastOnlineAtMs = max(lastOnlineAtMs, CAST(${nowMs} AS INTEGER))
      FROM temp.nodeDelta AS delta WHERE delta.clientId = clientStates.clientId
        AND clientStates.clientId IN (SELECT clientId FROM temp.nodeDelta)`,
  ]),
];

/** The node's clock may be ahead, so times in the future are capped. */
export function raiseLastOnline({ nodeId, nowMs }: Merge): Step {
  const seenAtMs = sql`min(reading.lastOnlineAtMs, CAST(${nowMs} AS INTEGER))`;
  return sql`UPDATE clientStates SET lastOnlineAtMs = (SELECT max(${seenAtMs}) FROM nodeClients AS held
      CROSS JOIN temp.nodeReading AS reading ON reading.emailKey = held.emailKey
      WHERE held.nodeId = ${nodeId} AND held.clientId = clientStates.clientId)
    WHERE clientId IN (SELECT held.clientId FROM temp.nodeReading AS reading CROSS JOIN nodeClients AS held
        ON held.nodeId = ${nodeId} AND held.emailKey = reading.emailKey AND held.emailKey <> ''
      CROSS JOIN clientStates AS state ON state.clientId = held.clientId
      WHERE ${seenAtMs} > state.lastOnlineAtMs)`;
}

/**
 * Delayed starts that have begun: a deadline set by the node counts, otherwise the start is now, with the first bytes
 * moved. Skipped while a change of the client is pending: the node then still reports the previous start, and its bytes
 * may be from before it. Each step returns the ids of clients that now have a deadline.
 */
export const startDelayed = ({ nodeId, nowMs, previousReadAtMs }: Merge): Step[] => [
  sql`UPDATE clientStates SET expiresAtMs = (SELECT reading.expiresAtMs
      FROM nodeClients AS held CROSS JOIN temp.nodeReading AS reading ON reading.emailKey = held.emailKey
      WHERE held.nodeId = ${nodeId} AND held.clientId = clientStates.clientId)
    WHERE expiresAtMs < 0 AND clientId IN (SELECT held.clientId FROM temp.nodeReading AS reading
      CROSS JOIN nodeClients AS held ON held.nodeId = ${nodeId} AND held.emailKey = reading.emailKey AND held.emailKey <> ''
      WHERE held.changedAtMs = 0 AND reading.expiresAtMs > 0) RETURNING clientId`,
  sql`
    UPDATE clientStates SET expiresAtMs = min(CAST(${nowMs} AS INTEGER) - expiresAtMs, ${LATEST})
    WHERE expiresAtMs < 0 AND clientId IN (SELECT clientId FROM temp.nodeDelta WHERE changedAtMs <= ${previousReadAtMs})
    RETURNING clientId`,
];

/** Disables clients here that the node has disabled, and returns their ids. A node never enables a client. */
export const disableAsThere = ({ nodeId }: Merge): Step =>
  sql`UPDATE clientStates SET enable = 0, disabledBy = 'loop'
    WHERE enable = 1 AND clientId IN (SELECT held.clientId FROM temp.nodeReading AS reading CROSS JOIN nodeClients AS held
        ON held.nodeId = ${nodeId} AND held.emailKey = reading.emailKey AND held.emailKey <> ''
      WHERE held.changedAtMs = 0 AND reading.isEnabled = 0) RETURNING clientId`;

/**
 * Copies an inbound's counters from the node, up or down. While a reset made here is pending, only smaller values are
 * taken. The panel it runs on is always taken over: that is a fact, not a setting.
 * @param originOf panel it runs on, from the reported value; null = nothing changed
 */
export function mirrorInbounds(
  { nodeId, sourceId, nowMs, limitBytes }: Pick<Merge, 'nodeId' | 'sourceId' | 'nowMs' | 'limitBytes'>,
  inbounds: Snapshot['inbounds'],
  originOf: ((reported: string) => string) | null,
): Step[] {
  const counted = inbounds.filter(({ up, down }) => up !== null && down !== null);
  const json = JSON.stringify(counted.map(({ tag, up, down }) => ({ tag, up, down })));
  const counters = [
    addMirroredTotals({ sourceId, nowMs }, { nodeId, reported: json, limitBytes }),
    sql`UPDATE inbounds SET upBytes = CAST(j.value ->> 'up' AS INTEGER), downBytes = CAST(j.value ->> 'down' AS INTEGER)
    FROM ${eachObject(json)} AS j JOIN nodeInbounds AS held ON held.nodeId = ${nodeId} AND held.remoteTag = j.value ->> 'tag'
    WHERE inbounds.id = held.inboundId AND held.remoteId <> 0
      AND (inbounds.upBytes <> CAST(j.value ->> 'up' AS INTEGER) OR inbounds.downBytes <> CAST(j.value ->> 'down' AS INTEGER))
      AND (held.resetDeliveredAtMs >= inbounds.lastTrafficResetAtMs
        OR CAST(j.value ->> 'up' AS INTEGER) + CAST(j.value ->> 'down' AS INTEGER) <= inbounds.upBytes + inbounds.downBytes)`,
  ];
  if (originOf === null) return counters;
  const places = JSON.stringify(
    inbounds.map(({ id, tag, originNodeGuid }) => ({ id, tag, origin: originOf(originNodeGuid) })),
  );
  return [
    ...counters,
    sql`UPDATE nodeInbounds SET remoteId = CAST(j.value ->> 'id' AS INTEGER) FROM ${eachObject(places)} AS j
    WHERE nodeId = ${nodeId} AND remoteId <> 0 AND remoteTag = j.value ->> 'tag' AND remoteId <> CAST(j.value ->> 'id' AS INTEGER)`,
    sql`UPDATE inbounds SET originNodeGuid = j.value ->> 'origin'
    FROM ${eachObject(places)} AS j JOIN nodeInbounds AS held ON held.nodeId = ${nodeId} AND held.remoteTag = j.value ->> 'tag'
    WHERE inbounds.id = held.inboundId AND held.remoteId <> 0
      AND inbounds.originNodeGuid <> j.value ->> 'origin'`,
  ];
}
