import { isIP } from 'node:net';
import { foldText } from '../../store/fold-text.ts';
import type { Store } from '../../store/open-store.ts';
import type { PushedRow } from './contract.ts';
import { MAX_ADDRESSES, storeSightings, type Sighting } from './repository.ts';

/** Sightings live for half an hour, wherever they come from: otherwise panels would keep each other's alive for ever. */
export const KEEP_SEC = 30 * 60;
const ROWS_PER_WRITE = 2_000;

export type SeenList = { ip: string; timestamp: number }[];

/** Takes over what other panels know. Twice the same changes nothing. */
export function createMerge(store: Store, clock: () => number) {
  /** The fresh and valid ones among a client's addresses, newest first; a time ahead of ours counts as now. */
  function fresh(list: readonly ({ ip: string; timestamp: number } | null)[], nowSec: number): SeenList {
    return list
      .filter((entry) => entry !== null)
      .map(({ ip, timestamp }) => ({ ip: ip.replace(/^\[(.*)\]$/, '$1'), timestamp: Math.min(timestamp, nowSec) }))
      .filter(({ ip, timestamp }) => isIP(ip) !== 0 && !ip.includes('%') && timestamp >= nowSec - KEEP_SEC)
      .toSorted((a, b) => b.timestamp - a.timestamp)
      .slice(0, MAX_ADDRESSES);
  }

  async function storeAll(sightings: Sighting[]): Promise<void> {
    for (let at = 0; at < sightings.length; at += ROWS_PER_WRITE)
      await store.write((trx) => storeSightings(trx, sightings.slice(at, at + ROWS_PER_WRITE)));
  }

  function sightingsOf(email: string, guid: string, list: Parameters<typeof fresh>[0], nowSec: number): Sighting[] {
    if (email.trim() === '' || email.includes('\0')) return [];
    const emailKey = foldText(email);
    return fresh(list, nowSec).map(({ ip, timestamp }) => ({ emailKey, email, guid, ip, seenAtSec: timestamp }));
  }

  return {
    /** A table as another panel pushes it: known cluster-wide, seen by nobody in particular. */
    async mergeTable(rows: readonly PushedRow[]): Promise<null> {
      const nowSec = Math.floor(clock() / 1000);
      await storeAll(rows.flatMap(({ clientEmail, ips }) => sightingsOf(clientEmail, '', ips ?? [], nowSec)));
      return null;
    },
    /** What a node says it has seen itself. Its GUID is never ours. */
    async mergeSeen(guid: string, byEmail: Readonly<Record<string, SeenList>>): Promise<void> {
      const nowSec = Math.floor(clock() / 1000);
      await storeAll(Object.entries(byEmail).flatMap(([email, list]) => sightingsOf(email, guid, list, nowSec)));
    },
  };
}
