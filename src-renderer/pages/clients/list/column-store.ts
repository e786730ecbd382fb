import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { COLUMNS, type ColumnId, type HeadId } from './columns.tsx';

const ALL = Object.keys(COLUMNS) as ColumnId[];
const FIRST_SHOWN: readonly ColumnId[] = ['state', 'group', 'inbounds', 'traffic', 'expiry', 'comment'];

/** Narrowest and widest column, in CSS pixels. */
export const WIDTHS = { least: 60, most: 600 } as const;

type Density = 'comfortable' | 'compact';

interface ColumnChoice {
  /** Every column, in the order chosen. */
  order: readonly ColumnId[];
  shown: readonly ColumnId[];
  density: Density;
  /** Widths that were chosen, in CSS pixels; the others follow what they hold and the window. */
  widths: Partial<Record<HeadId, number>>;
  toggle: (id: ColumnId) => void;
  /** Moves a column by one place towards the start (-1) or the end (1). */
  move: (id: ColumnId, by: -1 | 1) => void;
  setDensity: (density: Density) => void;
  /** Gives a column a width within the limits; null = by what it holds again. */
  setWidth: (id: HeadId, width: number | null) => void;
  reset: () => void;
  /** Takes over a choice that was kept elsewhere; what of it means nothing here is left out. */
  take: (stored: unknown) => void;
}

const FIRST = { order: ALL, shown: FIRST_SHOWN, density: 'comfortable', widths: {} } as const;

/** Which columns this browser shows of clients. A stored choice of another version is dropped. */
export const useColumns = create<ColumnChoice>()(
  persist(
    (set) => ({
      ...FIRST,
      toggle: (id) =>
        set(({ shown }) => ({ shown: shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id] })),
      move: (id, by) => set(({ order }) => ({ order: moved(order, id, by) })),
      setDensity: (density) => set({ density }),
      setWidth: (id, width) =>
        set(({ widths: { [id]: _former, ...others } }) => ({
          widths: width === null ? others : { ...others, [id]: withinLimits(width) },
        })),
      reset: () => set(FIRST),
      take: (stored) => set(known(stored)),
    }),
    { name: 'panel.clients.columns', version: 1, merge: (stored, current) => ({ ...current, ...known(stored) }) },
  ),
);

/** The order with one column moved; at its end it stays where it is. */
export function moved(order: readonly ColumnId[], id: ColumnId, by: -1 | 1): readonly ColumnId[] {
  const at = order.indexOf(id);
  const other = order[at + by];
  if (at === -1 || other === undefined) return order;
  return order.map((one) => (one === id ? other : one === other ? id : one));
}

const withinLimits = (width: number): number => Math.round(Math.min(WIDTHS.most, Math.max(WIDTHS.least, width)));

/** What of a stored choice still means something; columns that came later stand at the end. */
function known(stored: unknown): Partial<Pick<ColumnChoice, 'order' | 'shown' | 'density' | 'widths'>> {
  const { order, shown, density, widths } = (stored ?? {}) as Partial<Record<string, unknown>>;
  if (!Array.isArray(order) || !Array.isArray(shown)) return {};
  const valid = (list: unknown[]): ColumnId[] => ALL.filter((id) => list.includes(id));
  const kept = order.filter((id): id is ColumnId => ALL.includes(id as ColumnId));
  return {
    order: [...new Set([...kept, ...ALL])],
    shown: valid(shown),
    density: density === 'compact' ? 'compact' : 'comfortable',
    widths: knownWidths(widths),
  };
}

function knownWidths(stored: unknown): Partial<Record<HeadId, number>> {
  const widths = (stored ?? {}) as Partial<Record<HeadId, unknown>>;
  const known: Partial<Record<HeadId, number>> = {};
  for (const id of ['email', ...ALL] as const) {
    const width = widths[id];
    if (typeof width === 'number' && Number.isFinite(width)) known[id] = withinLimits(width);
  }
  return known;
}
