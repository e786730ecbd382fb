import { create } from 'zustand';
import { persist } from 'zustand/middleware';

export type Density = 'comfortable' | 'compact';

/** The columns of a list in this browser: which, in which order, and how dense. */
export interface ColumnChoice<C extends string> {
  /** Every column that can be chosen, in the order chosen. */
  order: readonly C[];
  shown: readonly C[];
  density: Density;
  toggle: (id: C) => void;
  /** Moves a column by one place towards the start (-1) or the end (1). */
  move: (id: C, by: -1 | 1) => void;
  setDensity: (density: Density) => void;
  reset: () => void;
}

/**
 * A list's columns, kept in this browser.
 * @param list names it in the browser's storage
 * @param columns in their default order, all of them shown; without the columns that are always there
 */
export function createColumnChoice<C extends string>(list: string, columns: readonly C[]) {
  const first = { order: columns, shown: columns, density: 'comfortable' } as const;
  return create<ColumnChoice<C>>()(
    persist(
      (set) => ({
        ...first,
        toggle: (id) => set(({ shown }) => ({ shown: toggled(shown, id) })),
        move: (id, by) => set(({ order }) => ({ order: moved(order, id, by) })),
        setDensity: (density) => set({ density }),
        reset: () => set(first),
      }),
      {
        name: `panel.${list}.columns`,
        version: 1,
        merge: (stored, current) => ({ ...current, ...knownColumns(stored, columns) }),
      },
    ),
  );
}

/** The visible columns, in the order chosen. */
export const shownColumns = <C extends string>({ order, shown }: Pick<ColumnChoice<C>, 'order' | 'shown'>): C[] =>
  order.filter((id) => shown.includes(id));

export const toggled = <C extends string>(shown: readonly C[], id: C): readonly C[] =>
  shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id];

/** The order with one column moved; at its end it stays where it is. */
export function moved<C extends string>(order: readonly C[], id: C, by: -1 | 1): readonly C[] {
  const at = order.indexOf(id);
  const other = order[at + by];
  if (at === -1 || other === undefined) return order;
  return order.map((one) => (one === id ? other : one === other ? id : one));
}

/** The parts of a stored choice that are still valid; new columns are added at the end. */
export function knownColumns<C extends string>(
  stored: unknown,
  all: readonly C[],
): Partial<Pick<ColumnChoice<C>, 'order' | 'shown' | 'density'>> {
  const { order, shown, density } = (stored ?? {}) as Partial<Record<string, unknown>>;
  if (!Array.isArray(order) || !Array.isArray(shown)) return {};
  const kept = order.filter((id): id is C => all.includes(id as C));
  return {
    order: [...new Set([...kept, ...all])],
    shown: all.filter((id) => (shown as unknown[]).includes(id)),
    density: density === 'compact' ? 'compact' : 'comfortable',
  };
}
