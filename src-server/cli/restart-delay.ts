const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
/** Share by which a delay varies either way, so that many panels of one machine do not start in step. */
const JITTER = 0.25;

/**
 * Wait before the next start after a crash: 1 s, doubling to a minute, ±25 %.
 * @param crashes crashes in a row, from 1.
 * @param random 0..1.
 */
export function restartDelayMs(crashes: number, random: number): number {
  const base = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(crashes - 1, 16));
  return Math.round(base * (1 + JITTER * (2 * random - 1)));
}
