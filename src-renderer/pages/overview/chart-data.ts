import { means, READING_SEC, type Point } from '../../stores/point-ring.ts';

/** What the chart can show: a window of so many seconds in means of so many. */
export const SPANS = {
  live: { windowSec: 600, bucketSec: READING_SEC },
  hour: { windowSec: 3_600, bucketSec: 60 },
  hours: { windowSec: 21_600, bucketSec: 300 },
} as const;
export type Span = keyof typeof SPANS;

/** Bytes per second at the upper edge of a chart, at least: what an idle machine says now and then is no mountain. */
export const LOWEST_TOP = 10 * 1024;

/** Columns of a chart: seconds since the epoch, bytes per second up and down; null breaks the line. */
export type ChartData = [times: number[], ups: (number | null)[], downs: (number | null)[]];

/** Throughput over a span. A stretch without readings is a gap, not a line. */
export function chartData(points: readonly Point[], span: Span): ChartData {
  const { windowSec, bucketSec } = SPANS[span];
  const data: ChartData = [[], [], []];
  const [times, ups, downs] = data;
  const nowSec = points.at(-1)?.atSec ?? 0;
  // Readings may come late: several missing ones make a gap, not one.
  const leastGapSec = Math.max(10, bucketSec * 1.5);
  // A reading is its own mean.
  const shown =
    bucketSec === READING_SEC
      ? points.filter(({ atSec }) => atSec >= nowSec - windowSec)
      : means(points, bucketSec, windowSec, nowSec);
  // What the server remembers from before the page was opened are means: two of them are as far apart as each is long.
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
