import type { HistoryPoint } from './contract.ts';

/** Six hours of samples every two seconds. */
export const RING_CAPACITY = 10_800;
const POINTS = 60;

/** Several metrics sampled at the same moments; the oldest sample is dropped when it is full. */
export interface SampleRing<K extends string> {
  /** @param values missing metrics leave a gap */
  push(atSec: number, values: Readonly<Partial<Record<K, number>>>): void;
  /**
   * The last 60 groups of one metric, newest last. Groups start at multiples of the bucket, so two calls at different
   * moments share their x axis; a group without a sample is missing.
   */
  aggregate(key: K, bucketSec: number, nowSec: number): HistoryPoint[];
  readonly size: number;
}

export function createSampleRing<const K extends string>(
  keys: readonly K[],
  capacity: number = RING_CAPACITY,
): SampleRing<K> {
  const times = new Float64Array(capacity);
  const columns = new Map(keys.map((key) => [key, new Float64Array(capacity)]));
  let next = 0;
  let size = 0;

  return {
    push(atSec, values) {
      times[next] = atSec;
      for (const [key, column] of columns) column[next] = values[key] ?? NaN;
      next = (next + 1) % capacity;
      size = Math.min(capacity, size + 1);
    },
    aggregate(key, bucketSec, nowSec) {
      const column = columns.get(key)!;
      const groups = new Groups(bucketSec, nowSec);
      for (let back = size; back > 0; back--) {
        const index = (next - back + capacity) % capacity;
        groups.add(times[index]!, column[index]!);
      }
      return groups.points();
    },
    get size() {
      return size;
    },
  };
}

/** Means of the samples of the last 60 buckets; a clock that was set back may put them out of order. */
export class Groups {
  readonly #sums = new Map<number, { sum: number; count: number }>();
  readonly #bucketSec: number;
  readonly #fromSec: number;
  readonly #untilSec: number;

  constructor(bucketSec: number, nowSec: number) {
    this.#bucketSec = bucketSec;
    this.#fromSec = nowSec - bucketSec * POINTS;
    this.#untilSec = nowSec;
  }

  add(atSec: number, value: number): void {
    if (!Number.isFinite(value) || atSec < this.#fromSec || atSec > this.#untilSec) return;
    const start = Math.floor(atSec / this.#bucketSec) * this.#bucketSec;
    const group = this.#sums.get(start);
    if (group === undefined) this.#sums.set(start, { sum: value, count: 1 });
    else {
      group.sum += value;
      group.count += 1;
    }
  }

  points(): HistoryPoint[] {
    return [...this.#sums]
      .sort(([one], [other]) => one - other)
      .slice(-POINTS)
      .map(([t, { sum, count }]) => ({ t, v: sum / count }));
  }
}
