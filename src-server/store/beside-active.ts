import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<true>();

/**
 * Runs `work` as one of the few things that a panel which stands by may write, in turns with the active one: who signs in there, what
 * apps fetched there, and what its own last core had counted.
 */
export const besideActive = <T>(work: () => T): T => scope.run(true, work);

/** Whether {@link besideActive} runs what asks. */
export const isBesideActive = (): boolean => scope.getStore() === true;
