import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest stretch of work between two turns of the event loop. */
const SLICE_MS = 5;

/**
 * Keeps long loops from holding up the event loop: `isDue()` says whether the slice is used up, `pause()` lets everything
 * else run and starts the next one. Ask every few hundred steps, reading the clock has a price too.
 */
export function createBreather(sliceMs = SLICE_MS): { isDue(): boolean; pause(): Promise<void> } {
  let startedAt = performance.now();
  return {
    isDue: () => performance.now() - startedAt > sliceMs,
    pause: async () => {
      await nextTurn();
      startedAt = performance.now();
    },
  };
}
