import type { Basics } from '../basics.ts';
import { foldText } from '../../store/fold-text.ts';
import { KEEP_SEC, type SeenList } from './merge.ts';
import { presentAddress } from './present.ts';
import * as repository from './repository.ts';

/** Sightings per transaction. */
const ROWS_PER_WRITE = 2_000;
/** Clients per page of the whole table. */
const PAGE_CLIENTS = 2_000;
/** Nothing was seen later than now; clocks of nodes are not taken over. */
const AHEAD_SEC = 60;

export interface StoredSightingsDeps extends Pick<Basics, 'store' | 'clock'> {
  settings: { current(): { timeLocation: string } };
}

/** The sightings in the database, from every panel; those older than half an hour do not count. */
export function createStoredSightings({ store, clock, settings }: StoredSightingsDeps) {
  const fromSec = (): number => Math.floor(clock() / 1000) - KEEP_SEC;
  const zone = (): string => {
    const { timeLocation } = settings.current();
    return timeLocation === 'Local' ? '' : timeLocation;
  };

  /** Clients with their fresh sightings, page by page. */
  async function* clients(): AsyncGenerator<(repository.Sighting & { clientId: number | null })[][]> {
    for (let afterKey = ''; ;) {
      const rows = await repository.sightingsAfter(store.heavyReader, afterKey, fromSec(), PAGE_CLIENTS);
      if (rows.length === 0) return;
      afterKey = rows.at(-1)!.emailKey;
      yield [...Map.groupBy(rows, ({ emailKey }) => emailKey).values()]
        .map((sightingsOf) => sightingsOf.filter(({ ip }) => ip !== ''))
        .filter((sightingsOf) => sightingsOf.length > 0);
    }
  }

  return {
    /** Drops what is older than half an hour, and what a clock that was ahead has noted. */
    async expire(): Promise<void> {
      const kept = { fromSec: fromSec(), untilSec: Math.floor(clock() / 1000) + AHEAD_SEC };
      for (let hasMore = true; hasMore;)
        hasMore = await store.write((trx) => repository.dropOutside(trx, { ...kept, limit: ROWS_PER_WRITE }));
    },
    /** A client's addresses as lines of text, newest first. */
    async log(email: string): Promise<string[]> {
      const rows = await repository.addressesOf(store.reader, foldText(email), fromSec());
      return rows.map((row) => presentAddress(row, zone()));
    },
    /** The whole table as other panels read it: per client the newest sighting of each address. */
    async *table() {
      for await (const page of clients()) {
        yield page.map((rows) => ({
          id: rows[0]!.clientId ?? 0,
          clientEmail: rows[0]!.email,
          ips: newestByAddress(rows),
        }));
      }
    },
    /** Fresh sightings by observer and e-mail; relayed ones have no observer. */
    async byGuid(): Promise<Record<string, Record<string, SeenList>>> {
      // Without prototypes: e-mails and GUIDs are untrusted.
      const tree = Object.create(null) as Record<string, Record<string, SeenList>>;
      for await (const page of clients()) {
        for (const { guid, email, ip, seenAtSec } of page.flat()) {
          if (guid === '') continue;
          tree[guid] ??= Object.create(null) as Record<string, SeenList>;
          (tree[guid][email] ??= []).push({ ip, timestamp: seenAtSec });
        }
      }
      return tree;
    },
  };
}

function newestByAddress(rows: readonly repository.Sighting[]): SeenList {
  const newest = new Map<string, number>();
  for (const { ip, seenAtSec } of rows) newest.set(ip, Math.max(seenAtSec, newest.get(ip) ?? 0));
  return [...newest].map(([ip, timestamp]) => ({ ip, timestamp })).sort((a, b) => b.timestamp - a.timestamp);
}
