/** An address that a client is used from. */
export interface LiveAddress {
  ip: string;
  /** Newest connection from there, in ms. */
  atMs: number;
  /** Whether this panel's core sees it now; only then can anything be done about it here. */
  isHere: boolean;
}

/** How long an address stays blocked at most, in ms. */
export const BLOCK_MS = 30 * 60_000;
/** An address counts as in use for so long after it was seen elsewhere, or after its last connection here ended. */
export const IN_USE_MS = 120_000;

/**
 * Addresses beyond the limit: the last ones in win, the oldest go. Addresses with the same time are told apart by their
 * text, so that every look comes to the same end.
 */
export function beyondLimit(live: readonly LiveAddress[], limit: number): string[] {
  return live
    .toSorted((a, b) => b.atMs - a.atMs || (a.ip < b.ip ? -1 : 1))
    .slice(limit)
    .filter(({ isHere }) => isHere)
    .map(({ ip }) => ip);
}
