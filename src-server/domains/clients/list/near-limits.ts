/** When a client counts as expiring; if all are 0, none does. Settings with these names. */
export interface NearLimits {
  /** Days before the expiry. */
  expireDiff: number;
  /** GiB left of the quota. */
  trafficDiff: number;
  /** Percent left of the quota. */
  trafficDiffPercent: number;
}

const DAY_MS = 86_400_000;
const GIB = 1_073_741_824;

/** Besides its row, this decides a client's state. */
export interface Moment {
  nowMs: number;
  /** Expiries before this moment are near. */
  nearUntilMs: number;
  /** Less than this many bytes left of a quota is near. */
  nearBytes: number;
  /** Less than this share of a quota left is near too. */
  nearPercent: number;
}

export function momentOf({ expireDiff, trafficDiff, trafficDiffPercent }: NearLimits, nowMs: number): Moment {
  return {
    nowMs,
    nearUntilMs: nowMs + expireDiff * DAY_MS,
    nearBytes: trafficDiff * GIB,
    nearPercent: trafficDiffPercent,
  };
}
