import type { Store } from '../../../store/open-store.ts';
import type { ClientSummary } from './contract.ts';
import type { Moment } from './near-limits.ts';
import { readOnline, readParts, type Members, type Part } from './repository-summary.ts';

/** How long an unannounced change of counters or a passed expiry may stay unseen. */
const FRESH_MS = 2_000;

/** Clients per part of the summary's partition, the expired ones among the depleted, and those online. */
export type SummaryLists = Record<Part | 'expired' | 'online', Members>;

interface Reading {
  lists: Promise<SummaryLists>;
  onlineOf: ReadonlySet<string>;
  moment: Moment;
}

/**
 * The lists behind the summary: read in the thread for long reads (some 10 ms for 100,000 clients) and kept for two
 * seconds, or until a change is announced or the limits, the clock or the set of online clients change.
 */
export function createSummary(
  store: Pick<Store, 'heavyReader'>,
  /** The same object until the set changes. */
  onlineEmails: () => ReadonlySet<string>,
) {
  let kept: Reading | null = null;

  async function read(moment: Moment, onlineOf: ReadonlySet<string>): Promise<SummaryLists> {
    const [parts, online] = await Promise.all([
      readParts(store.heavyReader, moment),
      readOnline(store.heavyReader, onlineOf),
    ]);
    return { ...parts, online };
  }

  return {
    /** Call it after the commit of any change: a read that began before it is not used again. */
    forget(): void {
      kept = null;
    },
    listsAt(moment: Moment): Promise<SummaryLists> {
      const onlineOf = onlineEmails();
      if (kept === null || kept.onlineOf !== onlineOf || !isFresh(kept.moment, moment)) {
        const reading = { lists: read(moment, onlineOf), onlineOf, moment };
        kept = reading;
        reading.lists.catch(() => {
          if (kept === reading) kept = null;
        });
      }
      return kept.lists;
    },
  };
}
export type Summary = ReturnType<typeof createSummary>;

function isFresh(before: Moment, now: Moment): boolean {
  const ageMs = now.nowMs - before.nowMs;
  const nearMs = (moment: Moment): number => moment.nearUntilMs - moment.nowMs;
  const isSameLimit = now.nearBytes === before.nearBytes && now.nearPercent === before.nearPercent;
  return ageMs >= 0 && ageMs < FRESH_MS && nearMs(now) === nearMs(before) && isSameLimit;
}

/** @param total number of all clients. */
export function presentSummary(
  { depleted, expired, expiring, deactive, online }: SummaryLists,
  total: number,
): ClientSummary {
  const special = depleted.emails.length + expiring.emails.length + deactive.emails.length;
  return {
    total,
    active: Math.max(0, total - special),
    online: online.emails,
    depleted: depleted.emails,
    expiring: expiring.emails,
    deactive: deactive.emails,
    onlineCount: online.emails.length,
    depletedCount: depleted.emails.length,
    exhaustedCount: depleted.emails.length - expired.emails.length,
    expiredCount: expired.emails.length,
    expiringCount: expiring.emails.length,
    deactiveCount: deactive.emails.length,
  };
}
