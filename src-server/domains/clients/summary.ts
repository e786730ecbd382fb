import type { Store } from '../../store/open-store.ts';
import type { ClientSummary } from './contract.ts';
import type { Moment } from './near-limits.ts';
import { idsCrossing, presentParts, readOnline, readParts, type Part } from './repository-summary.ts';
import type { SortedMembers } from './sorted-members.ts';

/** Above this many clients a new reading is cheaper than moving them one by one. */
const MAX_MOVED = 2_000;
/** How long changes that nobody announces, which are counters that moved, may stay unseen. */
const FRESH_MS = 5_000;

interface Reading {
  parts: Record<Part, SortedMembers>;
  online: SortedMembers;
  /** The set whose members `online` holds. */
  onlineOf: ReadonlySet<string>;
  /** When everything was read. */
  readAtMs: number;
  /** Moment up to which expiries are accounted for. */
  checked: Moment;
}

export interface SummaryDeps {
  store: Store;
  /** The same object until the set changes. */
  onlineEmails: () => ReadonlySet<string>;
  /** A reading behind a request's back failed; the lists stay as they were. */
  onError: (error: unknown) => void;
}

/** Clients per part of the summary's partition, and those online, by record id. */
export interface SummaryLists {
  depleted: SortedMembers;
  expiring: SortedMembers;
  deactive: SortedMembers;
  online: SortedMembers;
}

/**
 * The lists behind the summary, without looking at every client for every request.
 *
 * They are read at once in the thread for long reads (some 10 ms for 100,000 clients) and kept. From then on a request
 * pays only for what differs: clients announced through `touch`, and clients whose expiry or nearness began since the last
 * request (found through the expiry index), are read again by id and moved between the lists. Very many announced clients,
 * other thresholds or a clock that went back cause a new reading that the request waits for. Counters move without being
 * announced, so a reading older than five seconds is renewed behind the request's back. So an announced change is seen at
 * once, everything else within five seconds, and a forgotten announcement heals by itself.
 */
export function createSummary({ store, onlineEmails, onError }: SummaryDeps) {
  let current: Reading | null = null;
  /** Anybody may differ from what the last reading began with. */
  let isOutdated = false;
  let touched = new Set<number>();
  let renewal: { done: Promise<void>; touchedMeanwhile: Set<number> } | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  function renew(moment: Moment): Promise<void> {
    const touchedMeanwhile = new Set<number>();
    isOutdated = false;
    async function read(): Promise<void> {
      const onlineOf = onlineEmails();
      try {
        const [parts, online] = await Promise.all([
          readParts(store.heavyReader, moment),
          readOnline(store.heavyReader, onlineOf),
        ]);
        current = { parts, online, onlineOf, readAtMs: moment.nowMs, checked: moment };
        touched = touchedMeanwhile;
      } finally {
        renewal = null;
      }
    }
    const done = read();
    renewal = { done, touchedMeanwhile };
    return done;
  }

  /** One request at a time, so that an older read of a client never follows a newer one. */
  async function bringTo(moment: Moment): Promise<Reading> {
    if (current === null || isOutdated || isElsewhere(current.checked, moment) || touched.size > MAX_MOVED) {
      // One that is under way may have begun before the change.
      if (renewal !== null) await renewal.done.catch(() => undefined);
      await renew(moment);
      return current!;
    }
    if (current.onlineOf !== onlineEmails()) {
      const onlineOf = onlineEmails();
      const online = await readOnline(onlineOf.size > 500 ? store.heavyReader : store.reader, onlineOf);
      Object.assign(current, { online, onlineOf });
    }
    const crossing = await idsCrossing(store.reader, current.checked, moment);
    for (const id of crossing) touched.add(id);
    if (touched.size > MAX_MOVED) return bringTo(moment);
    await move(moment);
    if (moment.nowMs - current.readAtMs >= FRESH_MS && renewal === null) renew(moment).catch(onError);
    return current;
  }

  async function move(moment: Moment): Promise<void> {
    const ids = [...touched];
    touched = new Set();
    const rows = ids.length === 0 ? [] : (await presentParts(ids, moment).execute(store.reader)).rows;
    const { parts, online, onlineOf } = current!;
    const found = new Map(rows.map((row) => [row.id, row]));
    for (const id of ids) {
      const row = found.get(id);
      for (const part of ['depleted', 'expiring', 'deactive'] as const) {
        if (row?.part === part) parts[part].set(id, row.email);
        else parts[part].delete(id);
      }
      if (row !== undefined && row.enable === 1 && onlineOf.has(row.email)) online.set(id, row.email);
      else online.delete(id);
    }
    current!.checked = moment;
  }

  return {
    /** These clients' rows, or their existence, may differ from now on. Called after the commit. */
    touch(clientIds: Iterable<number>): void {
      for (const id of clientIds) {
        touched.add(id);
        renewal?.touchedMeanwhile.add(id);
      }
    },
    /** Every client may differ. */
    touchAll(): void {
      isOutdated = true;
    },
    async listsAt(moment: Moment): Promise<SummaryLists> {
      const reading = turn.then(() => bringTo(moment));
      turn = reading.catch(() => undefined);
      const { parts, online } = await reading;
      return { ...parts, online };
    },
  };
}
export type Summary = ReturnType<typeof createSummary>;

function isElsewhere(before: Moment, now: Moment): boolean {
  const span = (moment: Moment): number => moment.nearUntilMs - moment.nowMs;
  return now.nowMs < before.nowMs || span(now) !== span(before) || now.nearBytes !== before.nearBytes;
}

/** @param total all clients that exist. */
export function presentSummary({ depleted, expiring, deactive, online }: SummaryLists, total: number): ClientSummary {
  const special = depleted.emails.length + expiring.emails.length + deactive.emails.length;
  return {
    total,
    active: Math.max(0, total - special),
    online: [...online.emails],
    depleted: [...depleted.emails],
    expiring: [...expiring.emails],
    deactive: [...deactive.emails],
    onlineCount: online.emails.length,
    depletedCount: depleted.emails.length,
    expiringCount: expiring.emails.length,
    deactiveCount: deactive.emails.length,
  };
}
