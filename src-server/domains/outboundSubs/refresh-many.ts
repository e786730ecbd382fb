import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import type { Schedule } from '../../contract/schedule.ts';
import type { Store } from '../../store/open-store.ts';
import type { JobService } from '../jobs/service.ts';
import type { RefreshAllResult } from './contract.ts';
import type { OutboundSubRow } from './present.ts';
import type { Refreshed } from './refresh.ts';
import { orderedSubs } from './repository.ts';

interface RefreshManyDeps {
  store: Pick<Store, 'reader'>;
  jobs: Pick<JobService, 'start'>;
  schedule: Pick<Schedule, 'every'>;
  clock: () => number;
  log: Logger;
  refresh: (id: number) => Promise<Refreshed>;
  /** Called once, when all of them have been fetched. */
  afterwards: (hasChanged: boolean) => Promise<void>;
}

/** How often to check for due subscriptions. */
const LOOK_EVERY_MS = 5 * 60_000;
const AT_ONCE = 4;

/** Fetches several subscriptions: due ones, or all of them as a job. The results are applied to the core at once. */
export function createRefreshMany({ store, jobs, schedule, clock, log, refresh, afterwards }: RefreshManyDeps) {
  async function fetchAll(
    rows: readonly OutboundSubRow[],
    onDone: (done: number) => void,
    signal?: AbortSignal,
  ): Promise<RefreshAllResult> {
    const result: RefreshAllResult = { refreshed: 0, failed: [] };
    const waiting = [...rows];
    const next = (): OutboundSubRow | undefined => (signal?.aborted === true ? undefined : waiting.shift());
    let hasChanged = false;
    const work = async (): Promise<void> => {
      for (let row = next(); row !== undefined; row = next()) {
        const error = await fetchOne(row.id);
        if (error === '') result.refreshed += 1;
        else result.failed.push({ id: row.id, remark: row.remark, error });
        onDone(result.refreshed + result.failed.length);
      }
    };
    const fetchOne = async (id: number): Promise<string> => {
      try {
        const { hasChanged: isNew, failure } = await refresh(id);
        hasChanged ||= isNew;
        return failure;
      } catch (error) {
        // Deleted meanwhile.
        if (error instanceof DomainError) return error.code;
        log.error('outboundSubs.refresh', { id, error });
        return 'unexpected error';
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (rows.length > 0) await afterwards(hasChanged);
    return result;
  }

  const enabled = async (): Promise<OutboundSubRow[]> =>
    (await orderedSubs(store.reader)).filter((row) => row.enabled === 1);

  const timer = schedule.every(LOOK_EVERY_MS, async () => {
    // The time of an update may be ahead of a clock that was corrected.
    const due = (await enabled()).filter(
      ({ lastUpdatedAtMs, updateIntervalSec }) => Math.abs(clock() - lastUpdatedAtMs) >= updateIntervalSec * 1000,
    );
    await fetchAll(due, () => undefined);
  });

  return {
    start(): { jobId: string } {
      const { id } = jobs.start({
        kind: 'refreshOutboundSubs',
        title: 'Outbound subscriptions',
        run: async ({ signal, report }) => {
          const rows = await enabled();
          return fetchAll(rows, (done) => report({ done, total: rows.length }), signal);
        },
      });
      return { jobId: id };
    },
    close: (): void => timer.cancel(),
  };
}
