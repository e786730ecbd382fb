import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest stretch of work between two turns of the event loop. */
const SLICE_MS = 5;

/**
 * Keeps long loops from blocking the event loop: `isOver()` tells whether the slice is used up, `next()` lets everything
 * else run and begins another. Check every few hundred steps, since reading the clock costs something too.
 */
export function createTimeSlices(sliceMs = SLICE_MS): { isOver(): boolean; next(): Promise<void> } {
  let startedAt = performance.now();
  return {
    isOver: () => performance.now() - startedAt > sliceMs,
    next: async () => {
      await nextTurn();
      startedAt = performance.now();
    },
  };
}
