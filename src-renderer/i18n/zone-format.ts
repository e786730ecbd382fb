import { useTranslation } from 'react-i18next';

/** Moments as a clock and calendar in another zone show them: that of the panel, whose days the bars of a chart are. */
export function createZoneFormat(language: string, timeZone: string) {
  const locale = language === 'fa' ? 'fa-IR-u-ca-persian' : language;
  const zone = timeZone === '' ? {} : { timeZone };
  const made = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { ...options, ...zone });
  const hour = made({ hour: '2-digit', minute: '2-digit' });
  const dayOfMonth = made({ day: 'numeric', month: 'short' });
  const weekday = made({ weekday: 'short', day: 'numeric' });
  const day = made({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const date = made({ dateStyle: 'medium' });
  const month = made({ month: 'short' });
  const monthOfYear = made({ month: 'long', year: 'numeric' });
  return {
    hour: (ms: number) => hour.format(ms),
    dayOfMonth: (ms: number) => dayOfMonth.format(ms),
    weekday: (ms: number) => weekday.format(ms),
    /** With the day of the week and the year. */
    day: (ms: number) => day.format(ms),
    date: (ms: number) => date.format(ms),
    month: (ms: number) => month.format(ms),
    monthOfYear: (ms: number) => monthOfYear.format(ms),
    /** From one day to another; `toMs` is no part of it. */
    days: (fromMs: number, toMs: number) => date.formatRange(fromMs, toMs - 1),
  };
}
export type ZoneFormat = ReturnType<typeof createZoneFormat>;

const formats = new Map<string, ZoneFormat>();

/** The same in the language on show. */
export function useZoneFormat(timeZone: string): ZoneFormat {
  const { language } = useTranslation().i18n;
  const key = `${language} ${timeZone}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = createZoneFormat(language, timeZone);
  formats.set(key, made);
  return made;
}
