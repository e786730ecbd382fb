import type { Steps } from '../config/steps.ts';
import { createBreather } from '../stats/loop-breather.ts';

/** Runs the steps of long work and lets everything else run in between. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  const breather = createBreather();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (breather.isDue()) await breather.pause();
  }
}
