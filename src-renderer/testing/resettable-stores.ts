import { create as createBound } from 'zustand/react';
import type { StateCreator, StoreApi } from 'zustand/vanilla';

export { useStore } from 'zustand/react';
export { createStore, type StoreApi } from 'zustand/vanilla';

type Create = typeof createBound;
const stores = new Set<Pick<StoreApi<unknown>, 'setState' | 'getInitialState'>>();

/**
 * Replaces zustand's `create` in tests, whose files share one copy of the interface: each test begins with stores in
 * their initial state.
 */
export const create = (<T>(made?: StateCreator<T>) => (made === undefined ? register<T> : register(made))) as Create;

function register<T>(made: StateCreator<T>) {
  const store = createBound(made);
  stores.add(store);
  return store;
}

/** Their initial state, from when their modules were loaded. */
export function resetStores(): void {
  for (const store of stores) store.setState(store.getInitialState(), true);
}
