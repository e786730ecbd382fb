import type { Store } from '../../store/open-store.ts';
import { CARRIED_SPAN_SEC, DAY_SPAN_SEC, FINE_SPAN_SEC, HOUR_SPAN_SEC } from './ledger-spans.ts';
import { createLine } from './one-at-a-time.ts';
import { rollUpSlice } from './repository-ledger.ts';

const DAY_SEC = 86_400;
/** Rows per transaction: 10 to 20 ms of the writer. */
const ROWS_PER_WRITE = 2_000;

/**
 * How long the ledger keeps each resolution. A row takes about 40 bytes. With 50,000 clients that all move bytes in every
 * bucket, which no fleet does, that is 2 x 288 x 50,000 = 29 million rows (1.2 GB) of five minutes, 58 x 24 x 50,000 = 70
 * million (2.8 GB) of hours and 91 million (3.6 GB) of days after five years. With 10 % of them active at a time and 70 %
 * on a given day it is 3 million (115 MB), 7 million (280 MB) and 63 million (2.5 GB, 0.5 GB per year).
 */
const STEPS = [
  { fromSec: FINE_SPAN_SEC, toSec: HOUR_SPAN_SEC, keepSec: 2 * DAY_SEC },
  { fromSec: HOUR_SPAN_SEC, toSec: DAY_SPAN_SEC, keepSec: 60 * DAY_SEC },
  { fromSec: DAY_SPAN_SEC, toSec: CARRIED_SPAN_SEC, keepSec: 5 * 365 * DAY_SEC },
];

/**
 * Rolls old ledger rows up into coarser buckets, in small transactions that other writes get between. What is older than
 * five years is carried in one row per client and source, so a client's counters equal its ledger for ever.
 */
export function createRollUp({ store, clock }: { store: Store; clock: () => number }) {
  const inLine = createLine();
  let isStopped = false;
  return {
    /** Works until nothing is due. */
    run: (): Promise<void> =>
      inLine(async () => {
        for (const { fromSec, toSec, keepSec } of STEPS) {
          for (let hasMore = true; hasMore;) {
            if (isStopped) return;
            // A bucket is due when its last second is old enough.
            const beforeSec = Math.floor(clock() / 1000) - keepSec - fromSec;
            hasMore = await store.write((trx) => rollUpSlice(trx, { fromSec, toSec }, beforeSec, ROWS_PER_WRITE));
          }
        }
      }),
    /** Ends a run after its present transaction. */
    stop(): void {
      isStopped = true;
    },
    idle: (): Promise<void> => inLine(async () => undefined),
  };
}
