const UNITS = ['B/s', 'KiB/s', 'MiB/s', 'GiB/s'];

/** Bytes per second as text: `1.5 MiB/s`. */
export function byteSpeed(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value >= 100 || unit === 0 ? Math.round(value) : Number(value.toFixed(1))} ${UNITS[unit]}`;
}
