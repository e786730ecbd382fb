import { setImmediate } from 'node:timers/promises';
import type { StoredClient } from '../../bridge/panels.ts';
import { factsFrom, NO_LISTS, type Facts, type Lists } from '../reading/facts.ts';
import type { SealedStore } from './sealed-store.ts';

/** Clients per sealed part. */
const CHUNK = 1_000;

interface ClientsHead {
  mark: string;
  readAtMs: number;
  count: number;
  /** Name prefix of their parts. */
  prefix: string;
}
const PREFIXES = ['clients a ', 'clients b '] as const;
const NO_CLIENTS: ClientsHead = { mark: '', readAtMs: 0, count: 0, prefix: PREFIXES[1] };
/** Their old names, from before there were two places for them. */
const FIRST_PREFIX = 'client ';

/** Stored readings of one panel. */
export function keptPanel(store: SealedStore, id: string) {
  const one = (part: string, value: unknown): void => store.replace(id, part, new Map([[part, value]]));
  const partOf = (prefix: string, chunk: number): string => prefix + String(chunk).padStart(6, '0');
  const head = (): ClientsHead => {
    const kept = store.read(id, 'head') as ClientsHead | null;
    return kept === null ? NO_CLIENTS : { ...kept, prefix: kept.prefix ?? FIRST_PREFIX };
  };
  return {
    facts: (nowMs: number): Facts => factsFrom(store.read(id, 'facts'), nowMs),
    writeFacts: (facts: Facts): void => one('facts', facts),
    lists: (): Lists => ({ ...NO_LISTS, ...(store.read(id, 'lists') as Lists | null) }),
    writeLists: (lists: Lists): void => one('lists', lists),
    clientsHead: head,
    /**
     * In pieces, beside the stored ones: a search meanwhile waits for one piece only. The new ones count once all of
     * them are written. @param goesOn asked before each piece, which it is given
     */
    async writeClients(
      clients: readonly StoredClient[],
      mark: string,
      readAtMs: number,
      goesOn: (piece: readonly StoredClient[]) => boolean = () => true,
    ): Promise<void> {
      const { prefix: before } = head();
      const prefix = before === PREFIXES[0] ? PREFIXES[1] : PREFIXES[0];
      // Left by an interrupted write.
      store.replace(id, prefix, new Map());
      for (let from = 0; from < clients.length; from += CHUNK) {
        const piece = clients.slice(from, from + CHUNK);
        if (!goesOn(piece)) return;
        store.put(id, partOf(prefix, from / CHUNK), piece);
        await setImmediate();
      }
      if (!goesOn([])) return;
      one('head', { mark, readAtMs, count: clients.length, prefix } satisfies ClientsHead);
      store.replace(id, before, new Map());
    },
    /** In pieces: a panel may have 100,000. */
    *clients(): Generator<StoredClient[]> {
      for (const part of store.parts(id, head().prefix)) yield (store.read(id, part) as StoredClient[] | null) ?? [];
    },
    /** The clients with the given numbers, in order. */
    clientsAt(numbers: readonly number[]): StoredClient[] {
      const { prefix } = head();
      const opened = new Map<number, StoredClient[]>();
      return numbers.flatMap((number) => {
        const chunk = Math.floor(number / CHUNK);
        const rows = opened.get(chunk) ?? (store.read(id, partOf(prefix, chunk)) as StoredClient[] | null) ?? [];
        opened.set(chunk, rows);
        const row = rows[number % CHUNK];
        return row === undefined ? [] : [row];
      });
    },
    forget: (): void => store.forget(id),
  };
}
export type KeptPanel = ReturnType<typeof keptPanel>;
