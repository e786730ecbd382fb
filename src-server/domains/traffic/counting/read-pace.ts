/** Readings for a nearly reached quota leave at least this multiple of their own duration free in between. */
const READ_REST = 4;
/**
 * Full readings between two ticks leave more: some milliseconds can be spent every second, a quarter of a second
 * cannot.
 */
const FULL_READ_REST = 20;
/** Number of recent costs to consider. */
const KEPT_COSTS = 5;

/** How often counters may be read between two ticks: readings leave a multiple of their own duration free. */
export function createReadPace(monotonic: () => number) {
  const fullCostsMs: number[] = [];
  let lastCostMs = 0;
  let lastEndMs = -Infinity;
  const restedMs = (): number => monotonic() - lastEndMs;

  return {
    /** Runs a reading and remembers what it cost. @param isFull it reads every counter */
    async measure<T>(isFull: boolean, read: () => Promise<T>): Promise<T> {
      const startedMs = monotonic();
      const result = await read();
      lastEndMs = monotonic();
      lastCostMs = lastEndMs - startedMs;
      if (isFull) fullCostsMs.push(lastCostMs);
      if (fullCostsMs.length > KEPT_COSTS) fullCostsMs.shift();
      return result;
    },
    /** The least of the recent costs, because other load on the machine is not the cost of a reading. */
    mayReadAll: (): boolean => restedMs() >= Math.min(...fullCostsMs) * FULL_READ_REST,
    mayReadSome: (): boolean => restedMs() >= lastCostMs * READ_REST,
  };
}
