/** The machine's figures kept here, named as in the server's histories: percent, counts, bytes per second. */
export const MEASURES = ['cpu', 'mem', 'swap', 'diskUsage', 'load1', 'tcpCount', 'netUp', 'netDown'] as const;
export type Measure = (typeof MEASURES)[number];

/** Figures at a moment, or their means over a stretch. */
export interface Point {
  /** Start, in seconds since the epoch. */
  atSec: number;
  /** Number of two-second readings it stands for. */
  weight: number;
  /** A figure that was not measured is missing. */
  values: Readonly<Partial<Record<Measure, number>>>;
}

/** Seconds between two readings. */
export const READING_SEC = 2;
/** Up to which age points keep a resolution; older ones become means. */
const FINENESS: readonly (readonly [untilAgeSec: number, bucketSec: number])[] = [
  [600, READING_SEC],
  [3_600, 60],
  [6 * 3_600, 300],
];
/** The server's histories fetched once, fine to coarse: 60 buckets of each, that is 2, 30, 60 and 300 minutes. */
export const SEED_BUCKETS = [READING_SEC, 30, 60, 300] as const;

/** Points of six hours, oldest first, coarser with age: some 400 however long the page stays open. */
export function compacted(points: readonly Point[], nowSec: number): Point[] {
  const kept: Point[] = [];
  /** Bucket of the last point kept; 0 for a raw reading. */
  let bucket = 0;
  for (const point of points) {
    const age = nowSec - point.atSec;
    const sec = FINENESS.find(([untilAge]) => age <= untilAge)?.[1];
    if (sec === undefined) continue;
    // Resolution and index in one number.
    const own = sec === READING_SEC ? 0 : Math.floor(point.atSec / sec) * 1000 + sec;
    if (own !== 0 && own === bucket) kept.push(merged(kept.pop()!, point));
    else kept.push(point);
    bucket = own;
  }
  return kept;
}

/** Means of aligned buckets within the last `windowSec`; buckets without readings are left out. */
export function means(points: readonly Point[], bucketSec: number, windowSec: number, nowSec: number): Point[] {
  const buckets: Point[] = [];
  for (const point of points) {
    if (point.atSec < nowSec - windowSec) continue;
    const atSec = Math.floor(point.atSec / bucketSec) * bucketSec;
    const last = buckets.at(-1);
    if (last?.atSec === atSec) buckets[buckets.length - 1] = merged(last, point);
    else buckets.push({ ...point, atSec });
  }
  return buckets;
}

function merged(one: Point, other: Point): Point {
  const weight = one.weight + other.weight;
  const values: Partial<Record<Measure, number>> = { ...other.values, ...one.values };
  for (const measure of MEASURES) {
    const [first, second] = [one.values[measure], other.values[measure]];
    if (first !== undefined && second !== undefined)
      values[measure] = (first * one.weight + second * other.weight) / weight;
  }
  return { atSec: one.atSec, weight, values };
}

type Histories = Readonly<Record<string, readonly { t: number; v: number }[]>>;

/**
 * Histories of {@link SEED_BUCKETS}, fine to coarse, as one line of points: each moment in its finest known resolution.
 */
export function joined(histories: readonly Histories[]): Point[] {
  let line: Point[] = [];
  for (const [index, history] of histories.entries()) {
    const bucketSec = SEED_BUCKETS[index] ?? 1;
    const firstSec = line[0]?.atSec ?? Infinity;
    const older = pointsOf(history, bucketSec).filter(({ atSec }) => atSec + bucketSec <= firstSec);
    line = [...older, ...line];
  }
  return line;
}

function pointsOf(history: Histories, bucketSec: number): Point[] {
  const byTime = new Map<number, Partial<Record<Measure, number>>>();
  for (const measure of MEASURES) {
    for (const { t, v } of history[measure] ?? []) {
      const values = byTime.get(t) ?? {};
      values[measure] = v;
      byTime.set(t, values);
    }
  }
  return [...byTime]
    .map(([atSec, values]) => ({ atSec, weight: bucketSec / READING_SEC, values }))
    .sort((one, other) => one.atSec - other.atSec);
}
