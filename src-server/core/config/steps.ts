/**
 * Long work of pure functions, cut into steps: it pauses at each `yield`, and the caller decides what happens there.
 * The result does not depend on that.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs all steps at once. */
export function finished<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}
