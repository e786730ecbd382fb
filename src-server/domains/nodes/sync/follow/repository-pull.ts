import { sql, type RawBuilder } from 'kysely';
import { MAX_BYTES } from '../../../../contract/port.ts';
import type { Step } from '../../../../store/batch.ts';
import type { WriteTransaction } from '../../../../store/open-store.ts';
import { addClientTotals, addMirroredTotals } from '../../../traffic/history/repository-totals.ts';
import { bucketStartSec, FINE_SPAN_SEC } from '../../../traffic/ledger/ledger-spans.ts';
import type { RemoteCounters, Snapshot } from '../snapshot.ts';
import { eachObject, numbersIn } from '../../../../store/dialect/each-json.ts';

const MAX = sql.raw(String(MAX_BYTES));

/*
 * A statement that changes `clientStates` names the rows by `IN`: with the reading joined to it SQLite looks at every client there
 * is, for each name once more.
 */

/** One reading of a node, ready to be merged. */
export interface Merge {
  nodeId: number;
  /** The node among the sources of the ledger. */
  sourceId: number;
  nowMs: number;
  /** When the reading before this one was asked for; 0 = unknown, and bytes may be from any time. */
  previousReadAtMs: number;
  /** Larger differences per direction are set aside. */
  limitBytes: number;
  intervalMs: number;
}

/** Fills the table that every statement below joins: what the node counts, by name. */
export const fillReading = (counters: RemoteCounters): Step[] => [
  sql`CREATE TEMP TABLE IF NOT EXISTS nodeReading (emailKey TEXT PRIMARY KEY, up INTEGER, down INTEGER,
    isEnabled INTEGER, expiresAtMs INTEGER, lastOnlineAtMs INTEGER) WITHOUT ROWID`,
  sql`CREATE TEMP TABLE IF NOT EXISTS nodeDelta (clientId INTEGER PRIMARY KEY, up INTEGER, down INTEGER,
    changedAtMs INTEGER)`,
  sql`DELETE FROM temp.nodeReading`,
  sql`DELETE FROM temp.nodeDelta`,
  {
    query: sql`INSERT INTO temp.nodeReading VALUES (${''}, ${0}, ${0}, ${0}, ${0}, ${0})`,
    columns: [
      counters.emailKeys,
      counters.up,
      counters.down,
      counters.isEnabled,
      counters.expiresAtMs,
      counters.lastOnlineAtMs,
    ],
    rowCount: counters.emailKeys.length,
  },
];

/** The last answer that was merged. */
export const noteOrder = (nodeId: number, answerOrder: string): Step =>
  sql`UPDATE nodes SET answerOrder = ${answerOrder} WHERE id = ${nodeId} AND answerOrder <> ${answerOrder}`;

/** Whether a client counts less than when it was last read. */
export const hasDropped = (nodeId: number): RawBuilder<{ isDropped: 0 | 1 }> => sql`SELECT EXISTS (
    SELECT 1 FROM temp.nodeReading AS reading CROSS JOIN nodeClients AS held
      ON held.nodeId = ${nodeId} AND held.emailKey = reading.emailKey AND held.emailKey <> ''
    WHERE reading.up < held.upBytes OR reading.down < held.downBytes) AS isDropped`;

/**
 * Clients that live on nodes alone and whose period this node has renewed by itself: its deadline is a later one and its
 * counter began anew. They are no longer behind a mark, so nothing of this panel's is on its way there.
 */
export const renewedThere = (nodeId: number, nowMs: number): RawBuilder<{ clientId: number }> => sql`
    SELECT held.clientId FROM temp.nodeReading AS reading CROSS JOIN nodeClients AS held
      ON held.nodeId = ${nodeId} AND held.emailKey = reading.emailKey AND held.emailKey <> ''
    CROSS JOIN clientStates AS state ON state.clientId = held.clientId
    WHERE held.changedAtMs = 0 AND (state.resetDays > 0 OR state.resetDay > 0) AND state.disabledBy <> 'admin'
      AND state.expiresAtMs > 0 AND state.expiresAtMs <= ${nowMs} AND reading.expiresAtMs > state.expiresAtMs
      AND reading.up <= held.upBytes AND reading.down <= held.downBytes
      AND NOT EXISTS (SELECT 1 FROM clientInbounds AS link JOIN inbounds AS inbound ON inbound.id = link.inboundId
        WHERE link.clientId = held.clientId AND inbound.nodeId IS NULL)`;

/** Takes the node's new period over; what it has counted in it counts here from zero. */
export async function takeRenewal(trx: WriteTransaction, nodeId: number, idsJson: string): Promise<void> {
  await sql`UPDATE clientStates SET enable = 1, disabledBy = '', expiresAtMs = reading.expiresAtMs
    FROM temp.nodeReading AS reading JOIN nodeClients AS held ON held.nodeId = ${nodeId} AND held.emailKey = reading.emailKey
    WHERE held.clientId = clientStates.clientId
      AND clientStates.clientId IN ${numbersIn(idsJson)}`.execute(trx);
  await sql`UPDATE nodeClients SET upBytes = 0, downBytes = 0
    WHERE nodeId = ${nodeId} AND clientId IN ${numbersIn(idsJson)}`.execute(trx);
}

/**
 * Differences against the baselines, for clients that exist: a lower value is a new baseline and adds nothing, and so is
 * the first sight of a counter. Then the baselines move on. The last step tells how many clients have bytes to credit.
 */
export const measureReading = ({ nodeId, limitBytes, sourceId, nowMs, intervalMs }: Merge): Step[] => [
  sql`INSERT INTO temp.nodeDelta (clientId, up, down, changedAtMs)
    SELECT held.clientId, max(0, reading.up - held.upBytes), max(0, reading.down - held.downBytes), held.changedAtMs
    FROM temp.nodeReading AS reading CROSS JOIN nodeClients AS held
      ON held.nodeId = ${nodeId} AND held.emailKey = reading.emailKey AND held.emailKey <> ''
    CROSS JOIN clientStates AS state ON state.clientId = held.clientId
    WHERE reading.up > held.upBytes OR reading.down > held.downBytes
    ON CONFLICT (clientId) DO UPDATE SET up = max(nodeDelta.up, excluded.up), down = max(nodeDelta.down, excluded.down)`,
  sql`UPDATE nodeClients SET upBytes = reading.up, downBytes = reading.down FROM temp.nodeReading AS reading
    WHERE nodeClients.nodeId = ${nodeId} AND nodeClients.emailKey = reading.emailKey AND nodeClients.emailKey <> ''
      AND (nodeClients.upBytes IS NOT reading.up OR nodeClients.downBytes IS NOT reading.down)`,
  sql`INSERT INTO quarantinedDeltas (atMs, sourceId, kind, subject, upBytes, downBytes, intervalMs, ownerId)
    SELECT ${nowMs}, ${sourceId}, 'user', client.email, delta.up, delta.down, ${Math.round(intervalMs)}, delta.clientId
    FROM temp.nodeDelta AS delta CROSS JOIN clients AS client ON client.id = delta.clientId
    WHERE delta.up > ${limitBytes} OR delta.down > ${limitBytes}`,
  sql`DELETE FROM temp.nodeDelta WHERE up > ${limitBytes} OR down > ${limitBytes}`,
  sql`SELECT count(*) AS count FROM temp.nodeDelta`,
];

/** Counters, ledger and last seen, as a reading of this panel's own core does it. */
export const creditReading = ({ nowMs, sourceId }: Merge): Step[] => [
  ...addClientTotals('nodeDelta', { nowMs, sourceId }),
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
];

/** A node's clock may run ahead: no client was seen in the future. */
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
 * Delayed starts that have begun: where the node has set a deadline it counts, else it begins with the bytes that were
 * moved now. Never while a change of the client is on its way: the node then speaks of the start before this one, and its
 * bytes may be from before it too. Each step tells the ids of clients that have a deadline now.
 */
export const startDelayed = ({ nodeId, nowMs, previousReadAtMs }: Merge): Step[] => [
  sql`UPDATE clientStates SET expiresAtMs = (SELECT reading.expiresAtMs
      FROM nodeClients AS held CROSS JOIN temp.nodeReading AS reading ON reading.emailKey = held.emailKey
      WHERE held.nodeId = ${nodeId} AND held.clientId = clientStates.clientId)
    WHERE expiresAtMs < 0 AND clientId IN (SELECT held.clientId FROM temp.nodeReading AS reading
      CROSS JOIN nodeClients AS held ON held.nodeId = ${nodeId} AND held.emailKey = reading.emailKey AND held.emailKey <> ''
      WHERE held.changedAtMs = 0 AND reading.expiresAtMs > 0) RETURNING clientId`,
  sql`
    UPDATE clientStates SET expiresAtMs = min(CAST(${nowMs} AS INTEGER) - expiresAtMs, ${MAX})
    WHERE expiresAtMs < 0 AND clientId IN (SELECT clientId FROM temp.nodeDelta WHERE changedAtMs <= ${previousReadAtMs})
    RETURNING clientId`,
];

/** Clients that the node has disabled are disabled here too, and their ids told. A node never enables a client. */
export const disableAsThere = ({ nodeId }: Merge): Step =>
  sql`UPDATE clientStates SET enable = 0, disabledBy = 'loop'
    WHERE enable = 1 AND clientId IN (SELECT held.clientId FROM temp.nodeReading AS reading CROSS JOIN nodeClients AS held
        ON held.nodeId = ${nodeId} AND held.emailKey = reading.emailKey AND held.emailKey <> ''
      WHERE held.changedAtMs = 0 AND reading.isEnabled = 0) RETURNING clientId`;

/**
 * An inbound's counters are the node's, up or down; not while a reset made here has not reached it, unless they are
 * smaller. Where it runs is taken over too, also while changes are on their way: that is a fact and no setting.
 * @param originOf where it runs, of what the node says; null = all of it is as it was
 */
export function mirrorInbounds(
  { nodeId, sourceId, nowMs, limitBytes }: Pick<Merge, 'nodeId' | 'sourceId' | 'nowMs' | 'limitBytes'>,
  inbounds: Snapshot['inbounds'],
  originOf: ((reported: string) => string) | null,
): Step[] {
  const json = JSON.stringify(inbounds.map(({ tag, up, down }) => ({ tag, up, down })));
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
