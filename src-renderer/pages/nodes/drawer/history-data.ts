import type { PlotColumns } from '../../../ui/line-plot/use-plot.ts';

/** Points of a history: the start of a bucket in seconds since the epoch, and its mean. */
export type History = readonly { t: number; v: number }[];

/** Aligns several histories on one axis. A stretch without probes is a gap, not a line. */
export function columnsOf(histories: readonly History[], bucketSec: number): PlotColumns {
  const byTime = histories.map((history) => new Map(history.map(({ t, v }) => [t, v])));
  const known = [...new Set(histories.flatMap((history) => history.map(({ t }) => t)))].sort((a, b) => a - b);
  const times = known.flatMap((at, index) => {
    const before = known[index - 1];
    return before !== undefined && at - before > bucketSec * 1.5 ? [before + bucketSec, at] : [at];
  });
  return [times, ...byTime.map((values) => times.map((at) => values.get(at) ?? null))];
}
