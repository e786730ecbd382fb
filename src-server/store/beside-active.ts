import { AsyncLocalStorage } from 'node:async_hooks';
import type { Store } from './store.ts';

const scope = new AsyncLocalStorage<true>();

/**
 * Runs `work` as one of the few things that a panel which stands by may write, in turns with the active one: who signs in there, what
 * apps fetched there, that it is there, and what its own core counts.
 */
export const besideActive = <T>(work: () => T): T => scope.run(true, work);

/** The store as what counts on a panel that stands by has it: each write is one of those things. */
export const storeBesideActive = (store: Store): Store => ({
  ...store,
  write: (work) => besideActive(() => store.write(work)),
});

/** Whether {@link besideActive} runs what asks. */
export const isBesideActive = (): boolean => scope.getStore() === true;
