import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest stretch of work between two turns of the event loop. */
const SLICE_MS = 5;

/**
 * Keeps long loops from holding up the event loop: `isDue()` tells whether the slice is used up, `pause()` lets
 * everything else run and starts the next slice. Check every few hundred steps, since reading the clock costs something
 * too.
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
