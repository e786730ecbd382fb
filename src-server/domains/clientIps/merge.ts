import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { foldText } from '../../store/fold-text.ts';
import type { Store, WriteTransaction } from '../../store/open-store.ts';
import { ValidationError } from '../../contract/envelope.ts';
import { toValidationIssues } from '../../contract/validation.ts';
import { createTimeSlices } from '../../time-slices.ts';
import { PushedRow } from './contract.ts';
import { MAX_ADDRESSES, spellingsOf, storeSightings, type Sighting } from './repository.ts';

/**
 * Sightings live for half an hour, wherever they come from: otherwise panels would keep each other's alive for ever.
 */
export const KEEP_SEC = 30 * 60;
const ROWS_PER_WRITE = 2_000;
const STEPS_PER_CLOCK = 64;

export type SeenList = { ip: string; timestamp: number }[];

/** Merges the sightings of other panels. Repeating it changes nothing. */
export function createMerge(store: Store, clock: () => number) {
  /** The fresh and valid addresses of a client, newest first; future times count as now. */
  function fresh(list: readonly ({ ip: string; timestamp: number } | null)[], nowSec: number): SeenList {
    const newest = new Map<string, number>();
    for (const entry of list) {
      if (entry === null || entry.timestamp < nowSec - KEEP_SEC) continue;
      const ip = canonicalAddress(entry.ip);
      if (ip !== null) newest.set(ip, Math.max(Math.min(entry.timestamp, nowSec), newest.get(ip) ?? 0));
    }
    return [...newest]
      .map(([ip, timestamp]) => ({ ip, timestamp }))
      .toSorted((a, b) => b.timestamp - a.timestamp)
      .slice(0, MAX_ADDRESSES);
  }

  /** In the spelling that the clients have here. */
  async function storePart(trx: WriteTransaction, sightings: readonly Sighting[]): Promise<void> {
    const known = await spellingsOf(
      trx,
      sightings.map(({ emailKey }) => emailKey),
    );
    await storeSightings(
      trx,
      sightings.map((sighting) => ({ ...sighting, email: known.get(sighting.emailKey) ?? sighting.email })),
    );
  }

  async function storeAll(sightings: Sighting[]): Promise<void> {
    for (let at = 0; at < sightings.length; at += ROWS_PER_WRITE)
      await store.write((trx) => storePart(trx, sightings.slice(at, at + ROWS_PER_WRITE)));
  }

  function sightingsOf(email: string, guid: string, list: Parameters<typeof fresh>[0], nowSec: number): Sighting[] {
    if (email.trim() === '' || email.includes('\0')) return [];
    const emailKey = foldText(email);
    return fresh(list, nowSec).map(({ ip, timestamp }) => ({ emailKey, email, guid, ip, seenAtSec: timestamp }));
  }

  return {
    /**
     * A table pushed by another panel: known cluster-wide, without an observer. It is accepted or refused as a whole.
     * @throws {ValidationError} for the first invalid row.
     */
    async mergeTable(rows: readonly unknown[]): Promise<null> {
      const nowSec = Math.floor(clock() / 1000);
      const sightings: Sighting[] = [];
      const slices = createTimeSlices();
      for (let i = 0; i < rows.length; i++) {
        const parsed = PushedRow.safeParse(rows[i], { reportInput: true });
        if (!parsed.success) throw new ValidationError(toValidationIssues({ issues: placed(parsed.error.issues, i) }));
        const { clientEmail, ips } = parsed.data;
        for (const sighting of sightingsOf(clientEmail, '', ips ?? [], nowSec)) sightings.push(sighting);
        if (i % STEPS_PER_CLOCK === 0 && slices.isOver()) await slices.next();
      }
      await storeAll(sightings);
      return null;
    },
    /** A node's own sightings. Its GUID is never ours. */
    async mergeSeen(guid: string, byEmail: Readonly<Record<string, SeenList>>): Promise<void> {
      const nowSec = Math.floor(clock() / 1000);
      await storeAll(Object.entries(byEmail).flatMap(([email, list]) => sightingsOf(email, guid, list, nowSec)));
    },
  };
}

/** As the core spells addresses; null for anything else. An address with a zone means nothing on another machine. */
function canonicalAddress(text: string): string | null {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 || bare.includes('%') ? null : ipaddr.process(bare).toString();
}

/** Prefixes the issues of one row with its place in the table. */
function placed<T extends { path: PropertyKey[] }>(issues: readonly T[], row: number): T[] {
  return issues.map((issue) => ({ ...issue, path: ['ips', row, ...issue.path] }));
}
