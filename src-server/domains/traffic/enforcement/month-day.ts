/** Days of a month by number; index 0 is not used. */
const DAYS = Array.from({ length: 32 }, (_, day) => day);
const FORMATS = new Map<string, Intl.DateTimeFormat>();

export interface Wall {
  year: number;
  /** 1..12. */
  month: number;
  day: number;
  /** The wall clock's reading as if it were UTC, in ms. */
  asUtcMs: number;
}

/** IANA name of the panel's zone, empty = the system's. */
export const panelZone = ({ timeLocation }: { timeLocation: string }): string =>
  timeLocation === 'Local' ? '' : timeLocation;

/**
 * The first midnight after `afterMs` that begins this day of a month in the zone, in ms since the epoch. A month without
 * that day has it on its last; where clocks skip midnight, the day's first moment counts.
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

/** {@link nextMonthDay} for every day of the month; the value at 0 means nothing. */
export function nextMonthDays(afterMs: number, timeZone: string): number[] {
  return DAYS.map((day) => (day === 0 ? 0 : nextMonthDay(afterMs, day, timeZone)));
}

/** @param monthIndex 0 = January; may lie beyond the year */
function startOfDay(year: number, monthIndex: number, day: number, timeZone: string): number {
  const lastDay = new Date(Date.UTC(year, monthIndex + 1, 0)).getUTCDate();
  return midnightOf(Date.UTC(year, monthIndex, Math.min(day, lastDay)), timeZone);
}

/** When a day begins in the zone. @param wallMs the day's midnight as if it were UTC */
export function midnightOf(wallMs: number, timeZone: string): number {
  const date = new Date(wallMs).getUTCDate();
  const offsetAt = (ms: number): number => wallAt(ms, timeZone).asUtcMs - ms;
  // The offset at the moment sought is that of a day before or after, whatever the clocks do in between.
  const guesses = [wallMs - offsetAt(wallMs - 86_400_000), wallMs - offsetAt(wallMs + 86_400_000)];
  const onTheDay = guesses.filter((ms) => wallAt(ms, timeZone).day === date);
  return Math.min(...(onTheDay.length > 0 ? onTheDay : guesses));
}

/** What the clock on the wall of the zone says at a moment. */
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
