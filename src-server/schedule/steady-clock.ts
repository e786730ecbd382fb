import { PLAUSIBLE_FROM_MS } from '../contract/plausible-clock.ts';

const DAY_MS = 86_400_000;
/** A clock that is further ahead of the expected time has leapt. Longer than most machines sleep or are off. */
const LEAP_MS = 30 * DAY_MS;
/** Time servers correct a wrong clock within minutes. */
const PROOF_MS = 10 * 60_000;

export interface SteadyClockOptions {
  clock: () => number;
  monotonic: () => number;
  /** Time at which an earlier run of the panel was last seen; null = unknown. */
  lastSeenMs: number | null;
  /** Called once for each leap. */
  onLeap: (leap: { shownMs: number; expectedMs: number }) => void;
}

/**
 * The wall clock for everything that is not undone when the clock is corrected: clients end and renew, counters are
 * reset, history is deleted. Follows the wall clock, except when it leaps ahead by more than a month: then it continues
 * from the time before, until the wall clock has stayed ahead for ten minutes.
 */
export function createSteadyClock({ clock, monotonic, lastSeenMs, onLeap }: SteadyClockOptions): () => number {
  let known = { wallMs: lastSeenMs ?? clock(), atMs: monotonic() };
  let leaptAtMs: number | null = null;
  return () => {
    const [wallMs, nowMs] = [clock(), monotonic()];
    // The monotonic clock has fractions.
    const expectedMs = Math.round(known.wallMs + nowMs - known.atMs);
    if (expectedMs >= PLAUSIBLE_FROM_MS && wallMs - expectedMs > LEAP_MS) {
      if (leaptAtMs === null) onLeap({ shownMs: wallMs, expectedMs });
      leaptAtMs ??= nowMs;
      if (nowMs - leaptAtMs < PROOF_MS) return expectedMs;
    }
    leaptAtMs = null;
    known = { wallMs, atMs: nowMs };
    return wallMs;
  };
}
