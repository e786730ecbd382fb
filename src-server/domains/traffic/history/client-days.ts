import type { Store } from '../../../store/open-store.ts';
import { FINE_SPAN_SEC } from '../ledger/ledger-spans.ts';
import { createPeriods } from './periods.ts';
import * as rows from './repository-client-days.ts';

const DAY_MS = 86_400_000;
/** Days of the panel's zone for which per-client traffic is kept. */
export const CLIENT_DAYS_KEPT = 62;
/** A bucket is closed this long after its end: by then its last reading is committed. */
const CLOSED_AFTER_SEC = 60;
/** A mark further ahead than this was set by a clock that was ahead. */
const AHEAD_SEC = 3_600;
/** Maximum clients per transaction; more than a page, so that each one advances the mark. */
const SLICE_ROWS = 4 * rows.CLIENTS_PER_PAGE;

/**
 * Adds every closed bucket of the ledger to the daily traffic of its clients: pages of a thousand clients, so that the
 * largest of a month are found quickly. The mark is written with the pages: each bucket is added exactly once.
 */
export function createClientDays(deps: { store: Store; clock: () => number; timeZone: () => string }) {
  const { store, clock, timeZone } = deps;

  /** The next closed bucket that is not fully added, with its first missing page; null = there is none. */
  async function nextBucket(): Promise<{ bucketSec: number; page: number } | null> {
    const mark = await rows.clientDayMark(store.reader);
    const closedSec = Math.floor(clock() / 1000) - FINE_SPAN_SEC - CLOSED_AFTER_SEC;
    if (mark !== null && mark.page !== rows.ALL_PAGES) return { bucketSec: mark.bucketStartSec, page: mark.page };
    // The clock was ahead: what has been added since then is unknown, so that only later buckets follow.
    if (mark !== null && mark.bucketStartSec > closedSec + AHEAD_SEC) {
      await store.write((trx) => rows.setClientDayMark(trx, closedSec, rows.ALL_PAGES));
      return null;
    }
    const bucketSec = await rows.bucketAfter(store.reader, mark?.bucketStartSec ?? -1);
    return bucketSec === null || bucketSec > closedSec ? null : { bucketSec, page: 0 };
  }

  return {
    /** @param isStopped checked between two transactions */
    async run(isStopped: () => boolean): Promise<void> {
      const { dayStart } = createPeriods(timeZone(), 'gregory');
      for (let next = await nextBucket(); next !== null && !isStopped(); next = await nextBucket()) {
        const { bucketSec, page } = next;
        const daySec = dayStart(bucketSec * 1000) / 1000;
        const found = await rows.movedInBucket(store.heavyReader, bucketSec, page * rows.CLIENTS_PER_PAGE, SLICE_ROWS);
        const isLast = found.length < SLICE_ROWS;
        const lastPage = isLast ? rows.ALL_PAGES : rows.pageOf(found.at(-1)!.clientId);
        const slice = isLast ? found : found.filter(({ clientId }) => rows.pageOf(clientId) < lastPage);
        await store.write(async (trx) => {
          await rows.addToDay(trx, daySec, slice);
          await rows.setClientDayMark(trx, bucketSec, lastPage);
        });
      }
      const oldestSec = dayStart(clock() - CLIENT_DAYS_KEPT * DAY_MS) / 1000;
      if (await rows.hasDaysBefore(store.reader, oldestSec))
        await store.write((trx) => rows.dropDaysBefore(trx, oldestSec));
    },
  };
}
