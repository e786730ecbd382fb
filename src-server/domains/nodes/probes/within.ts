/** Whether less than `spanMs` has passed since; false when the clock was set back to before it. */
export const isWithin = (spanMs: number, sinceMs: number, nowMs: number): boolean =>
  nowMs >= sinceMs && nowMs - sinceMs < spanMs;
