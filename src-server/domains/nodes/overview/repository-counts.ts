import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../store/schema.ts';

/** Inbounds and clients in one place; a client on several inbounds there counts once. */
export interface HostedCounts {
  inbounds: number;
  clients: number;
  depleted: number;
  disabled: number;
}

/** `node`: by the node that manages the inbound. `origin`: by the GUID of the panel that actually runs it. */
export type Place = 'node' | 'origin';

export const PLACES = {
  node: sql<string>`CAST(inbound.nodeId AS TEXT)`,
  /** Until it has been read back, an inbound counts as running on the node itself. */
  origin: sql<string>`iif(inbound.originNodeGuid = '', 'node:' || inbound.nodeId, inbound.originNodeGuid)`,
};

/** Counts of everything that runs on nodes, by place. */
export async function hostedCounts(db: Db, by: Place, nowMs: number): Promise<ReadonlyMap<string, HostedCounts>> {
  const place = PLACES[by];
  const { rows: inbounds } = await sql<{ place: string; count: number }>`
    SELECT ${place} AS place, count(*) AS count FROM inbounds AS inbound
    WHERE inbound.nodeId IS NOT NULL GROUP BY place`.execute(db);
  const { rows: clients } = await sql<{ place: string; clients: number }>`
    SELECT ${place} AS place, count(DISTINCT link.clientId) AS clients
    FROM inbounds AS inbound CROSS JOIN clientInbounds AS link ON link.inboundId = inbound.id
    WHERE inbound.nodeId IS NOT NULL GROUP BY place`.execute(db);
  const { rows: ended } = await endedCounts(place, nowMs).execute(db);
  const counts = new Map<string, HostedCounts>();
  for (const { place: at, count } of inbounds)
    counts.set(at, { inbounds: count, clients: 0, depleted: 0, disabled: 0 });
  for (const { place: at, ...of } of [...clients, ...ended]) Object.assign(counts.get(at)!, of);
  return counts;
}

/** Starts with the few that are expired, depleted or disabled: each condition has an index. */
export function endedCounts(
  place: RawBuilder<string>,
  nowMs: number,
): RawBuilder<{ place: string; depleted: number; disabled: number }> {
  return sql`
    WITH ended AS (
      SELECT clientId FROM clientStates WHERE enable = 0
      UNION SELECT clientId FROM clientStates WHERE enable = 1 AND quotaBytes > 0 AND quotaBytes <= upBytes + downBytes
      UNION SELECT clientId FROM clientStates WHERE enable = 1 AND expiresAtMs > 0 AND expiresAtMs <= ${nowMs})
    SELECT place, count(*) FILTER (WHERE isDepleted) AS depleted, count(*) FILTER (WHERE NOT isDepleted) AS disabled FROM (
      SELECT DISTINCT ${place} AS place, state.clientId,
        (state.quotaBytes > 0 AND state.upBytes + state.downBytes >= state.quotaBytes)
          OR (state.expiresAtMs > 0 AND state.expiresAtMs <= ${nowMs}) AS isDepleted
      FROM ended CROSS JOIN clientStates AS state ON state.clientId = ended.clientId
      CROSS JOIN clientInbounds AS link ON link.clientId = ended.clientId
      CROSS JOIN inbounds AS inbound ON inbound.id = link.inboundId
      WHERE inbound.nodeId IS NOT NULL
    ) GROUP BY place`;
}
