import { createLine } from '../../../../concurrency.ts';
import type { Store } from '../../../../store/open-store.ts';
import { keyChangesAfter, keysAfterId, lastKeyVersion } from './repository-search.ts';
import { createSearchPieces } from './search-pieces.ts';

/** Up to this many new clients are read on this thread's connection, in 1 ms. */
const FEW = 500;
/** More are read in the thread for long reads, this many at a time: adding them blocks this thread for 3 ms. */
const SLICE = 4_096;
/** Keys unused for this long are dropped: reading them again takes 0.1 s for 100,000 clients. */
const IDLE_MS = 30 * 60_000;

export interface ClientSearchDeps {
  store: Pick<Store, 'reader' | 'heavyReader'>;
  clock: () => number;
}

/**
 * Searches all clients in memory. The keys are read at the first search. Each later one first reads what was committed
 * since: the database records changed and deleted keys, and new clients have larger ids. So a search sees every
 * acknowledged write, from any source, and nothing that was rolled back.
 */
export function createClientSearch({ store, clock }: ClientSearchDeps) {
  let kept: { pieces: ReturnType<typeof createSearchPieces>; version: number } | null = null;
  let usedAtMs = 0;
  const inTurn = createLine();

  async function fresh() {
    // The version is read first: a key that changes during the read is then read once more.
    kept = { version: await lastKeyVersion(store.reader), pieces: createSearchPieces() };
    return kept;
  }

  /** One search at a time, so that an older key never follows a newer one. */
  async function idsNow(term: string): Promise<Uint32Array> {
    let current = kept ?? (await fresh());
    const changed = await keyChangesAfter(store.reader, current.version);
    if (changed === null) current = await fresh();
    else {
      current.pieces.change(changed.changes);
      current.version = changed.version;
    }
    const { pieces } = current;
    const from = { db: store.reader, few: FEW, heavyDb: () => store.heavyReader, slice: SLICE };
    for await (const { ids, keys } of keysAfterId(from, pieces.lastId())) pieces.append(ids, keys);
    return pieces.idsWith(term);
  }

  return {
    /** Ids of clients whose search key contains the term, ascending. @param term a result of `searchTerm`, not empty */
    idsWith(term: string): Promise<Uint32Array> {
      usedAtMs = clock();
      return inTurn(() => idsNow(term));
    },
    /** Drops the keys when there was no search for a while. Call it periodically. */
    rest(): void {
      if (Math.abs(clock() - usedAtMs) >= IDLE_MS) kept = null;
    },
  };
}
export type ClientSearch = ReturnType<typeof createClientSearch>;
