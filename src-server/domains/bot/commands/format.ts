import { byteSizeText } from '../../../links/remark/byte-size.ts';
import type { Settings } from '../../settings/contract.ts';
import { languageOf, type Say } from '../words/words.ts';

const DAY_MS = 86_400_000;

/** Formats numbers and dates for messages. */
export function createFormat(
  settings: Pick<Settings, 'tgLang' | 'timeLocation' | 'datepicker'>,
  say: Say,
  clock: () => number,
) {
  const language = languageOf(settings.tgLang);
  // Persian speakers read Jalali dates, as in the interface.
  const calendar = language === 'fa' || settings.datepicker === 'jalalian' ? 'persian' : 'gregory';
  const dates = new Intl.DateTimeFormat(`${language}-u-ca-${calendar}`, {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(settings.timeLocation === 'Local' ? {} : { timeZone: settings.timeLocation }),
  });
  const date = (ms: number): string => dates.format(ms);
  return {
    date,
    size: byteSizeText,
    moment: (ms: number): string => (ms === 0 ? say('never') : date(ms)),
    quota: (bytes: number): string => (bytes === 0 ? say('unlimited') : byteSizeText(bytes)),
    /** Ms since the epoch; 0 = never; negative = a duration from the first use. */
    expiry(ms: number): string {
      if (ms === 0) return say('expiry.never');
      if (ms < 0) return say('expiry.later', { days: Math.round(-ms / DAY_MS) });
      const leftMs = ms - clock();
      return leftMs <= 0
        ? say('expiry.past', { date: date(ms) })
        : say('expiry.on', { date: date(ms), days: Math.ceil(leftMs / DAY_MS) });
    },
  };
}
export type Format = ReturnType<typeof createFormat>;
