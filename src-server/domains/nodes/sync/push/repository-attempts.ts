import { sql } from 'kysely';
import type { WriteTransaction } from '../../../../store/open-store.ts';
import type { Delivered } from './repository-push.ts';
import { eachObject, numbersIn } from '../../../../store/dialect/each-json.ts';

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
    .set({ email: '', emailKey: '', upBytes: null, downBytes: null })
    .where('nodeId', '=', nodeId)
    .where(sql<boolean>`clientId IN ${numbersIn(JSON.stringify(clientIds))}`)
    .execute();
}

/** A lost client is created on the node again, so its counters restart. */
export async function beginAnew(trx: WriteTransaction, nodeId: number, clientId: number): Promise<void> {
  await trx
    .updateTable('nodeClients')
    .set({ upBytes: 0, downBytes: 0 })
    .where('nodeId', '=', nodeId)
    .where('clientId', '=', clientId)
    .where('isResetDue', '=', 0)
    .execute();
}
