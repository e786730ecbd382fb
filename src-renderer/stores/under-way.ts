import { create } from 'zustand';

/** Parts of the interface whose program is on its way. */
export const useUnderWay = create<{ parts: number }>(() => ({ parts: 0 }));

/** Counts a part while it loads. */
export async function underWay<T>(loading: Promise<T>): Promise<T> {
  const add = (count: number): void => useUnderWay.setState(({ parts }) => ({ parts: parts + count }));
  // Parts begin to load while React renders, when no other part may be told.
  queueMicrotask(() => add(1));
  try {
    return await loading;
  } finally {
    add(-1);
  }
}
