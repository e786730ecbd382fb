import { DomainError } from '../../../contract/domain-error.ts';
import { foldText } from '../../../store/fold-text.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import { keepGroupTotals } from '../../groups/group-totals.ts';
import type { RequestId, RunChange } from '../bulk/change-runner.ts';
import type { StoredClient } from '../storage/stored-types.ts';
import type { ChangeNotes } from '../contract.ts';
import { clientsByKeys, linksOf } from '../storage/repository-read.ts';
import { deleteClientRows, dropKept, keepTraffics } from '../storage/repository-write.ts';
import type { ClientTrafficPort } from '../traffic-port.ts';
import { UserChanges } from '../storage/user-changes.ts';

/**
 * Deletes clients with attachments, external links, ledger and, unless `keepsTraffic`, counters. Their groups' totals stay.
 */
export async function removeClients(
  trx: WriteTransaction,
  clients: readonly Pick<StoredClient, 'id' | 'email' | 'enable'>[],
  keepsTraffic: boolean,
  { traffic, nowMs }: { traffic: ClientTrafficPort; nowMs: number },
): Promise<UserChanges> {
  const changes = new UserChanges();
  if (clients.length === 0) return changes;
  const byId = new Map(clients.map((client) => [client.id, client]));
  const ids = [...byId.keys()];
  for (const { clientId, inboundId } of await linksOf(trx, ids)) {
    const { email, enable } = byId.get(clientId)!;
    changes.add(inboundId, email);
    if (enable === 1) changes.off(inboundId, email);
  }
  changes.touch(ids);
  await keepGroupTotals(trx, ids, nowMs);
  if (keepsTraffic) await keepTraffics(trx, ids);
  await traffic.releaseSubjects(trx, ids);
  await deleteClientRows(trx, ids);
  return changes;
}

export function createRemove(run: RunChange, traffic: ClientTrafficPort, clock: () => number) {
  /**
   * Deletes a client from every inbound. The same call deletes counters kept under the e-mail of a client deleted
   * earlier.
   * @throws {DomainError} `client.unknown`
   */
  return async (email: string, keepsTraffic: boolean, requestId: RequestId): Promise<ChangeNotes> => {
    const { notes } = await run(requestId, async (trx) => {
      const key = foldText(email);
      const found = await clientsByKeys(trx, [key]);
      const changes = await removeClients(trx, found, keepsTraffic, { traffic, nowMs: clock() });
      if (found.length === 0 && (keepsTraffic || (await dropKept(trx, [key])) === 0))
        throw new DomainError('client.unknown', { email });
      return { changes, result: null };
    });
    return notes;
  };
}
