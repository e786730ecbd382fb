import { sql, type RawBuilder } from 'kysely';
import type { Step } from '../../../../store/batch.ts';
import type { WriteTransaction } from '../../../../store/open-store.ts';
import { eachObject, numbersIn } from '../../../../store/dialect/each-json.ts';
import type { Snapshot } from '../snapshot.ts';

/*
 * New periods that both panels begin, each by its own clock: renewals at a deadline, and resets on the schedule of an
 * inbound. Usage in a new period counts once and in full, whichever panel begins it.
 */

/** A renewal on a node whose clock is ahead by up to a day comes early. */
const EARLY_MS = 86_400_000;
/** This early it is one even if the counter there was at zero and shows no restart. */
const SLIGHTLY_EARLY_MS = 60_000;

/**
 * Whether a client's counter began again on the node since the last reading. What resets took off it shows that; without
 * a report of it, a smaller counter does.
 * @param held the client's row of `nodeClients`
 */
function hasRestarted(held: string): RawBuilder<unknown> {
  const base = (column: string): RawBuilder<unknown> => sql.ref(`${held}.${column}`);
  return sql`CASE WHEN reading.lifetimeUp + reading.lifetimeDown IS NOT NULL
      AND ${base('lifetimeUpBytes')} + ${base('lifetimeDownBytes')} IS NOT NULL
    THEN reading.lifetimeUp - reading.up > ${base('lifetimeUpBytes')} - ${base('upBytes')}
      OR reading.lifetimeDown - reading.down > ${base('lifetimeDownBytes')} - ${base('downBytes')}
    ELSE reading.up <= ${base('upBytes')} AND reading.down <= ${base('downBytes')}
      AND (reading.up < ${base('upBytes')} OR reading.down < ${base('downBytes')}) END`;
}

/**
 * Clients whose period this node has renewed: the deadline is later and the counter restarted. Without a mark, no
 * change from this panel is pending.
 */
export const renewedThere = (nodeId: number, nowMs: number): RawBuilder<{ clientId: number }> => sql`
    SELECT held.clientId FROM temp.nodeReading AS reading CROSS JOIN nodeClients AS held
      ON held.nodeId = ${nodeId} AND held.emailKey = reading.emailKey AND held.emailKey <> ''
    CROSS JOIN clientStates AS state ON state.clientId = held.clientId
    WHERE held.changedAtMs = 0 AND (state.resetDays > 0 OR state.resetDay > 0) AND state.disabledBy <> 'admin'
      AND state.expiresAtMs > 0 AND state.expiresAtMs <= ${nowMs + EARLY_MS} AND reading.expiresAtMs > state.expiresAtMs
      AND (${hasRestarted('held')} OR (reading.up = 0 AND reading.down = 0 AND held.upBytes = 0 AND held.downBytes = 0
        AND state.expiresAtMs <= ${nowMs + SLIGHTLY_EARLY_MS}))`;

/** Takes over the node's new period; usage within it counts here from zero. */
export async function takeRenewal(trx: WriteTransaction, nodeId: number, idsJson: string): Promise<void> {
  await sql`UPDATE clientStates SET enable = 1, disabledBy = '', expiresAtMs = reading.expiresAtMs
    FROM temp.nodeReading AS reading JOIN nodeClients AS held ON held.nodeId = ${nodeId} AND held.emailKey = reading.emailKey
    WHERE held.clientId = clientStates.clientId
      AND clientStates.clientId IN ${numbersIn(idsJson)}`.execute(trx);
  await sql`UPDATE nodeClients SET upBytes = 0, downBytes = 0
    WHERE nodeId = ${nodeId} AND clientId IN ${numbersIn(idsJson)}`.execute(trx);
}

/** By no more do the zones of two panels shift the same day of the month. */
const ZONES_MS = 2 * 86_400_000;

/**
 * Resets due since clients were renewed here: a node that has the new deadline has renewed them too, and its counters
 * began again at zero. From any other one what was not read yet counts, and the reset is still to be delivered.
 */
export const settleRenewals = (nodeId: number): Step =>
  sql`UPDATE nodeClients SET isResetDue = 0, upBytes = 0, downBytes = 0 WHERE nodeId = ${nodeId} AND changedAtMs > 0
    AND isResetDue = 1 AND resetCause = 'renewal'
    AND EXISTS (SELECT 1 FROM temp.nodeReading AS reading CROSS JOIN clientStates AS state
      WHERE reading.emailKey = nodeClients.emailKey AND state.clientId = nodeClients.clientId
        AND abs(reading.expiresAtMs - state.expiresAtMs) <= iif(state.resetDay > 0, ${ZONES_MS}, 0))`;

/**
 * Inbounds that the node has reset since the last reading, as it does on their schedule. Smaller counters of theirs, and
 * those of clients that were reset with them, began again at zero, and all of it is new; a reset that is due here for the same schedule is
 * carried out.
 */
export function settleScheduledResets(nodeId: number, inbounds: Snapshot['inbounds']): Step[] {
  const dated = inbounds.filter(({ resetAtMs }) => resetAtMs !== null);
  const json = JSON.stringify(dated.map(({ tag, up, down, resetAtMs }) => ({ tag, up, down, resetAtMs })));
  const reported = sql`FROM ${eachObject(json)} AS j JOIN nodeInbounds AS held
    ON held.nodeId = ${nodeId} AND held.remoteTag = j.value ->> 'tag'`;
  const begun = sql`${reported} JOIN inbounds AS inbound ON inbound.id = held.inboundId AND inbound.trafficReset <> 'never'
    WHERE held.remoteResetAtMs < CAST(j.value ->> 'resetAtMs' AS INTEGER)`;
  return [
    sql`UPDATE nodeClients SET upBytes = 0, downBytes = 0, isResetDue = iif(resetCause = 'schedule', 0, isResetDue)
      WHERE nodeId = ${nodeId} AND clientId IN (SELECT link.clientId FROM clientInbounds AS link
        WHERE link.inboundId IN (SELECT held.inboundId ${begun}))
      AND EXISTS (SELECT 1 FROM temp.nodeReading AS reading WHERE reading.emailKey = nodeClients.emailKey
        AND ${hasRestarted('nodeClients')})`,
    sql`UPDATE inbounds SET upBytes = 0, downBytes = 0 WHERE id IN (SELECT held.inboundId ${begun}
      AND CAST(j.value ->> 'up' AS INTEGER) <= inbound.upBytes AND CAST(j.value ->> 'down' AS INTEGER) <= inbound.downBytes)`,
    sql`UPDATE nodeInbounds SET resetDeliveredAtMs = (SELECT lastTrafficResetAtMs FROM inbounds WHERE id = inboundId)
      WHERE inboundId IN (SELECT held.inboundId ${begun})`,
    sql`UPDATE nodeInbounds SET remoteResetAtMs = CAST(j.value ->> 'resetAtMs' AS INTEGER) FROM ${eachObject(json)} AS j
      WHERE nodeInbounds.nodeId = ${nodeId} AND nodeInbounds.remoteTag = j.value ->> 'tag'
        AND nodeInbounds.remoteResetAtMs IS NOT CAST(j.value ->> 'resetAtMs' AS INTEGER)`,
  ];
}
