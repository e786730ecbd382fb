import type { TrafficHistory } from '#contract/traffic';
import { csvText } from '../../ui/csv/csv.ts';

/** Bars as lines: time, source, and bytes each way. Times are UTC, so that any program reads them. */
export function historyCsv(
  { edges, sources }: Pick<TrafficHistory, 'edges' | 'sources'>,
  nameOf: (at: number) => string,
): string {
  const lines = edges
    .slice(0, -1)
    .flatMap((start, at) =>
      sources.flatMap(({ up, down }, source) =>
        up[at] === 0 && down[at] === 0
          ? []
          : [
              [
                new Date(start).toISOString(),
                new Date(edges[at + 1]!).toISOString(),
                nameOf(source),
                up[at]!,
                down[at]!,
              ],
            ],
      ),
    );
  return csvText([['from', 'to', 'source', 'up_bytes', 'down_bytes'], ...lines]);
}
