import { AsyncLocalStorage } from 'node:async_hooks';
import type { Store } from './store.ts';

const scope = new AsyncLocalStorage<true>();

/**
 * Runs `work` as one of the few things that a standby panel may write, in turns with the active one: sign-ins and app
 * fetches there, its presence, and what its own core counts.
 */
export const besideActive = <T>(work: () => T): T => scope.run(true, work);

/** The store for accounting on a standby panel: each write counts as one of those things. */
export const storeBesideActive = (store: Store): Store => ({
  ...store,
  write: (work) => besideActive(() => store.write(work)),
});

/** Whether {@link besideActive} runs the caller. */
export const isBesideActive = (): boolean => scope.getStore() === true;
