/** Unknown ids that one address may request in a minute. */
const MAX_MISSES = 30;
const WINDOW_MS = 60_000;
/** Addresses remembered at once; the oldest are forgotten first. */
const MAX_ADDRESSES = 20_000;

/**
 * Slows down guessing: an address that requested too many unknown ids within a minute is refused further unknown ids
 * until that minute is over. Known ids are never limited, because many subscribers share one address.
 */
export function createMissLimit(clock: () => number) {
  const seen = new Map<string, { count: number; sinceMs: number }>();
  return {
    /** Counts a miss. @returns whether the address is over its limit. */
    isOver(address: string): boolean {
      const nowMs = clock();
      const entry = seen.get(address);
      if (entry === undefined || nowMs - entry.sinceMs >= WINDOW_MS) {
        seen.delete(address);
        seen.set(address, { count: 1, sinceMs: nowMs });
        const [oldest] = seen.keys();
        if (seen.size > MAX_ADDRESSES && oldest !== undefined) seen.delete(oldest);
        return false;
      }
      entry.count += 1;
      return entry.count > MAX_MISSES;
    },
  };
}
