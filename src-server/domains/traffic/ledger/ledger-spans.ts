/** Lengths of ledger buckets in seconds, finest first, and how long rows stay in each before they are rolled up. */
export const FINE_SPAN_SEC = 300;
export const HOUR_SPAN_SEC = 3_600;
export const DAY_SPAN_SEC = 86_400;
/** Everything older than the ledger's reach: one row per client and source in bucket 0, so sums stay exact forever. */
export const CARRIED_SPAN_SEC = 0;

export const SPANS_SEC = [FINE_SPAN_SEC, HOUR_SPAN_SEC, DAY_SPAN_SEC] as const;

/** Start of the bucket that contains `nowMs`, in seconds. */
export function bucketStartSec(nowMs: number, spanSec: number): number {
  const sec = Math.floor(nowMs / 1000);
  return sec - (((sec % spanSec) + spanSec) % spanSec);
}
