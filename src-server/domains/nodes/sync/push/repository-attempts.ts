import { sql } from 'kysely';
import type { WriteTransaction } from '../../../../store/open-store.ts';
import type { Db } from '../../../../store/schema.ts';
import type { Delivered } from './repository-push.ts';
import { eachObject, numbersIn, textsIn } from '../../../../store/dialect/each-json.ts';

/** The next reading becomes the baseline. */
export const NO_BASELINE = { upBytes: null, downBytes: null, lifetimeUpBytes: null, lifetimeDownBytes: null };

/**
 * Records clients before they are added on the node: if the response is lost they are known there all the same, and
 * their first byte counts.
 * @returns ids of those that are new to it
 */
export async function noteClientAttempts(
  trx: WriteTransaction,
  nodeId: number,
  clients: readonly Pick<Delivered, 'clientId' | 'email' | 'emailKey'>[],
): Promise<number[]> {
  const { rows } = await sql<{ clientId: number }>`UPDATE nodeClients SET email = j.value ->> 'email',
      emailKey = j.value ->> 'emailKey', upBytes = 0, downBytes = 0
    FROM ${eachObject(JSON.stringify(clients))} AS j
    WHERE nodeClients.nodeId = ${nodeId} AND nodeClients.clientId = CAST(j.value ->> 'clientId' AS INTEGER) AND nodeClients.emailKey = ''
    RETURNING nodeClients.clientId`.execute(trx);
  return rows.map(({ clientId }) => clientId);
}

/** Drops the record of clients the node has refused. */
export async function withdrawAttempts(trx: WriteTransaction, nodeId: number, clientIds: readonly number[]) {
  await trx
    .updateTable('nodeClients')
    .set({ email: '', emailKey: '', ...NO_BASELINE })
    .where('nodeId', '=', nodeId)
    .where(sql<boolean>`clientId IN ${numbersIn(JSON.stringify(clientIds))}`)
    .execute();
}

/** The next reading becomes the baseline of the clients that have these names there. @param names folded */
export async function forgetCounters(trx: WriteTransaction, nodeId: number, names: readonly string[]): Promise<void> {
  await trx
    .updateTable('nodeClients')
    .set(NO_BASELINE)
    .where('nodeId', '=', nodeId)
    .where(sql<boolean>`emailKey IN ${textsIn(JSON.stringify(names))}`)
    .execute();
}

/** Those of these clients that the node was sent before, under the name they have now. */
export async function knownByName(
  db: Db,
  nodeId: number,
  clients: readonly Pick<Delivered, 'clientId' | 'emailKey'>[],
): Promise<{ clientId: number; emailKey: string }[]> {
  const named = clients.map(({ clientId, emailKey }) => ({ clientId, emailKey }));
  const { rows } = await sql<{ clientId: number; emailKey: string }>`SELECT held.clientId, held.emailKey
    FROM ${eachObject(JSON.stringify(named))} AS j CROSS JOIN nodeClients AS held
      ON held.nodeId = ${nodeId} AND held.clientId = CAST(j.value ->> 'clientId' AS INTEGER)
    WHERE held.emailKey = j.value ->> 'emailKey'`.execute(db);
  return rows;
}

/** A client with its counter on the node; zeros when it does not exist there. */
export interface CountedThere {
  clientId: number;
  /** Folded name under which the node knows it. */
  emailKey: string;
  up: number;
  down: number;
}

/**
 * Lowers the baselines of lost clients to the counters they have on the node before they are sent again: some restart
 * there, others continue. Never raises one: the difference is usage that has not been read yet.
 */
export async function lowerBaselines(trx: WriteTransaction, nodeId: number, lost: readonly CountedThere[]) {
  const up = sql`CAST(j.value ->> 'up' AS INTEGER)`;
  const down = sql`CAST(j.value ->> 'down' AS INTEGER)`;
  await sql`UPDATE nodeClients SET upBytes = CASE WHEN upBytes > ${up} THEN ${up} ELSE upBytes END,
      downBytes = CASE WHEN downBytes > ${down} THEN ${down} ELSE downBytes END,
      lifetimeUpBytes = NULL, lifetimeDownBytes = NULL
    FROM ${eachObject(JSON.stringify(lost))} AS j
    WHERE nodeClients.nodeId = ${nodeId} AND nodeClients.clientId = CAST(j.value ->> 'clientId' AS INTEGER)
      AND nodeClients.emailKey = j.value ->> 'emailKey' AND isResetDue = 0`.execute(trx);
}
