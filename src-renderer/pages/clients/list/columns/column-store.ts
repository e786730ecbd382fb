import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { knownColumns, moved, toggled, type ColumnChoice } from '../../../../ui/columns/column-choice.ts';
import { COLUMNS, type ColumnId, type HeadId } from './columns.tsx';

const ALL = Object.keys(COLUMNS) as ColumnId[];
const FIRST_SHOWN: readonly ColumnId[] = ['state', 'group', 'inbounds', 'traffic', 'expiry', 'comment'];

/** Narrowest and widest column, in CSS pixels. */
export const WIDTHS = { least: 60, most: 600 } as const;

interface ClientColumnChoice extends ColumnChoice<ColumnId> {
  /** Widths that were chosen, in CSS pixels; the others follow what they hold and the window. */
  widths: Partial<Record<HeadId, number>>;
  /** Gives a column a width within the limits; null = by what it holds again. */
  setWidth: (id: HeadId, width: number | null) => void;
  /** Takes over a choice that was kept elsewhere; what of it means nothing here is left out. */
  take: (stored: unknown) => void;
}

const FIRST = { order: ALL, shown: FIRST_SHOWN, density: 'comfortable', widths: {} } as const;

/** Which columns this browser shows of clients. A stored choice of another version is dropped. */
export const useColumns = create<ClientColumnChoice>()(
  persist(
    (set) => ({
      ...FIRST,
      toggle: (id) => set(({ shown }) => ({ shown: toggled(shown, id) })),
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

const withinLimits = (width: number): number => Math.round(Math.min(WIDTHS.most, Math.max(WIDTHS.least, width)));

/** What of a stored choice still means something. */
function known(stored: unknown): Partial<Pick<ClientColumnChoice, 'order' | 'shown' | 'density' | 'widths'>> {
  const columns = knownColumns(stored, ALL);
  if (columns.order === undefined) return {};
  return { ...columns, widths: knownWidths((stored as { widths?: unknown }).widths) };
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
