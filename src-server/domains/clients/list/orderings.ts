import type { Store } from '../../../store/open-store.ts';
import type { PagePlan } from './page-query.ts';
import { readOrder, type PageIds } from './repository-page.ts';

/** How long an order may lag behind unannounced changes, such as counters and passing expiries. */
const FRESH_MS = 5_000;
/** Older orders are never used; for callers with such long pauses, reading only the page is cheaper. */
const LAST_MS = 2 * FRESH_MS;
/** Finding a page this far down takes as long as reading the whole order, so the order is read at once. */
const DEEP_OFFSET = 5_000;
/** With more matches than this, the order is read only for deep pages: other pages are faster without it. */
const MANY = 200_000;
/** Views paged through at the same time; each costs four bytes per match. */
const MAX_KEPT = 4;

interface View {
  /** Ids of all matches in order; null = requested once, so far not worth reading. */
  ids: Uint32Array | null;
  /** Number of matches when the first page was read; 0 = it was not read. */
  filtered: number;
  /** When the ids were read; before that, when the first page was. */
  asOfMs: number;
  /** A read in progress that started after the last announced change; null also when it failed. */
  reading: Promise<Uint32Array | null> | null;
}

export interface PageRequest {
  /** Everything that decides which clients match and in what order. */
  key: string;
  /** The current plan; it includes the results of a search. */
  planNow: () => Promise<PagePlan>;
  offset: number;
  limit: number;
  nowMs: number;
}

/**
 * A caller that requests a second page of a filtered or sorted list will request more, so the ids of all matches are
 * read once and pages are cut from them; later reads happen in the background. Pages of a list whose order changes with
 * every reading of the counters therefore neither repeat nor skip a client, and cost the same at any depth. Any
 * announced change drops all orders.
 */
export function createOrderings(store: Pick<Store, 'heavyReader'>, onError: (error: unknown) => void) {
  let views = new Map<string, View>();

  async function read(view: View, planNow: PageRequest['planNow'], nowMs: number): Promise<Uint32Array | null> {
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
    /** Rows, or their existence, may have changed. Called after the commit. */
    forget(): void {
      views = new Map();
    },
    /** @param readPage finds only the page, while its order is not known */
    async page(
      { key, planNow, offset, limit, nowMs }: PageRequest,
      readPage: () => Promise<PageIds>,
    ): Promise<PageIds> {
      const known = views.get(key);
      const isNew = known === undefined || Math.abs(nowMs - known.asOfMs) >= LAST_MS;
      const view: View = isNew ? { ids: null, filtered: 0, asOfMs: nowMs, reading: null } : known;
      const ageMs = Math.abs(nowMs - view.asOfMs);
      // Moved to the end: the least recently used one is dropped first.
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
