import { midnightOf, wallAt } from '../enforcement/month-day.ts';
import type { Stretch } from './repository-totals.ts';

const DAY_MS = 86_400_000;
const HOUR_SEC = 3_600;
/** A range of up to this many days is shown by hour, or by day; a longer one by month. */
const DAYS_BY_HOUR = 2;
const DAYS_BY_DAY = 92;
/** Parts of each day of a week. */
const PARTS_OF_DAY = 4;
const MONTHS_OF_YEAR = 12;

export type Calendar = 'gregory' | 'persian';
export type Step = 'hour' | 'quarterDay' | 'day' | 'month';
/** `week` is seven days and `year` twelve months, the last of which holds `atMs`; a range is whole days. */
export type PeriodRequest =
  | { period: 'day' | 'week' | 'month' | 'year'; atMs: number }
  | { period: 'range'; fromMs: number; untilMs: number };

export interface Period {
  step: Step;
  /** Consecutive, without gaps. */
  stretches: Stretch[];
  whole: Stretch;
  /** The time of the same length, or the same calendar days, right before. */
  before: Stretch;
}

/** Days and months of the panel's zone. @param timeZone IANA name, empty = the system's */
export function createPeriods(timeZone: string, calendar: Calendar) {
  /** Midnight of the day that contains `ms`, `later` days on, as if it were UTC. */
  function wallDay(ms: number, later = 0): number {
    const { year, month, day } = wallAt(ms, timeZone);
    return Date.UTC(year, month - 1, day) + later * DAY_MS;
  }
  const dayStart = (ms: number, later = 0): number => midnightOf(wallDay(ms, later), timeZone);
  const dayOfMonth = new Intl.DateTimeFormat('en-US', {
    calendar,
    numberingSystem: 'latn',
    day: 'numeric',
    timeZone: 'UTC',
  });

  /** First day of the calendar month that contains a day, both as if they were UTC. */
  const firstOf = (wallMs: number): number => wallMs - (Number(dayOfMonth.format(wallMs)) - 1) * DAY_MS;

  /** Starts of `count` months, the last of which contains `ms`, and the start of the following month. */
  function monthStarts(ms: number, count: number): number[] {
    let first = firstOf(wallDay(ms));
    const following = firstOf(first + 32 * DAY_MS);
    const starts = [following];
    for (let at = 0; at < count; at++) {
      starts.unshift(first);
      first = firstOf(first - DAY_MS);
    }
    return starts.map((wallMs) => midnightOf(wallMs, timeZone));
  }

  function dayStarts(fromMs: number, untilMs: number): number[] {
    const starts: number[] = [];
    const end = wallDay(untilMs);
    for (let wall = wallDay(fromMs); wall <= end; wall += DAY_MS) starts.push(midnightOf(wall, timeZone));
    return starts;
  }

  const stretch = (fromMs: number, untilMs: number): Stretch => ({
    startSec: Math.floor(fromMs / 1000),
    endSec: Math.floor(untilMs / 1000),
  });
  const between = (startsMs: readonly number[]): Stretch[] =>
    startsMs.slice(1).map((endMs, at) => stretch(startsMs[at]!, endMs));

  /** Stretches from one end to the other, each `sec` long except the last. */
  function every(sec: number, { startSec, endSec }: Stretch): Stretch[] {
    const parts: Stretch[] = [];
    for (let at = startSec; at < endSec; at += sec) parts.push({ startSec: at, endSec: Math.min(at + sec, endSec) });
    return parts;
  }

  function inDays(days: number, firstMs: number, whole: Stretch): Pick<Period, 'step' | 'stretches'> {
    if (days <= DAYS_BY_HOUR) return { step: 'hour', stretches: every(HOUR_SEC, whole) };
    if (days <= DAYS_BY_DAY) return { step: 'day', stretches: between(dayStarts(firstMs, whole.endSec * 1000)) };
    const starts = [whole.startSec * 1000];
    for (let ms = firstMs; ;) {
      const following = monthStarts(ms, 1)[1]!;
      if (following >= whole.endSec * 1000) break;
      starts.push(following);
      ms = following;
    }
    return { step: 'month', stretches: between([...starts, whole.endSec * 1000]) };
  }

  function periodOf(request: PeriodRequest): Period {
    if (request.period === 'range') {
      const fromMs = dayStart(request.fromMs);
      const untilMs = dayStart(request.untilMs - 1, 1);
      const days = Math.round((wallDay(untilMs) - wallDay(fromMs)) / DAY_MS);
      const whole = stretch(fromMs, untilMs);
      return { ...inDays(days, fromMs, whole), whole, before: stretch(dayStart(fromMs, -days), fromMs) };
    }
    const { period, atMs } = request;
    if (period === 'day') {
      const whole = stretch(dayStart(atMs), dayStart(atMs, 1));
      return { ...inDays(1, atMs, whole), whole, before: stretch(dayStart(atMs, -1), dayStart(atMs)) };
    }
    if (period === 'week') {
      const days = between(dayStarts(dayStart(atMs, -6), dayStart(atMs, 1)));
      const whole = { startSec: days[0]!.startSec, endSec: days.at(-1)!.endSec };
      const stretches = days.flatMap((day) => every((day.endSec - day.startSec) / PARTS_OF_DAY, day));
      return { step: 'quarterDay', stretches, whole, before: stretch(dayStart(atMs, -13), dayStart(atMs, -6)) };
    }
    const count = period === 'month' ? 1 : MONTHS_OF_YEAR;
    const starts = monthStarts(atMs, count);
    const earlier = monthStarts(starts[0]! - 1, count);
    const whole = stretch(starts[0]!, starts.at(-1)!);
    const before = stretch(earlier[0]!, earlier.at(-1)!);
    return period === 'month'
      ? { step: 'day', stretches: between(dayStarts(starts[0]!, starts.at(-1)!)), whole, before }
      : { step: 'month', stretches: between(starts), whole, before };
  }

  return {
    periodOf,
    dayStart,
    /** Hours of the last `days` days up to now, each with its local hour at the start. */
    hoursBack(nowMs: number, days: number): (Stretch & { hour: number })[] {
      const whole = stretch(dayStart(nowMs, 1 - days), nowMs);
      return every(HOUR_SEC, whole).map((part) => ({
        ...part,
        hour: new Date(wallAt(part.startSec * 1000, timeZone).asUtcMs).getUTCHours(),
      }));
    },
  };
}

/** A past period cut to the current one's length so far, so that half a day is not compared with a whole one. */
export function comparable({ whole, before }: Pick<Period, 'whole' | 'before'>, nowMs: number): Stretch {
  const nowSec = Math.floor(nowMs / 1000);
  if (nowSec < whole.startSec || nowSec >= whole.endSec) return before;
  return { startSec: before.startSec, endSec: Math.min(before.endSec, before.startSec + nowSec - whole.startSec) };
}
