/** Steps of the first run, in order: `/panel/first-run?step=core`. */
export const STEPS = ['look', 'account', 'core', 'inbound', 'client'] as const;
export type Step = (typeof STEPS)[number];

const REACHED = 'panel.firstRun';

export function isStep(text: string | null): text is Step {
  return text !== null && (STEPS as readonly string[]).includes(text);
}

/** Where this browser left off; the first step when it has not begun. */
export function reachedStep(): Step {
  const stored = localStorage.getItem(REACHED);
  return isStep(stored) ? stored : 'look';
}

export function storeStep(step: Step): void {
  localStorage.setItem(REACHED, step);
}
