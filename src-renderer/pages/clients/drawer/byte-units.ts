/** Units in which an amount is typed. */
export const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;
export type ByteUnit = (typeof BYTE_UNITS)[number];

const sizeOf = (unit: ByteUnit): number => 1024 ** BYTE_UNITS.indexOf(unit);

/** The largest unit of which there is at least one; GiB for nothing. */
export const unitFor = (bytes: number): ByteUnit =>
  bytes === 0 ? 'GiB' : (BYTE_UNITS.findLast((unit) => bytes >= sizeOf(unit)) ?? 'B');

/** Whole bytes. */
export const toBytes = (amount: number, unit: ByteUnit): number => Math.round(amount * sizeOf(unit));

/** To six digits behind the point, for a field: to the byte only in bytes. */
export const inUnit = (bytes: number, unit: ByteUnit): number => Number((bytes / sizeOf(unit)).toFixed(6));
