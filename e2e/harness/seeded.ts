const SEED = Number(process.env['SOAK_SEED'] ?? 1);

/** Random numbers from 0 to 1, reproducible by the seed of `npm run soak`. */
export function seededNumbers(): () => number {
  let state = SEED >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
