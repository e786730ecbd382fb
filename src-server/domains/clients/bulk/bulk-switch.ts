import { DomainError } from '../../../contract/domain-error.ts';
import type { RequestId, RunChange } from './change-runner.ts';
import { MAX_REMEMBERED } from './contract.ts';
import { namedChunks, type Skipped } from './email-list.ts';
import { skippedFor } from './reason.ts';
import { clientsByKeys, linksOf } from '../storage/repository-read.ts';
import { disableClients, enableClients } from '../storage/repository-write.ts';
import type { StoredClient } from '../storage/stored-types.ts';
import { UserChanges } from '../storage/user-changes.ts';
import { unwatched, type Watch } from '../list/watch.ts';

/** The reason for a client that does not exist. */
export const notFound = (email: string): Skipped => skippedFor(email, new DomainError('client.notFound'));

export function createBulkSwitch(run: RunChange, clock: () => number) {
  /**
   * Enables or disables clients manually. Clients already in that state count as changed. A depleted client that is
   * enabled is disabled again at the next round of accounting. On request the result names the clients that were
   * switched.
   */
  return async (
    emails: readonly string[],
    isOn: boolean,
    requestId: RequestId,
    watch: Watch = unwatched,
    isRemembered = false,
  ): Promise<{ changed: number; skipped: Skipped[]; turned?: string[] }> => {
    const { result, notes } = await run(requestId, async (trx) => {
      const changes = new UserChanges();
      const skipped: Skipped[] = [];
      const turned: string[] = [];
      let changed = 0;
      for (const named of namedChunks(emails, watch)) {
        const rows = await clientsByKeys(
          trx,
          named.map(({ key }) => key),
        );
        const byKey = new Map(rows.map((row) => [row.emailKey, row]));
        for (const { email, key } of named) if (!byKey.has(key)) skipped.push(notFound(email));
        changed += rows.length;
        const switched = rows.filter(({ enable }) => (enable === 1) !== isOn);
        if (isRemembered && turned.length <= MAX_REMEMBERED)
          for (const { email, disabledBy } of switched) if (disabledBy !== 'loop') turned.push(email);
        const emailOf = new Map(switched.map(({ id, email }) => [id, email]));
        for (const { clientId, inboundId } of await linksOf(trx, [...emailOf.keys()])) {
          changes.add(inboundId, emailOf.get(clientId)!);
          if (!isOn) changes.off(inboundId, emailOf.get(clientId)!);
        }
        const ids = rows.map((row: StoredClient) => row.id);
        await (isOn ? enableClients(trx, ids, clock()) : disableClients(trx, ids, clock()));
        changes.touch(ids);
      }
      const kept = turned.length > MAX_REMEMBERED ? [] : turned;
      return { changes, result: { changed, skipped, ...(isRemembered ? { turned: kept } : {}) } };
    });
    return { ...result, ...notes };
  };
}
