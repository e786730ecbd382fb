import { sql } from 'kysely';
import { asList } from '../storage/client-row.ts';
import type { Db } from '../../../store/schema.ts';
import { eachNumber, eachText } from '../../../store/dialect/each-json.ts';

/** Number of clients of each inbound that has any, and how many of them are online. */
export async function countsByInbound(
  db: Db,
  onlineEmails: ReadonlySet<string>,
): Promise<Map<number, { clients: number; online: number }>> {
  const { rows: totals } = await sql<{ inboundId: number; count: number }>`
    SELECT inboundId, count(*) AS count FROM clientInbounds GROUP BY inboundId`.execute(db);
  const counts = new Map(totals.map(({ inboundId, count }) => [inboundId, { clients: count, online: 0 }]));
  if (onlineEmails.size === 0) return counts;
  const { rows } = await sql<{ inboundId: number; count: number }>`
    SELECT link.inboundId, count(*) AS count FROM ${eachText(asList([...onlineEmails]))} AS wanted
    CROSS JOIN clients AS client ON client.email = wanted.value
    CROSS JOIN clientInbounds AS link ON link.clientId = client.id
    GROUP BY link.inboundId`.execute(db);
  for (const { inboundId, count } of rows) {
    // An inbound that got its first client between the two reads is counted next time.
    const known = counts.get(inboundId);
    if (known !== undefined) known.online = count;
  }
  return counts;
}

/** Clients of one inbound. */
export async function countOf(db: Db, inboundId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM clientInbounds WHERE inboundId = ${inboundId}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Clients with no inbounds other than these. */
export async function countOnlyAt(db: Db, inboundIds: readonly number[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (
      SELECT link.clientId, count(*) AS here FROM ${eachNumber(asList(inboundIds))} AS wanted
      CROSS JOIN clientInbounds AS link ON link.inboundId = wanted.value
      GROUP BY link.clientId
    ) AS held CROSS JOIN clientStates AS state ON state.clientId = held.clientId AND state.inboundCount = held.here`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
