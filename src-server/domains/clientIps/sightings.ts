import { foldText } from '../../store/fold-text.ts';
import type { OnlineUser } from '../../core/core.ts';
import { createTimeSlices } from '../../time-slices.ts';
import { MAX_ADDRESSES, type Sighting } from './repository.ts';

/** Interval at which stored times are renewed: well below the time for which an address counts as in use elsewhere. */
const RENEW_MS = 60_000;
const STEPS_PER_CLOCK = 256;

interface Known {
  storedAtMs: number;
  seenAtMs: number;
}

/** What this panel's core shows, kept in memory so that a look writes only changes. */
export function createSightings(guid: string, keepMs: number) {
  const known = new Map<string, Map<string, Known>>();

  return {
    /** Records who is connected now. @returns what to store. */
    async observe(online: readonly OnlineUser[], nowMs: number): Promise<Sighting[]> {
      const due: Sighting[] = [];
      const slices = createTimeSlices();
      let steps = 0;
      for (const { email, ips } of online) {
        const addresses = known.get(email) ?? new Map<string, Known>();
        known.set(email, addresses);
        for (const { ip } of ips.slice(0, MAX_ADDRESSES)) {
          const seen = addresses.get(ip);
          // Also after the clock was set back, or nothing would be stored until it has caught up.
          const isDue = seen === undefined || Math.abs(nowMs - seen.storedAtMs) >= RENEW_MS;
          addresses.set(ip, { seenAtMs: nowMs, storedAtMs: isDue ? nowMs : seen.storedAtMs });
          if (isDue) due.push({ emailKey: foldText(email), email, guid, ip, seenAtSec: Math.floor(nowMs / 1000) });
        }
        steps += 1;
        if (steps % STEPS_PER_CLOCK === 0 && slices.isOver()) await slices.next();
      }
      return due;
    },
    /** Drops what is older than `keepMs`, and what a clock that was ahead has noted. */
    expire(nowMs: number): void {
      for (const [email, addresses] of known) {
        for (const [ip, { seenAtMs }] of addresses)
          if (nowMs - seenAtMs >= keepMs || seenAtMs > nowMs) addresses.delete(ip);
        if (addresses.size === 0) known.delete(email);
      }
    },
    /** Makes the next look store everything. */
    forget: (email: string): void => void known.delete(email),
    /** Addresses seen here within `withinMs`, with the time. */
    of(email: string, nowMs: number, withinMs: number): { ip: string; seenAtMs: number }[] {
      return [...(known.get(email) ?? [])]
        .map(([ip, { seenAtMs }]) => ({ ip, seenAtMs }))
        .filter(({ seenAtMs }) => nowMs - seenAtMs <= withinMs);
    },
  };
}
export type Sightings = ReturnType<typeof createSightings>;
