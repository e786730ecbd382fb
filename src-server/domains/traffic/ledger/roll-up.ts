import { keepLedgerMonths } from '../../../store/dialect/keep-ledger-months.ts';
import type { Store } from '../../../store/open-store.ts';
import { CARRIED_SPAN_SEC, DAY_SPAN_SEC, FINE_SPAN_SEC, HOUR_SPAN_SEC } from './ledger-spans.ts';
import { createClientDays } from '../history/client-days.ts';
import { createTotalsRollUp } from '../history/roll-up-totals.ts';
import { createLine } from '../../../concurrency.ts';
import { rollUpSlice } from './repository-ledger.ts';

const DAY_SEC = 86_400;
/** Rows per transaction: 4 ms of the writer, 15 at worst. */
const ROWS_PER_WRITE = 2_000;

/** How long the ledger keeps each resolution; docs/ledger.md has the sizes. */
const STEPS = [
  { fromSec: FINE_SPAN_SEC, toSec: HOUR_SPAN_SEC, keepSec: 2 * DAY_SEC },
  { fromSec: HOUR_SPAN_SEC, toSec: DAY_SPAN_SEC, keepSec: 60 * DAY_SEC },
  { fromSec: DAY_SPAN_SEC, toSec: CARRIED_SPAN_SEC, keepSec: 5 * 365 * DAY_SEC },
];

interface RollUpDeps {
  store: Store;
  clock: () => number;
  /** IANA name of the panel's zone, empty = the system's; chart days begin at its midnight. */
  timeZone?: () => string;
}

/**
 * Rolls old ledger rows up into coarser buckets, in small transactions that let other writes in between. Anything older
 * than five years is carried in one row per client and source, so a client's counters equal its ledger forever.
 */
export function createRollUp({ store, clock, timeZone = () => 'UTC' }: RollUpDeps) {
  const inLine = createLine();
  const clientDays = createClientDays({ store, clock, timeZone });
  const totals = createTotalsRollUp({ store, clock, timeZone });
  let isStopped = false;
  let monthsKeptOn = Number.NaN;

  /** Once a day; a month with remaining rows stays. */
  async function keepMonths(): Promise<void> {
    const nowSec = Math.floor(clock() / 1000);
    const day = Math.floor(nowSec / DAY_SEC);
    const oldestSec = nowSec - STEPS.at(-1)!.keepSec;
    if (day !== monthsKeptOn && (await store.write((trx) => keepLedgerMonths(trx, nowSec, oldestSec))))
      monthsKeptOn = day;
  }

  return {
    /** Works until nothing is due. */
    run: (): Promise<void> =>
      inLine(async () => {
        // Reads the five-minute entries that are summed into hours below.
        await clientDays.run(() => isStopped);
        await totals.run(() => isStopped);
        await keepMonths();
        for (const { fromSec, toSec, keepSec } of STEPS) {
          for (let hasMore = true; hasMore;) {
            if (isStopped) return;
            // A bucket is due when its last second is old enough.
            const beforeSec = Math.floor(clock() / 1000) - keepSec - fromSec;
            hasMore = await store.write((trx) => rollUpSlice(trx, { fromSec, toSec }, beforeSec, ROWS_PER_WRITE));
          }
        }
      }),
    /** Ends a run after its current transaction. */
    stop(): void {
      isStopped = true;
    },
    idle: (): Promise<void> => inLine(async () => undefined),
  };
}
