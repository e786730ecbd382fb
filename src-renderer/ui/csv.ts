/** A cell as spreadsheets read it; what they would take for a formula is text. */
function csvCell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as a file of comma-separated values that any spreadsheet opens, in UTF-8. */
export const csvText = (rows: readonly (readonly (string | number)[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`;

/** A moment as spreadsheets read it, empty for none. @param ms since the epoch, 0 or less = none */
export const csvTime = (ms: number): string => (ms > 0 ? new Date(ms).toISOString() : '');
