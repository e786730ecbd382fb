import { useTranslation } from 'react-i18next';
import { useIsJalali } from '../stores/calendar.ts';
import { localeOf } from './format.ts';

/** Moments as a clock and calendar in another zone show them: that of the panel, whose days the bars of a chart are. */
export function createZoneFormat(language: string, timeZone: string, isJalali = false) {
  const locale = localeOf(language, isJalali);
  const zone = timeZone === '' ? {} : { timeZone };
  const made = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { ...options, ...zone });
  const hour = made({ hour: '2-digit', minute: '2-digit' });
  const dayOfMonth = made({ day: 'numeric', month: 'short' });
  const weekday = made({ weekday: 'short', day: 'numeric' });
  const day = made({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const date = made({ dateStyle: 'medium' });
  const month = made({ month: 'short' });
  const monthOfYear = made({ month: 'long', year: 'numeric' });
  /** The browser's own order of a Persian day or month is that of a year in front of it. */
  const inOrder = (format: Intl.DateTimeFormat, ms: number, order: readonly Intl.DateTimeFormatPartTypes[]): string => {
    if (language !== 'fa') return format.format(ms);
    const parts = format.formatToParts(ms);
    return order.map((type) => parts.find((part) => part.type === type)?.value ?? '').join(' ');
  };
  return {
    hour: (ms: number) => hour.format(ms),
    dayOfMonth: (ms: number) => inOrder(dayOfMonth, ms, ['day', 'month']),
    weekday: (ms: number) => inOrder(weekday, ms, ['weekday', 'day']),
    /** With the day of the week and the year. */
    day: (ms: number) => inOrder(day, ms, ['weekday', 'day', 'month', 'year']),
    date: (ms: number) => date.format(ms),
    month: (ms: number) => month.format(ms),
    monthOfYear: (ms: number) => inOrder(monthOfYear, ms, ['month', 'year']),
    /** From one day to another; `toMs` is no part of it. */
    days: (fromMs: number, toMs: number) => date.formatRange(fromMs, toMs - 1),
  };
}
export type ZoneFormat = ReturnType<typeof createZoneFormat>;

const formats = new Map<string, ZoneFormat>();

/** The same in the language on show. */
export function useZoneFormat(timeZone: string): ZoneFormat {
  const { language } = useTranslation().i18n;
  const isJalali = useIsJalali();
  const key = `${localeOf(language, isJalali)} ${timeZone}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = createZoneFormat(language, timeZone, isJalali);
  formats.set(key, made);
  return made;
}
