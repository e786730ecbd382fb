const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
/** A panel that got as far as answering should be back soon, however often it is killed. */
const LONGEST_AFTER_READY_MS = 1000;
/** Share by which a delay varies either way, so that several panels of one machine do not start in step. */
const JITTER = 0.25;

/**
 * Wait before the next start after a crash: 1 s, doubling to a minute (never over 1 s when it had been ready), ±25 %.
 * @param crashes crashes in a row, from 1.
 * @param wasReady whether the panel answered before it crashed.
 * @param random 0..1.
 */
export function restartDelayMs(crashes: number, wasReady: boolean, random: number): number {
  const base = Math.min(wasReady ? LONGEST_AFTER_READY_MS : LONGEST_MS, FIRST_MS * 2 ** Math.min(crashes - 1, 16));
  return Math.round(base * (1 + JITTER * (2 * random - 1)));
}
