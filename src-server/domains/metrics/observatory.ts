import type { Publish } from '../../contract/events.ts';
import type { HistoryPoint, ObservedOutbound } from './contract.ts';
import type { Observed } from './debug-vars.ts';
import { Groups } from './sample-ring.ts';

/** Delay that the core reports for an outbound that does not respond. */
const DEAD_DELAY = 99_999_999;
const MAX_TAGS = 512;
/** Successful probes kept per outbound: five hours of one every ten seconds. */
const MAX_SAMPLES = 1_800;

interface Watched {
  row: ObservedOutbound;
  samples: { t: number; v: number }[];
  /** Identifies the probe of a reading: its time, or for a burst observatory its sums. */
  probe: string;
  failCount: number;
  failuresInARow: number;
  isReportedDown: boolean;
}

/**
 * Follows the probes of the core's observatory. The core repeats its last result until the next probe, so a sample or a
 * failure counts only after a new probe.
 * @param threshold consecutive failed probes after which an outbound is reported as down
 */
export function createObservatory(options: { threshold: () => number; publish: Publish }) {
  const { threshold, publish } = options;
  const watched = new Map<string, Watched>();

  function follow(tag: string, one: Observed, nowSec: number): void {
    const { all = 0, fail = 0, average = 0 } = one.health_ping ?? {};
    const isBurst = one.health_ping !== null && one.health_ping !== undefined;
    const probe = isBurst ? `${all} ${fail} ${average}` : String(one.last_try_time);
    const delay = one.alive && one.delay < DEAD_DELAY ? one.delay : 0;
    const row: ObservedOutbound = {
      tag,
      alive: one.alive,
      delay,
      lastSeenTime: Math.trunc(one.last_seen_time),
      lastTryTime: Math.trunc(one.last_try_time),
      lastError: one.alive ? '' : one.last_error_reason.slice(0, 1000),
      updatedAt: nowSec,
    };
    const before = watched.get(tag);
    const entry: Watched = before ?? {
      row,
      samples: [],
      probe: '',
      failCount: 0,
      failuresInARow: 0,
      isReportedDown: false,
    };
    entry.row = row;
    if (before === undefined) watched.set(tag, entry);
    if (probe !== entry.probe) {
      entry.probe = probe;
      if (one.alive) {
        entry.samples.push({ t: nowSec, v: delay });
        if (entry.samples.length > MAX_SAMPLES) entry.samples.shift();
      }
      const hasFailed = isBurst ? fail > entry.failCount : !one.alive;
      entry.failCount = fail;
      tell(entry, hasFailed);
    }
  }

  function tell(entry: Watched, hasFailed: boolean): void {
    const { tag, alive, delay, lastError } = entry.row;
    entry.failuresInARow = hasFailed ? entry.failuresInARow + 1 : alive ? 0 : entry.failuresInARow;
    if (!entry.isReportedDown && !alive && entry.failuresInARow >= threshold()) {
      entry.isReportedDown = true;
      publish({ type: 'outboundDown', tag, delay, error: lastError || 'probe failed' });
    } else if (entry.isReportedDown && alive) {
      entry.isReportedDown = false;
      publish({ type: 'outboundUp', tag, delay });
    }
  }

  return {
    /** Takes a reading of the core. Outbounds that are no longer in it are dropped with their history. */
    take(observed: Readonly<Record<string, Observed>>, nowSec: number): void {
      const present = new Set<string>();
      for (const [key, one] of Object.entries(observed).slice(0, MAX_TAGS)) {
        const tag = one.outbound_tag || key;
        if (!isTag(tag)) continue;
        present.add(tag);
        follow(tag, one, nowSec);
      }
      for (const tag of watched.keys()) if (!present.has(tag)) watched.delete(tag);
    },
    clear: (): void => watched.clear(),
    rows: (): ObservedOutbound[] =>
      [...watched.values()].map(({ row }) => row).sort((one, other) => (one.tag < other.tag ? -1 : 1)),
    /** Null for a tag that is not observed. */
    history(tag: string, bucketSec: number, nowSec: number): HistoryPoint[] | null {
      const entry = watched.get(tag);
      if (entry === undefined) return null;
      const groups = new Groups(bucketSec, nowSec);
      for (const { t, v } of entry.samples) groups.add(t, v);
      return groups.points();
    },
  };
}
export type Observatory = ReturnType<typeof createObservatory>;

/** 1..128 bytes without control characters. */
function isTag(tag: string): boolean {
  return tag !== '' && Buffer.byteLength(tag) <= 128 && !/\p{Cc}/u.test(tag) && tag.isWellFormed();
}
