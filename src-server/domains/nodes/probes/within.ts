/** Whether less than `spanMs` went by since; not so when the clock was set back to before it. */
export const isWithin = (spanMs: number, sinceMs: number, nowMs: number): boolean =>
  nowMs >= sinceMs && nowMs - sinceMs < spanMs;
