const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** `0.00B`, `1.50KB`: steps of 1024, two decimals, no space, as subscription apps show it. */
export function byteSizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && unit < UNITS.length - 1; unit += 1) value /= 1024;
  return `${value.toFixed(2)}${UNITS[unit]}`;
}
