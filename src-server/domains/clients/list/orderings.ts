import type { Store } from '../../../store/open-store.ts';
import type { PagePlan } from './page-query.ts';
import { readOrder, type PageIds } from './repository-page.ts';

/** How long an order may be behind unannounced changes, which are counters that move and moments that pass. */
const FRESH_MS = 5_000;
/** Older ones are not shown even once, and a caller that asks so seldom is better served with the page alone. */
const LAST_MS = 2 * FRESH_MS;
/** Finding a page this far down takes as long as reading the whole order, so that is read at once. */
const DEEP_OFFSET = 5_000;
/** The order of more matches than this is read for deep pages alone: for the others it would take longer than each of them. */
const MANY = 200_000;
/** Views paged through at the same time; each costs four bytes a match. */
const MAX_KEPT = 4;

interface View {
  /** Ids of all matches in order; null = asked for once, so far not worth reading. */
  ids: Uint32Array | null;
  /** How many matched when the first page was read; 0 = that was not read. */
  filtered: number;
  /** When they were read; until then, when the first page was. */
  asOfMs: number;
  /** Under way, and begun after the last announced change; null also when it failed. */
  reading: Promise<Uint32Array | null> | null;
}

export interface Asked {
  /** Everything that decides which clients match and in what order. */
  key: string;
  /** The plan as of now: what a search finds is part of it. */
  planNow: () => Promise<PagePlan>;
  offset: number;
  limit: number;
  nowMs: number;
}

/**
 * A caller that asks for a second page of a filtered or sorted list will ask for more: the ids of all matches are then read once,
 * and pages are cut from them; later readings happen behind the requests' backs. So pages of a list whose order moves with
 * every reading of the counters neither repeat nor skip a client, and cost the same at any depth. Any announced change
 * forgets all orders.
 */
export function createOrderings(store: Pick<Store, 'heavyReader'>, onError: (error: unknown) => void) {
  let views = new Map<string, View>();

  async function read(view: View, planNow: Asked['planNow'], nowMs: number): Promise<Uint32Array | null> {
    try {
      const ids = await readOrder(store.heavyReader, await planNow());
      Object.assign(view, { ids, asOfMs: nowMs });
      return ids;
    } catch (error) {
      onError(error);
      return null;
    } finally {
      view.reading = null;
    }
  }

  return {
    /** Rows, or their existence, may differ from now on. Called after the commit. */
    forget(): void {
      views = new Map();
    },
    /** @param readPage finds the page alone, while its order is not known */
    async page({ key, planNow, offset, limit, nowMs }: Asked, readPage: () => Promise<PageIds>): Promise<PageIds> {
      const known = views.get(key);
      const isNew = known === undefined || Math.abs(nowMs - known.asOfMs) >= LAST_MS;
      const view: View = isNew ? { ids: null, filtered: 0, asOfMs: nowMs, reading: null } : known;
      const ageMs = Math.abs(nowMs - view.asOfMs);
      // Put last: the one that was not asked for the longest is the first to go.
      views.delete(key);
      if (views.size >= MAX_KEPT) views.delete(views.keys().next().value!);
      views.set(key, view);
      const isKnown = view.ids !== null || view.reading !== null;
      if (offset < DEEP_OFFSET && (isNew || (!isKnown && view.filtered > MANY))) {
        const page = await readPage();
        view.filtered = page.filtered;
        return page;
      }
      if (view.ids === null || ageMs >= FRESH_MS) view.reading ??= read(view, planNow, nowMs);
      const ids = view.ids ?? (await view.reading);
      if (ids === null) return readPage();
      return { filtered: ids.length, ids: [...ids.subarray(offset, offset + limit)] };
    },
  };
}
export type Orderings = ReturnType<typeof createOrderings>;
