/** Machines without a battery start in 1970 or 2000. No panel ran before this time, so an earlier clock is wrong. */
export const PLAUSIBLE_FROM_MS = Date.UTC(2020, 0, 1);
