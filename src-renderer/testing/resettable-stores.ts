import { create as createBound } from 'zustand/react';
import type { StateCreator, StoreApi } from 'zustand/vanilla';

export { useStore } from 'zustand/react';
export { createStore, type StoreApi } from 'zustand/vanilla';

type Create = typeof createBound;
const stores = new Set<Pick<StoreApi<unknown>, 'setState' | 'getInitialState'>>();

/**
 * Stands for `create` of zustand in tests, whose files share one copy of the interface: each test begins with stores as they
 * were made.
 */
export const create = (<T>(made?: StateCreator<T>) => (made === undefined ? register<T> : register(made))) as Create;

function register<T>(made: StateCreator<T>) {
  const store = createBound(made);
  stores.add(store);
  return store;
}

/** As they were when their modules were loaded. */
export function resetStores(): void {
  for (const store of stores) store.setState(store.getInitialState(), true);
}
