/** An address that a client uses. */
export interface LiveAddress {
  ip: string;
  /** Newest connection from there, in ms. */
  atMs: number;
  /** Whether this panel's core sees it now; only then can it be blocked here. */
  isHere: boolean;
}

/** Longest block of an address, in ms. */
export const BLOCK_MS = 30 * 60_000;
/** How long an address counts as in use after it was seen elsewhere, or after its last connection here ended. */
export const IN_USE_MS = 120_000;

/**
 * Addresses beyond the limit: the newest stay, the oldest are blocked. Ties are broken by the address text, so that
 * every look has the same result.
 */
export function beyondLimit(live: readonly LiveAddress[], limit: number): string[] {
  return live
    .toSorted((a, b) => b.atMs - a.atMs || (a.ip < b.ip ? -1 : 1))
    .slice(limit)
    .filter(({ isHere }) => isHere)
    .map(({ ip }) => ip);
}
