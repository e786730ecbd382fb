import { isDatabaseAway } from '../../contract/database-away.ts';
import type { Logger } from '../../contract/logger.ts';
import type { Schedule } from '../../contract/schedule.ts';
import { besideActive } from '../../store/beside-active.ts';
import type { Store } from '../../store/open-store.ts';
import { stampFetches, stampRemotes } from './repository.ts';

const EVERY_MS = 5_000;
/** Clients stamped per transaction, so that other writes get a turn. */
const MAX_ROWS = 2_000;
/** Most stamps kept while nothing can be written; the oldest are dropped first. */
const MAX_KEPT = 100_000;

/**
 * Collects when apps fetched what, and writes it every few seconds, so that a request writes nothing. The
 * last seconds before a kill are lost: no accounting depends on them.
 */
export function createFetchStamps(deps: {
  store: Pick<Store, 'write'>;
  schedule: Schedule;
  clock: () => number;
  log: Pick<Logger, 'warn'>;
}) {
  const { store, clock, log } = deps;
  let clients = new Map<number, number>();
  let remotes = new Map<string, { fetchedAtMs: number; error: string }>();

  async function flush(): Promise<void> {
    while (clients.size > 0 || remotes.size > 0) {
      const entries = [...clients];
      const part = new Map(entries.slice(0, MAX_ROWS));
      clients = new Map(entries.slice(MAX_ROWS));
      const results = remotes;
      remotes = new Map();
      try {
        // Apps fetch from a standby panel, too.
        await besideActive(() =>
          store.write(async (trx) => {
            if (part.size > 0) await stampFetches(trx, part);
            if (results.size > 0) await stampRemotes(trx, results);
          }),
        );
      } catch (error) {
        clients = bounded(new Map([...part, ...clients]));
        remotes = new Map([...results, ...remotes]);
        throw error;
      }
    }
  }

  const timer = deps.schedule.every(EVERY_MS, async () => {
    try {
      await flush();
    } catch (error) {
      // The store has logged it, and the next run retries.
      if (!isDatabaseAway(error)) log.warn('sub.stampsFailed', { error });
    }
  });

  return {
    client: (id: number): void => void clients.set(id, clock()),
    remote: (url: string, error: string): void => void remotes.set(url, { fetchedAtMs: clock(), error }),
    flush,
    async close(): Promise<void> {
      timer.cancel();
      await flush();
    },
  };
}

function bounded(clients: Map<number, number>): Map<number, number> {
  return clients.size <= MAX_KEPT ? clients : new Map([...clients].slice(-MAX_KEPT));
}
