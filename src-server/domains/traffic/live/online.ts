import { createTimeSlices } from '../../../time-slices.ts';

const STEPS_PER_CLOCK = 512;

/** How long after its last byte a client or inbound counts as online. */
export const ONLINE_MS = 20_000;

/**
 * Idle connections raise the last-seen time no more often than this; for clients with traffic it is exact to the tick.
 */
export const SEEN_EVERY_MS = 30_000;
/** How long after its last-seen time a client counts as online for readers that have only the database. */
export const SEEN_WITHIN_MS = SEEN_EVERY_MS + ONLINE_MS;

/** Online clients on other panels that serve clients of this one. */
export interface RemoteOnline {
  /** The same object until the set changes. */
  emails: () => ReadonlySet<string>;
  /** By the GUID of the panel that serves them. */
  byGuid: () => Record<string, string[]>;
  /** Tags of inbounds with traffic there, by the GUID of the panel that runs them. */
  activeByGuid: () => Record<string, string[]>;
  /** Bytes per five seconds, by the tags used here; null = unknown. */
  speeds: () => readonly { tag: string; up: number; down: number }[] | null;
}

/** Both sets as one; the same object until one of them changes. */
export function joinSets(here: () => ReadonlySet<string>, there: () => ReadonlySet<string>): () => ReadonlySet<string> {
  let from: readonly [ReadonlySet<string>, ReadonlySet<string>] = [here(), there()];
  let joined: ReadonlySet<string> = new Set([...from[0], ...from[1]]);
  return () => {
    const now = [here(), there()] as const;
    if (now[1].size === 0) return now[0];
    if (now[0] !== from[0] || now[1] !== from[1]) {
      from = now;
      joined = new Set([...now[0], ...now[1]]);
    }
    return joined;
  };
}

/** A set of names active within {@link ONLINE_MS}; times are monotonic, so a clock change keeps no name online. */
export function createActiveSet(monotonic: () => number) {
  const lastActiveMs = new Map<string, number>();
  let names: ReadonlySet<string> = new Set();

  return {
    /** Marks names as active now and drops those inactive for too long. */
    async update(active: Iterable<string>): Promise<void> {
      const nowMs = monotonic();
      const slices = createTimeSlices();
      let hasChanged = false;
      let steps = 0;
      for (const name of active) {
        hasChanged ||= !lastActiveMs.has(name);
        lastActiveMs.set(name, nowMs);
        steps += 1;
        if (steps % STEPS_PER_CLOCK === 0 && slices.isOver()) await slices.next();
      }
      for (const [name, atMs] of lastActiveMs) {
        if (nowMs - atMs < ONLINE_MS) continue;
        lastActiveMs.delete(name);
        hasChanged = true;
      }
      if (hasChanged) names = new Set(lastActiveMs.keys());
    },
    /** The same object until the set changes. */
    names: (): ReadonlySet<string> => names,
  };
}
