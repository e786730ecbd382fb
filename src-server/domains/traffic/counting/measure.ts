import { MAX_BYTES } from '../../../contract/fields/port.ts';
import type { CounterTable } from '../../../core/core.ts';
import { createTimeSlices } from '../../../time-slices.ts';
import { positionOf, type BaselineTable } from './baselines.ts';

/**
 * Largest plausible rate, in bytes per second and direction: 100 Gbit/s, more than one machine forwards for one name.
 */
export const MAX_BYTES_PER_SEC = 12_500_000_000;
/** Counters move in bursts and reading times are not exact, so no difference within this time is suspicious. */
const MARGIN_SEC = 5;

const STEPS_PER_CLOCK = 512;

/** Counters whose baseline changes, columnar across all arrays. */
export interface Changed {
  /** Position in the baseline table. */
  positions: Float64Array;
  ids: Float64Array;
  /** New baselines. */
  up: Float64Array;
  down: Float64Array;
  /** Bytes to credit; both 0 when the baseline moves without credit. */
  upDelta: Float64Array;
  downDelta: Float64Array;
}

/** An implausible delta, with the baseline already moved past it. */
export interface Implausible {
  subject: string;
  upDelta: number;
  downDelta: number;
}

export interface Measured {
  changed: Changed;
  implausible: Implausible[];
  /** Subjects with bytes but no baseline yet: they must be registered, then measured. */
  unseen: string[];
}

export interface MeasureRules {
  /**
   * Whether a lower value is trusted. The counters of one process never fall unless they are reset from outside; a
   * reading that may be older than the last one only raises baselines, so it adds nothing twice.
   */
  isFresh: boolean;
  /** Largest plausible delta per direction. */
  limitBytes: number;
  /** Only these subjects; null = all. */
  only: ReadonlySet<string> | null;
}

/** Largest delta per direction that is possible within `intervalMs`. */
export function plausibleBytes(intervalMs: number): number {
  return Math.min(MAX_BYTES, MAX_BYTES_PER_SEC * (Math.max(0, intervalMs) / 1000 + MARGIN_SEC));
}

/** Differences of a reading against the baselines, in slices that let other work run in between. */
export async function measure(reading: CounterTable, baselines: BaselineTable, rules: MeasureRules): Promise<Measured> {
  const changed = roomFor(reading.names.length);
  let count = 0;
  const implausible: Implausible[] = [];
  const unseen: string[] = [];
  const slices = createTimeSlices();
  for (let i = 0; i < reading.names.length; i++) {
    if (i % STEPS_PER_CLOCK === 0 && slices.isOver()) await slices.next();
    const subject = reading.names[i]!;
    const up = reading.up[i]!;
    const down = reading.down[i]!;
    if (!isCount(up) || !isCount(down) || (rules.only !== null && !rules.only.has(subject))) continue;
    const position = positionOf(baselines, subject, reading.numbers[i]!);
    if (position === undefined) {
      if (up + down > 0 && isStorable(subject)) unseen.push(subject);
      continue;
    }
    const upBefore = baselines.up[position]!;
    const downBefore = baselines.down[position]!;
    const upNow = rules.isFresh || up > upBefore ? up : upBefore;
    const downNow = rules.isFresh || down > downBefore ? down : downBefore;
    if (upNow === upBefore && downNow === downBefore) continue;
    // A counter that fell was reset from outside: its value was moved since then.
    let upDelta = upNow < upBefore ? upNow : upNow - upBefore;
    let downDelta = downNow < downBefore ? downNow : downNow - downBefore;
    if (upDelta > rules.limitBytes || downDelta > rules.limitBytes) {
      implausible.push({ subject, upDelta, downDelta });
      upDelta = 0;
      downDelta = 0;
    }
    changed.positions[count] = position;
    changed.ids[count] = baselines.ids[position]!;
    changed.up[count] = upNow;
    changed.down[count] = downNow;
    changed.upDelta[count] = upDelta;
    changed.downDelta[count] = downDelta;
    count += 1;
  }
  return { changed: firstOf(changed, count), implausible, unseen };
}

const column = (rows: number): Float64Array => new Float64Array(rows);
const roomFor = (rows: number): Changed => ({
  positions: column(rows),
  ids: column(rows),
  up: column(rows),
  down: column(rows),
  upDelta: column(rows),
  downDelta: column(rows),
});
const firstOf = ({ positions, ids, up, down, upDelta, downDelta }: Changed, rows: number): Changed => ({
  positions: positions.subarray(0, rows),
  ids: ids.subarray(0, rows),
  up: up.subarray(0, rows),
  down: down.subarray(0, rows),
  upDelta: upDelta.subarray(0, rows),
  downDelta: downDelta.subarray(0, rows),
});

/** No counter changed. */
export const NOTHING: Changed = roomFor(0);

/** Whether a text column can store the name exactly. */
function isStorable(name: string): boolean {
  return name.length <= 1024 && !name.includes('\0');
}

/** A damaged value must not block the accounting of the others: the database would refuse the whole batch. */
function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
