import { ownFigures } from '../own-figures.ts';
import type { InfoView, TimeEnd } from '../present.ts';
import { escapeMarkup as esc } from './markup.ts';
import type { PageLanguage, PageTexts } from './page-texts.ts';

const DAY_MS = 86_400_000;
/** The last moment that a date can represent. */
const MAX_TIME_MS = 8.64e15;

/** Whether the subscription connects, and the text for that. */
export function stateOf(
  view: InfoView,
  texts: PageTexts,
  nowMs: number,
  { differs }: Pick<TimeEnd, 'differs'>,
): { isActive: boolean; words: string } {
  const isOver = view.totalByte > 0 && view.uploadByte + view.downloadByte >= view.totalByte;
  const isPast = view.expire > 0 && view.expire * 1000 <= nowMs;
  const isActive = view.enabled && !isOver && !isPast;
  if (!isActive) return { isActive, words: isPast ? texts.expired : isOver ? texts.depleted : texts.inactive };
  const isUnlimited = view.totalByte === 0 && view.expire === 0 && !differs;
  return { isActive, words: isUnlimited ? texts.unlimited : texts.active };
}

interface UsageChoice {
  texts: PageTexts;
  language: PageLanguage;
  nowMs: number;
  /** IANA name, for dates. */
  timeZone: string;
  end: TimeEnd;
}

/** Used traffic, quota and expiry. */
export function usageCard(view: InfoView, { texts, language, nowMs, timeZone, end }: UsageChoice): string {
  const day = dateText(language, view.datepicker, { dateStyle: 'long', timeZone });
  const moment = dateText(language, view.datepicker, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  // A size and its unit are separate words.
  const size = (text: string) => esc(ownFigures(language, text.replace(/(\d)(?=[A-Z])/, '$1\u{a0}')));
  const fact = (label: string, value: string, beside = '') =>
    `<div><dt>${esc(label)}</dt><dd><bdi>${value}</bdi>${beside === '' ? '' : `<small>${esc(beside)}</small>`}</dd></div>`;
  const used = view.totalByte === 0 ? 0 : Math.min(1, (view.uploadByte + view.downloadByte) / view.totalByte);
  const percent = new Intl.NumberFormat(language, { style: 'percent' }).format(used);
  const bar = `<progress max="100" value="${(used * 100).toFixed(1)}"${used === 1 ? ' class="full"' : ''} aria-label="${esc(`${view.used} ${texts.of} ${view.total}`)}"></progress>`;
  const hasQuota = view.totalByte > 0;
  return `<section><p class="usage"><span><strong><bdi>${size(view.used)}</bdi></strong> ${esc(texts.of)} <bdi>${size(view.total)}</bdi></span>${hasQuota ? `<bdi>${esc(percent)}</bdi>` : ''}</p>${hasQuota ? bar : ''}
<dl>${view.remained === '' ? '' : fact(texts.remaining, size(view.remained))}${expiry()}${fact(texts.download, size(view.download))}${fact(texts.upload, size(view.upload))}${fact(texts.lastOnline, view.lastOnline === 0 ? esc(texts.notYet) : esc(moment(view.lastOnline)))}</dl></section>`;

  function expiry(): string {
    if (end.differs)
      return fact(texts.expires, esc(texts.differs), end.nextMs === 0 ? '' : `${texts.nextEnd} ${day(end.nextMs)}`);
    if (view.expire === 0) return fact(texts.expires, esc(texts.never));
    if (end.daysFromFirstUse > 0) {
      const days = { style: 'unit', unit: 'day', unitDisplay: 'long' } as const;
      const duration = new Intl.NumberFormat(language, days).format(end.daysFromFirstUse);
      return fact(texts.expires, esc(duration), texts.fromFirstUse);
    }
    const atMs = view.expire * 1000;
    const label = end.isRenewed ? texts.renews : texts.expires;
    const isDate = atMs <= MAX_TIME_MS;
    const fromToday = () => fromNow(language, dayIn(timeZone, atMs) - dayIn(timeZone, nowMs));
    return fact(label, esc(day(atMs)), isDate ? fromToday() : '');
  }
}

/** Days of the calendar since 1970, in a zone. */
function dayIn(timeZone: string, atMs: number): number {
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' });
  const part = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(part['year']!, part['month']! - 1, part['day']) / DAY_MS;
}

/** "in 12 days", "yesterday". */
function fromNow(language: PageLanguage, days: number): string {
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day');
}

/** In the reader's language; Persian in its own calendar, others in the calendar that the operator chose. */
function dateText(language: PageLanguage, datepicker: string, how: Intl.DateTimeFormatOptions) {
  const calendar = datepicker === 'gregorian' && language !== 'fa' ? 'gregory' : 'persian';
  const format = new Intl.DateTimeFormat(language, { calendar, ...how });
  return (atMs: number): string => (Math.abs(atMs) <= MAX_TIME_MS ? format.format(atMs) : '∞');
}
