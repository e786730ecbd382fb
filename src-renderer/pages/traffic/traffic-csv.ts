import type { TrafficHistory } from '#contract/traffic';

/** A cell as spreadsheets read it; what they would take for a formula is text. */
export function csvCell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvText = (rows: readonly (readonly (string | number)[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`;

/** Bars as lines: when, who counted, and how many bytes each way. Times are UTC, so that any program reads them. */
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
