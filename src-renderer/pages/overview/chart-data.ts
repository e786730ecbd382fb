import type { HistoryPoint } from '#contract/metrics';
import type { Reading } from '../../stores/live-status.ts';

/** Columns of a chart: seconds since the epoch, bytes per second up and down; null breaks the line. */
export type ChartData = [number[], (number | null)[], (number | null)[]];

interface Point {
  atSec: number;
  up: number;
  down: number;
}

/** Live readings as columns; they come every two seconds. */
export function liveData(readings: readonly Reading[]): ChartData {
  return columns(
    readings.map(({ at, up, down }) => ({ atSec: at / 1000, up, down })),
    10,
  );
}

/** Two histories of the same buckets as columns. A bucket that only one of them has is left out. */
export function historyData(up: readonly HistoryPoint[], down: readonly HistoryPoint[], bucketSec: number): ChartData {
  const downAt = new Map(down.map(({ t, v }) => [t, v]));
  const points = up.flatMap(({ t, v }) => {
    const other = downAt.get(t);
    return other === undefined ? [] : [{ atSec: t, up: v, down: other }];
  });
  return columns(points, bucketSec * 1.5);
}

/** Points further apart than `gapSec` get an empty one between them, so that the stretch shows as a gap, not as a line. */
function columns(points: readonly Point[], gapSec: number): ChartData {
  const data: ChartData = [[], [], []];
  const [times, ups, downs] = data;
  for (const { atSec, up, down } of points) {
    const before = times.at(-1);
    if (before !== undefined && atSec - before > gapSec) {
      times.push(before + 1);
      ups.push(null);
      downs.push(null);
    }
    times.push(atSec);
    ups.push(up);
    downs.push(down);
  }
  return data;
}
