import { useTranslation } from 'react-i18next';
import { useIsJalali } from '../stores/calendar.ts';

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
const MINUTE = 60_000;
const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', MINUTE],
];

/** The language with its calendar. Persian speakers read Jalali dates; elsewhere the panel's setting says who does. */
export const localeOf = (language: string, isJalali: boolean): string =>
  language === 'fa' ? 'fa-IR-u-ca-persian' : isJalali ? `${language}-u-ca-persian` : language;

/** Numbers, bytes and times as the language writes them. The only place that formats. */
export function createFormat(language: string, isJalali = false) {
  const locale = localeOf(language, isJalali);
  const whole = new Intl.NumberFormat(locale);
  const plain = new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 20 });
  const short = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const fine = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const twoDigits = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2 });
  const fraction = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
  // Making one takes longer than a page has for a reading.
  // Persian has no letters for hours and minutes; its narrow form is Latin ones.
  const unitDisplay = language === 'fa' ? 'short' : 'narrow';
  const inUnit = (unit: string) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay });
  const [inDays, inHours, inMinutes] = [inUnit('day'), inUnit('hour'), inUnit('minute')];
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  // The Latin unit of one figure must not draw the next figure over to its side.
  const [opening, closing] = language === 'fa' ? ['\u2067', '\u2069'] : ['', ''];
  const amount = (value: number): string => {
    let at = 0;
    let rest = Math.abs(value);
    while (rest >= 1024 && at < BYTE_UNITS.length - 1) {
      rest /= 1024;
      at += 1;
    }
    return `${value < 0 ? '−' : ''}${(rest >= 100 ? whole : short).format(at === 0 ? rest : Number(rest.toFixed(1)))} ${BYTE_UNITS[at]}`;
  };
  return {
    number: (value: number) => whole.format(value),
    /** Without separators between digits: ports, ids, values of configs. */
    plain: (value: number) => plain.format(value),
    /** With up to two decimals. */
    decimal: (value: number) => fine.format(value),
    /** 0..100 */
    percent: (value: number) => fraction.format(value / 100),
    bytes: (value: number) => `${opening}${amount(value)}${closing}`,
    rate: (value: number) => `${opening}${amount(value)}/s${closing}`,
    /** Ms since the epoch. */
    dateTime: (ms: number) => dateTime.format(ms),
    date: (ms: number) => date.format(ms),
    clock: (ms: number) => clock.format(ms),
    /** "in 3 days", "2 hours ago". Ms since the epoch. */
    relative: (ms: number, nowMs: number) => {
      const distance = ms - nowMs;
      // Rounded, since "in 30 days" is 29.99 a moment after it was set; the unit is that of the rounded figure.
      const [unit, size] =
        STEPS.find(([, length]) => Math.round(Math.abs(distance) / MINUTE) * MINUTE >= length) ?? STEPS[2]!;
      return relative.format(Math.sign(distance) * Math.round(Math.abs(distance) / size), unit);
    },
    /** Whole days, hours and minutes of a duration in seconds, the two largest. */
    duration: (seconds: number) => {
      const days = Math.floor(seconds / 86_400);
      const hours = Math.floor((seconds % 86_400) / 3600);
      const minutes = Math.floor((seconds % 3600) / 60);
      return days > 0
        ? `${inDays.format(days)} ${inHours.format(hours)}`
        : `${inHours.format(hours)} ${inMinutes.format(minutes)}`;
    },
    /** Minutes and seconds of a duration in seconds, as a clock that runs shows them; with hours from the first one on. */
    stopwatch: (seconds: number) => {
      const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
      const rest = twoDigits.format(Math.floor(seconds % 60));
      return hours > 0
        ? `${whole.format(hours)}:${twoDigits.format(minutes)}:${rest}`
        : `${whole.format(minutes)}:${rest}`;
    },
  };
}

export type Format = ReturnType<typeof createFormat>;

/** By language and calendar. One for the whole window: the formatters of the browser take hundreds of kilobytes together. */
const formats = new Map<string, Format>();

/** Formatting in the language on show. */
export function useFormat(): Format {
  const { language } = useTranslation().i18n;
  const isJalali = useIsJalali();
  const locale = localeOf(language, isJalali);
  const known = formats.get(locale);
  if (known !== undefined) return known;
  const made = createFormat(language, isJalali);
  formats.set(locale, made);
  return made;
}
