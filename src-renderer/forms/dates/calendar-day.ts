const DAY_MS = 86_400_000;
const PERSIAN = new Intl.DateTimeFormat('en-US-u-ca-persian', {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  timeZone: 'UTC',
});

/** Year, month and day of the Persian calendar. @param ms a midnight of UTC */
function persianParts(ms: number): [year: number, month: number, day: number] {
  const parts = PERSIAN.formatToParts(ms);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
  return [part('year'), part('month'), part('day')];
}

/** A day `2026-03-21` as `1405/01/01`; empty when it is not a day. */
export function persianText(day: string): string {
  const ms = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(ms)) return '';
  const [year, month, date] = persianParts(ms);
  return [String(year), String(month).padStart(2, '0'), String(date).padStart(2, '0')].join('/');
}

/** Replaces Persian and Arabic digits by Latin ones. */
const latin = (text: string): string =>
  text.replaceAll(/[۰-۹٠-٩]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf));

/** The day `2026-03-21` for typed `1405/1/1`, with any digits; null when the calendar has no such day. */
export function persianDay(typed: string): string | null {
  const [, year, month, date] = /^(1[34]\d\d)[/.-](\d{1,2})[/.-](\d{1,2})$/.exec(latin(typed.trim())) ?? [];
  const wanted = [Number(year), Number(month), Number(date)] as const;
  if (!wanted.every((part) => part > 0) || wanted[1] > 12 || wanted[2] > 31) return null;
  // The year begins around 20 March; months are 31 days long up to the sixth.
  const before = wanted[1] <= 7 ? (wanted[1] - 1) * 31 : 186 + (wanted[1] - 7) * 30;
  const near = Date.UTC(wanted[0] + 621, 2, 20) + (before + wanted[2] - 1) * DAY_MS;
  for (const off of [0, 1, 2, -1]) {
    const ms = near + off * DAY_MS;
    if (persianParts(ms).every((part, at) => part === wanted[at])) return new Date(ms).toISOString().slice(0, 10);
  }
  return null;
}

/** The local midnight at which a day `2026-03-21` begins; undefined when it is not a day. */
export function localDay(day: string): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return undefined;
  const at = new Date(Number(year), Number(month) - 1, Number(date));
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** The day of a moment as the browser's clock shows it: `2026-03-21`. */
export function dayOf(moment: Date): string {
  const parts = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()];
  return parts.map((part, at) => String(part).padStart(at === 0 ? 4 : 2, '0')).join('-');
}

/** The last second of a day by the browser's clock, ms since the epoch; NaN when it is not a day. */
export function endOfDayMs(day: string): number {
  const start = localDay(day);
  if (start === undefined) return Number.NaN;
  return new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1).getTime() - 1000;
}
