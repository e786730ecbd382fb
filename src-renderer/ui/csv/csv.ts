export type CsvCell = string | number;
export type CsvRow = readonly CsvCell[];

/** A cell as spreadsheets read it; what they would take for a formula becomes text. */
function csvCell(value: CsvCell): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as comma-separated values that any spreadsheet opens, in UTF-8. */
export const csvText = (rows: readonly CsvRow[]): string =>
  `\uFEFF${rows.map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`;

/** A moment as spreadsheets read it, empty for none. @param ms since the epoch, 0 or less = none */
export const csvTime = (ms: number): string => (ms > 0 ? new Date(ms).toISOString() : '');

/** A boolean as a number, so that it can be summed. */
export const csvFlag = (isSo: boolean): number => (isSo ? 1 : 0);

/** Rows of a list under the names of its columns. Times are in UTC, sizes in bytes. */
export const csvTable =
  <T>(columns: Readonly<Record<string, (row: T) => CsvCell>>) =>
  (rows: readonly T[]): CsvRow[] => [
    Object.keys(columns),
    ...rows.map((row) => Object.values(columns).map((cell) => cell(row))),
  ];
