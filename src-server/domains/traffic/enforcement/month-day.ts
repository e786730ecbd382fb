/** Days of a month by number; index 0 is not used. */
const DAYS = Array.from({ length: 32 }, (_, day) => day);
const FORMATS = new Map<string, Intl.DateTimeFormat>();

export interface Wall {
  year: number;
  /** 1..12. */
  month: number;
  day: number;
  /** The local wall-clock time as if it were UTC, in ms. */
  asUtcMs: number;
}

/** IANA name of the panel's zone, empty = the system's. */
export const panelZone = ({ timeLocation }: { timeLocation: string }): string =>
  timeLocation === 'Local' ? '' : timeLocation;

/**
 * The first midnight after `afterMs` that begins this day of a month in the zone, in ms since the epoch. In a month
 * without that day it is the last day; where clocks skip midnight, the day's first moment counts.
 * @param day 1..31
 * @param timeZone IANA name, empty = the system's
 */
export function nextMonthDay(afterMs: number, day: number, timeZone: string): number {
  const { year, month } = wallAt(afterMs, timeZone);
  for (let later = 0; ; later++) {
    const atMs = startOfDay(year, month - 1 + later, day, timeZone);
    if (atMs > afterMs) return atMs;
  }
}

/** {@link nextMonthDay} for every day of the month; the value at index 0 is unused. */
export function nextMonthDays(afterMs: number, timeZone: string): number[] {
  return DAYS.map((day) => (day === 0 ? 0 : nextMonthDay(afterMs, day, timeZone)));
}

/** @param monthIndex 0 = January; may exceed the year */
function startOfDay(year: number, monthIndex: number, day: number, timeZone: string): number {
  const lastDay = new Date(Date.UTC(year, monthIndex + 1, 0)).getUTCDate();
  return midnightOf(Date.UTC(year, monthIndex, Math.min(day, lastDay)), timeZone);
}

/** When a day begins in the zone. @param wallMs the day's midnight as if it were UTC */
export function midnightOf(wallMs: number, timeZone: string): number {
  const date = new Date(wallMs).getUTCDate();
  const offsetAt = (ms: number): number => wallAt(ms, timeZone).asUtcMs - ms;
  // The offset at that moment is the one a day before or a day after, whatever the clocks do in between.
  const guesses = [wallMs - offsetAt(wallMs - 86_400_000), wallMs - offsetAt(wallMs + 86_400_000)];
  const onTheDay = guesses.filter((ms) => wallAt(ms, timeZone).day === date);
  // Where a zone skipped the whole day, the next one begins instead.
  return onTheDay.length > 0 ? Math.min(...onTheDay) : Math.max(...guesses);
}

/** Local wall-clock time of the zone at a moment. */
export function wallAt(ms: number, timeZone: string): Wall {
  let format = FORMATS.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      ...(timeZone === '' ? {} : { timeZone }),
    });
    FORMATS.set(timeZone, format);
  }
  const parts = format.formatToParts(ms);
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((each) => each.type === type)!.value);
  const [year, month, day] = [part('year'), part('month'), part('day')];
  return { year, month, day, asUtcMs: Date.UTC(year, month - 1, day, part('hour'), part('minute'), part('second')) };
}
