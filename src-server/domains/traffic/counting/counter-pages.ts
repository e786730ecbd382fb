/** Counters per page: one row of 8 KiB stands for 512 baselines, so a reading writes hundreds of rows less than clients. */
export const COUNTERS_PER_PAGE = 512;

/**
 * Last committed values of one source's counters, addressed by the id of their baseline. A page is, for each of its
 * counters in the order of their ids, uplink then downlink in bytes as 64-bit floats, which hold every whole number up to
 * 2^53 exactly; what was never counted is 0.
 */
export class CounterPages {
  readonly #pages = new Map<number, Float64Array<ArrayBuffer>>();

  upOf(id: number): number {
    return this.#pages.get(pageOf(id))?.[slotOf(id)] ?? 0;
  }

  downOf(id: number): number {
    return this.#pages.get(pageOf(id))?.[slotOf(id) + 1] ?? 0;
  }

  /** Takes a stored page over. */
  put(page: number, stored: Uint8Array): void {
    const counters = blankPage();
    new Uint8Array(counters.buffer).set(stored);
    this.#pages.set(page, counters);
  }

  /** Copies of the pages on which values change, with the new values. */
  changed(rows: readonly { ids: Float64Array; up: Float64Array; down: Float64Array }[]): ChangedPages {
    const changed: ChangedPages = new Map();
    for (const { ids, up, down } of rows) {
      for (let i = 0; i < ids.length; i++) {
        const page = pageOf(ids[i]!);
        let counters = changed.get(page);
        if (counters === undefined) {
          counters = this.#pages.get(page)?.slice() ?? blankPage();
          changed.set(page, counters);
        }
        const slot = slotOf(ids[i]!);
        counters[slot] = up[i]!;
        counters[slot + 1] = down[i]!;
      }
    }
    return changed;
  }

  /** To be called when the pages are committed. */
  adopt(changed: ChangedPages): void {
    for (const [page, counters] of changed) this.#pages.set(page, counters);
  }
}

/** Pages by number. */
export type ChangedPages = Map<number, Float64Array<ArrayBuffer>>;

const pageOf = (id: number): number => Math.floor(id / COUNTERS_PER_PAGE);
const slotOf = (id: number): number => (id % COUNTERS_PER_PAGE) * 2;
const blankPage = (): Float64Array<ArrayBuffer> => new Float64Array(COUNTERS_PER_PAGE * 2);
