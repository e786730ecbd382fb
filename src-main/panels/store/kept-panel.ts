import type { StoredClient } from '../../bridge/panels.ts';
import { factsFrom, NO_LISTS, type Facts, type Lists } from '../reading/facts.ts';
import type { SealedStore } from './sealed-store.ts';

/** Clients of one sealed part. */
const CHUNK = 1_000;

interface ClientsHead {
  mark: string;
  readAtMs: number;
  count: number;
}
const NO_CLIENTS: ClientsHead = { mark: '', readAtMs: 0, count: 0 };

/** What is kept of one panel. */
export function keptPanel(store: SealedStore, id: string) {
  const one = (part: string, value: unknown): void => store.replace(id, part, new Map([[part, value]]));
  const partOf = (chunk: number): string => `client ${String(chunk).padStart(6, '0')}`;
  return {
    facts: (nowMs: number): Facts => factsFrom(store.read(id, 'facts'), nowMs),
    writeFacts: (facts: Facts): void => one('facts', facts),
    lists: (): Lists => ({ ...NO_LISTS, ...(store.read(id, 'lists') as Lists | null) }),
    writeLists: (lists: Lists): void => one('lists', lists),
    clientsHead: (): ClientsHead => (store.read(id, 'head') as ClientsHead | null) ?? NO_CLIENTS,
    writeClients(clients: readonly StoredClient[], mark: string, readAtMs: number): void {
      const parts = new Map<string, unknown>();
      for (let from = 0; from < clients.length; from += CHUNK)
        parts.set(partOf(from / CHUNK), clients.slice(from, from + CHUNK));
      store.replace(id, 'client ', parts);
      one('head', { mark, readAtMs, count: clients.length } satisfies ClientsHead);
    },
    /** Piece by piece: a panel may have 100,000. */
    *clients(): Generator<StoredClient[]> {
      for (const part of store.parts(id, 'client ')) yield (store.read(id, part) as StoredClient[] | null) ?? [];
    },
    /** Those with the given numbers, in order. */
    clientsAt(numbers: readonly number[]): StoredClient[] {
      const opened = new Map<number, StoredClient[]>();
      return numbers.flatMap((number) => {
        const chunk = Math.floor(number / CHUNK);
        const rows = opened.get(chunk) ?? (store.read(id, partOf(chunk)) as StoredClient[] | null) ?? [];
        opened.set(chunk, rows);
        const row = rows[number % CHUNK];
        return row === undefined ? [] : [row];
      });
    },
    forget: (): void => store.forget(id),
  };
}
export type KeptPanel = ReturnType<typeof keptPanel>;
