/** Steps of the first run, in order: `/panel/first-run?step=core`. */
const STEPS = ['look', 'account', 'core', 'address', 'inbound', 'client'] as const;
/** In the window of this computer's own panel, the welcome has covered the look and the credentials. */
const WINDOW_STEPS = ['core', 'network', 'address', 'inbound', 'client'] as const;
export type Step = (typeof STEPS)[number] | (typeof WINDOW_STEPS)[number];

const REACHED = 'panel.firstRun';

export function stepsOf(isInWindow: boolean): readonly Step[] {
  return isInWindow ? WINDOW_STEPS : STEPS;
}

/** The requested step, else where this browser left off; the first one when it has not begun. */
export function openStep(requested: string | null, steps: readonly Step[]): Step {
  const named = [requested, localStorage.getItem(REACHED)];
  for (const name of named) {
    const step = steps.find((each) => each === name);
    if (step !== undefined) return step;
  }
  return steps[0]!;
}

export function storeStep(step: Step): void {
  localStorage.setItem(REACHED, step);
}

/** All steps are done: the next panel at this address begins with the first. */
export function forgetStep(): void {
  localStorage.removeItem(REACHED);
}
