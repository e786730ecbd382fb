/** When a client counts as expiring; both 0 by default, and then none does. Settings `expireDiff` and `trafficDiff`. */
export interface NearLimits {
  /** Days before the expiry. */
  expireDiff: number;
  /** GiB left of the quota. */
  trafficDiff: number;
}

const DAY_MS = 86_400_000;
const GIB = 1_073_741_824;

/** What decides a client's state besides its row. */
export interface Moment {
  nowMs: number;
  /** Expiries before this moment are near. */
  nearUntilMs: number;
  /** Less than this many bytes left of a quota is near. */
  nearBytes: number;
}

export function momentOf({ expireDiff, trafficDiff }: NearLimits, nowMs: number): Moment {
  return { nowMs, nearUntilMs: nowMs + expireDiff * DAY_MS, nearBytes: trafficDiff * GIB };
}
