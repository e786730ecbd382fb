import type { Store } from '../../../store/open-store.ts';
import { createPeriods } from './periods.ts';
import { oldestQuarter, rollUpDay, subjectAfter, type Subject } from './repository-totals.ts';

const DAY_MS = 86_400_000;
/** How long charts keep quarter-hours; older data is kept by day of the panel's zone. */
export const QUARTERS_KEPT_DAYS = 62;

/** Rolls old quarter-hours up into days, one subject and one day at a time. Due once a day. */
export function createTotalsRollUp(deps: { store: Store; clock: () => number; timeZone: () => string }) {
  const { store, clock, timeZone } = deps;
  let doneUpToMs = 0;
  return {
    /** @param isStopped checked between two transactions */
    async run(isStopped: () => boolean): Promise<void> {
      const { dayStart } = createPeriods(timeZone(), 'gregory');
      const dueMs = dayStart(clock() - QUARTERS_KEPT_DAYS * DAY_MS);
      if (dueMs === doneUpToMs) return;
      let subject: Subject | null = { kind: '', subject: '' };
      while ((subject = await subjectAfter(store.reader, subject)) !== null) {
        for (;;) {
          if (isStopped()) return;
          const oldestSec = await oldestQuarter(store.reader, subject);
          if (oldestSec === null || oldestSec * 1000 >= dueMs) break;
          const day = { startSec: dayStart(oldestSec * 1000) / 1000, endSec: dayStart(oldestSec * 1000, 1) / 1000 };
          const whose = subject;
          await store.write((trx) => rollUpDay(trx, whose, day));
        }
      }
      doneUpToMs = dueMs;
    },
  };
}
