import { means, READING_SEC, type Point } from '../../stores/point-ring.ts';

/** A span of the chart: its length in seconds and the seconds per mean. */
export const SPANS = {
  live: { windowSec: 600, bucketSec: READING_SEC },
  hour: { windowSec: 3_600, bucketSec: 60 },
  hours: { windowSec: 21_600, bucketSec: 300 },
} as const;
export type Span = keyof typeof SPANS;

/** Lowest upper edge of a chart, in bytes per second: an idle machine's few bytes are no peak. */
export const LOWEST_TOP = 10 * 1024;

/** Columns of a chart: seconds since the epoch, bytes per second up and down; null breaks the line. */
export type ChartData = [times: number[], ups: (number | null)[], downs: (number | null)[]];

/** Throughput over a span. A stretch without readings is a gap, not a line. */
export function chartData(points: readonly Point[], span: Span): ChartData {
  const { windowSec, bucketSec } = SPANS[span];
  const data: ChartData = [[], [], []];
  const [times, ups, downs] = data;
  const nowSec = points.at(-1)?.atSec ?? 0;
  // Readings may come late: only several missing ones make a gap.
  const leastGapSec = Math.max(10, bucketSec * 1.5);
  // A reading is its own mean.
  const shown =
    bucketSec === READING_SEC
      ? points.filter(({ atSec }) => atSec >= nowSec - windowSec)
      : means(points, bucketSec, windowSec, nowSec);
  // The server's memory from before the page was opened consists of means, each as far from the next as it is long.
  let gapSec = leastGapSec;
  for (const { atSec, weight, values } of shown) {
    const before = times.at(-1);
    if (before !== undefined && atSec - before > gapSec) {
      times.push(before + 1);
      ups.push(null);
      downs.push(null);
    }
    times.push(atSec);
    ups.push(values.netUp ?? null);
    downs.push(values.netDown ?? null);
    gapSec = Math.max(leastGapSec, 2 * weight * READING_SEC);
  }
  return data;
}
