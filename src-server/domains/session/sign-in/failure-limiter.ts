/** Times in ms. */
export interface LimiterRule {
  /** Number of failures within the window that block. */
  threshold: number;
  /** Sliding: older failures expire. */
  windowMs: number;
  /** From the failure that reached the threshold; the counter is cleared at that moment. */
  blockMs: number;
  maxRecords: number;
}

interface Record {
  failures: number[];
  /** Attempts being checked. They count as failures until they are settled, so that many at once gain nothing. */
  pending: number;
  blockedUntilMs: number;
}

/** Counts failed attempts per key, in memory. */
export function createFailureLimiter(rule: LimiterRule, monotonic: () => number) {
  const records = new Map<string, Record>();

  function current(key: string): Record | undefined {
    const record = records.get(key);
    if (record === undefined) return undefined;
    const since = monotonic() - rule.windowMs;
    record.failures = record.failures.filter((atMs) => atMs > since);
    return record;
  }

  /** Evicts expired records first, then any that block no client; a block only when there is nothing else. */
  function makeRoom(): void {
    if (records.size < rule.maxRecords) return;
    const nowMs = monotonic();
    let unblocked: string | undefined;
    for (const [key, record] of records) {
      if (record.blockedUntilMs > nowMs || record.pending > 0) continue;
      unblocked ??= key;
      if ((record.failures.at(-1) ?? -Infinity) <= nowMs - rule.windowMs) records.delete(key);
    }
    if (records.size < rule.maxRecords) return;
    const [oldest] = records.keys();
    const victim = unblocked ?? oldest;
    if (victim !== undefined) records.delete(victim);
  }

  return {
    /** Starts an attempt; false when the key is blocked, which costs nothing and prolongs nothing. */
    begin(key: string): boolean {
      const record = current(key);
      if (record === undefined) {
        makeRoom();
        records.set(key, { failures: [], pending: 1, blockedUntilMs: -Infinity });
        return true;
      }
      if (record.blockedUntilMs > monotonic() || record.failures.length + record.pending >= rule.threshold)
        return false;
      record.pending++;
      return true;
    },
    /** Ends a started attempt. `forgiven` also clears earlier failures; `void` leaves no trace. */
    settle(key: string, result: 'failed' | 'forgiven' | 'void'): void {
      const record = current(key);
      if (record === undefined) return;
      record.pending--;
      if (result === 'failed') record.failures.push(monotonic());
      if (result === 'forgiven') Object.assign(record, { failures: [], blockedUntilMs: -Infinity });
      if (record.failures.length >= rule.threshold) {
        record.failures = [];
        record.blockedUntilMs = monotonic() + rule.blockMs;
      }
      const isEmpty = record.failures.length === 0 && record.pending <= 0 && record.blockedUntilMs <= monotonic();
      if (isEmpty) records.delete(key);
    },
    size: (): number => records.size,
  };
}
