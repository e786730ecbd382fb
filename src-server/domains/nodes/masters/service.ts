import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Basics } from '../../basics.ts';
import type { Timer } from '../../../contract/schedule.ts';
import type { GuardedDialer } from '../../../net/guarded-dialer.ts';
import type { Place } from '../../../net/trunk/messages.ts';
import type { Store } from '../../../store/open-store.ts';
import type { Secrets } from '../../../store/secrets/secrets.ts';
import { createDialling } from './dialling.ts';
import { keptMaster, type KeptMaster } from './kept-master.ts';
import { allMasters, type MasterRow } from './repository.ts';

/** How soon an enrolment made by a command is noticed. */
const LOOK_EVERY_MS = 3_000;

export interface MastersDeps extends Pick<Basics, 'clock' | 'monotonic' | 'schedule' | 'log'> {
  store: Pick<Store, 'reader' | 'write'>;
  secrets: Pick<Secrets, 'seal' | 'open'>;
  dialer: Pick<GuardedDialer, 'connect'>;
  /** Serves a connection to the API. @param fingerprint of the master's certificate */
  serve: (connection: Duplex, fingerprint: string) => void;
  /** Where this panel listens. */
  place: () => Omit<Place, 'run'>;
}

/**
 * The masters this panel has enrolled with. It dials each and keeps the connection, which the master uses for requests.
 */
export function createMasters(deps: MastersDeps) {
  const { store, schedule } = deps;
  const kept = new Map<string, KeptMaster>();
  const closing = new AbortController();
  const isKept = (master: KeptMaster): boolean => kept.get(master.row.trunkId) === master;
  const run = randomUUID();
  const place = (): Place => ({ ...deps.place(), run });
  const { secured, dial } = createDialling({ ...deps, place, isKept, closing: closing.signal });
  let looking: Timer | null = null;

  function drop(trunkId: string): void {
    const master = kept.get(trunkId);
    kept.delete(trunkId);
    master?.wait?.cancel();
    for (const end of master?.ends ?? []) end.destroy();
  }

  /** Another address was entered by a command outside this process. */
  function redial(master: KeptMaster, { url, formerUrl, name }: MasterRow): void {
    Object.assign(master.row, { url, formerUrl, name });
    master.failures = 0;
    master.wait?.cancel();
    master.wait = null;
    void dial(master);
  }

  /** Commands outside this process can enrol, change the address, and end an enrolment. */
  async function look(): Promise<void> {
    const rows = await allMasters(store.reader);
    const wanted = new Set(rows.map(({ trunkId }) => trunkId));
    for (const trunkId of kept.keys()) if (!wanted.has(trunkId)) drop(trunkId);
    for (const row of rows) {
      if (closing.signal.aborted) continue;
      const before = kept.get(row.trunkId);
      if (before !== undefined && before.row.url !== row.url) redial(before, row);
      if (before !== undefined) continue;
      const master = keptMaster(row);
      kept.set(row.trunkId, master);
      // Not awaited: one master must not delay another.
      void dial(master);
    }
  }

  return {
    /** Whether this panel has an enrolment with this authority. */
    has: (trunkId: string): boolean => kept.has(trunkId),
    /** The master has dialled. @throws {Error} when it is a different master */
    async accept(trunkId: string, stream: Duplex): Promise<void> {
      const master = kept.get(trunkId);
      if (master === undefined) stream.destroy();
      else await secured(master, stream);
    },
    async start(): Promise<void> {
      await look();
      looking ??= schedule.every(LOOK_EVERY_MS, look);
    },
    close(): void {
      looking?.cancel();
      closing.abort();
      for (const trunkId of kept.keys()) drop(trunkId);
    },
  };
}
