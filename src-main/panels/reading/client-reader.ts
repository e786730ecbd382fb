import type { ClientFigures, StoredClient } from '../../bridge/panels.ts';
import type { Link } from '../../connections/link.ts';
import { countClients, readClientFigures, readClients } from './read-clients.ts';

/** Unchanged clients are read again after this time, for their counters. */
const UNCHANGED_MS = 6 * 60 * 60_000;

interface ClientReaderDeps {
  link: Link;
  clock: () => number;
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** ETag of the stored clients, and when they were read. */
  clientsMark: string;
  clientsReadAtMs: number;
  onClients: (clients: StoredClient[], mark: string) => Promise<void>;
}

/** Reads the clients of one panel: their counts often, each of them only after a change. */
export function createClientReader({ link, clock, inTurn, onClients, ...stored }: ClientReaderDeps) {
  let { clientsMark, clientsReadAtMs } = stored;
  let knownMark: string | null = null;

  return {
    /** The panel's own counts; null: it has none. @throws {ReadFailure} */
    async readCounts(): Promise<ClientFigures | null> {
      const read = await readClientFigures(link);
      knownMark = read?.mark ?? null;
      return read?.figures ?? null;
    },
    /** @returns counts where the panel has none; null: it has, or nothing changed. @throws {ReadFailure} */
    async readAll(): Promise<ClientFigures | null> {
      const isUnchanged = knownMark !== null && knownMark === clientsMark;
      if (isUnchanged && clientsReadAtMs > clock() - UNCHANGED_MS) return null;
      const clients: StoredClient[] = [];
      const mark = knownMark ?? '';
      await inTurn(() => readClients(link, (client) => clients.push(client)));
      clientsMark = mark;
      clientsReadAtMs = clock();
      await onClients(clients, mark);
      return mark === '' ? countClients(clients, clientsReadAtMs) : null;
    },
    /** Reads them again, changed or not. */
    refresh: (): void => void (clientsReadAtMs = 0),
  };
}
