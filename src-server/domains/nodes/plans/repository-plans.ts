import { sql } from 'kysely';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Db } from '../../../store/schema.ts';
import type { Plan } from './plan.ts';
import { numbersIn, textsIn } from '../../../store/dialect/each-json.ts';

/** Number of clients that the node is known to hold. */
export async function countHeld(db: Db, nodeId: number): Promise<number> {
  const { count } = await db
    .selectFrom('nodeClients')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('nodeId', '=', nodeId)
    .where('emailKey', '<>', '')
    .executeTakeFirstOrThrow();
  return count;
}

/** Clients the node held on these inbounds, and those with these names. */
export async function clientsConcerned(
  db: Db,
  nodeId: number,
  { inboundIds, emailKeys }: { inboundIds: readonly number[]; emailKeys: readonly string[] },
): Promise<{ id: number; email: string; emailKey: string }[]> {
  const { rows } = await sql<{
    id: number;
    email: string;
    emailKey: string;
  }>`SELECT held.clientId AS id, held.email, held.emailKey
    FROM nodeClients AS held WHERE held.nodeId = ${nodeId} AND held.emailKey <> ''
      AND (held.emailKey IN ${textsIn(JSON.stringify(emailKeys))}
        OR EXISTS (SELECT 1 FROM clientInbounds AS link WHERE link.clientId = held.clientId
          AND link.inboundId IN ${numbersIn(JSON.stringify(inboundIds))}))
    ORDER BY held.clientId`.execute(db);
  return rows;
}

const idsOf = (named: readonly { id: number }[]): string => JSON.stringify(named.map(({ id }) => id));

/** Allows these deletions; items marked again since the plan was made need a new confirmation. */
export async function confirmDeletion(trx: WriteTransaction, nodeId: number, plan: Plan): Promise<void> {
  await sql`UPDATE nodeInbounds SET isDeletionConfirmed = 1 WHERE nodeId = ${nodeId} AND changedAtMs <= ${plan.version}
    AND inboundId IN ${numbersIn(idsOf(plan.inbounds))}`.execute(trx);
  await sql`UPDATE nodeClients SET isDeletionConfirmed = 1 WHERE nodeId = ${nodeId} AND changedAtMs <= ${plan.version}
    AND clientId IN ${numbersIn(idsOf(plan.clients))}`.execute(trx);
}

/** Withdraws these deletions: the items belong to the node again and are adopted from there. */
export async function takeBackDeletion(trx: WriteTransaction, nodeId: number, plan: Plan): Promise<void> {
  await sql`DELETE FROM nodeInbounds WHERE nodeId = ${nodeId}
    AND inboundId IN ${numbersIn(idsOf(plan.inbounds))}
    AND NOT EXISTS (SELECT 1 FROM inbounds WHERE id = inboundId)`.execute(trx);
  await sql`DELETE FROM nodeClients WHERE nodeId = ${nodeId}
    AND clientId IN ${numbersIn(idsOf(plan.clients))}
    AND NOT EXISTS (SELECT 1 FROM clientInbounds AS link JOIN inbounds AS inbound ON inbound.id = link.inboundId
      WHERE link.clientId = nodeClients.clientId AND inbound.nodeId = ${nodeId})`.execute(trx);
}

/**
 * Marks lost clients for another delivery. Their baselines stay: the node may still have them, and usage until the
 * delivery counts.
 */
export async function redeliver(
  trx: WriteTransaction,
  nodeId: number,
  emailKeys: readonly string[],
  version: number,
): Promise<void> {
  await sql`UPDATE nodeClients SET changedAtMs = ${version} WHERE nodeId = ${nodeId} AND changedAtMs = 0
    AND emailKey IN ${textsIn(JSON.stringify(emailKeys))}`.execute(trx);
}
