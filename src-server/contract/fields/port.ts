import * as z from 'zod';

/** TCP or UDP port, 1..65535. */
export const Port = z.int().min(1).max(65_535);

/** Row id in a path: decimal digits only, so `1 OR 1=1`, `1e3` and ` 1` are refused instead of read as 1. */
export const IdParam = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'must be a positive whole number')
  .transform(Number);

/** Largest byte count that a JSON number carries exactly (2^53 - 1); counters stop there instead of losing precision. */
export const MAX_BYTES = Number.MAX_SAFE_INTEGER;
export const ByteCount = z.int().min(0).max(MAX_BYTES);
