import type { RequestId, RunChange } from './change-runner.ts';
import { namedChunks } from './email-list.ts';
import { clientsByKeys } from '../storage/repository-read.ts';
import { resetAndEnable } from '../verbs/reset.ts';
import type { ClientTrafficPort } from '../traffic-port.ts';
import { UserChanges } from '../storage/user-changes.ts';
import { unwatched, type Watch } from '../list/watch.ts';

export function createBulkReset(run: RunChange, traffic: ClientTrafficPort, clock: () => number) {
  /** Resets counters and enables, as for a single client; unknown e-mails are ignored. */
  return async (
    emails: readonly string[],
    requestId: RequestId,
    watch: Watch = unwatched,
  ): Promise<{ affected: number }> => {
    const { result, notes } = await run(requestId, async (trx) => {
      const changes = new UserChanges();
      let affected = 0;
      for (const named of namedChunks(emails, watch)) {
        const rows = await clientsByKeys(
          trx,
          named.map(({ key }) => key),
        );
        changes.merge(await resetAndEnable(trx, rows, traffic, clock()));
        affected += rows.length;
      }
      return { changes, result: { affected } };
    });
    return { ...result, ...notes };
  };
}
