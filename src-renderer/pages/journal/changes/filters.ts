import { JOURNAL_KINDS, type JournalKind } from '#contract/journal';
import { endOfDayMs, localDay } from '../../../forms/dates/calendar-day.ts';
import { serverNow } from '../../../stores/server-clock.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
export const ACTORS = ['admin', 'token', 'master', 'window', 'bot', 'command', 'directory'] as const;
export const PERIODS = ['1', '7', '30', 'range'] as const;

/** Filters of the list of changes; kept in the URL. Empty = no choice. */
export interface Filters {
  actor: '' | (typeof ACTORS)[number];
  kind: '' | JournalKind;
  search: string;
  /** Days back, `range` = from `from` to `to`; empty = all. */
  days: '' | (typeof PERIODS)[number];
  /** As `2026-03-21`; empty = open. Used only with `range`. */
  from: string;
  to: string;
}

export function readFilters(params: URLSearchParams): Filters {
  const kind = params.get('kind') ?? '';
  const actor = params.get('by') ?? '';
  return {
    kind: JOURNAL_KINDS.find((each) => each === kind) ?? '',
    actor: ACTORS.find((each) => each === actor) ?? '',
    search: params.get('q') ?? '',
    days: PERIODS.find((each) => each === params.get('days')) ?? '',
    from: params.get('from') ?? '',
    to: params.get('to') ?? '',
  };
}

/** The filters in the server's terms. */
export const queryOf = ({ actor, kind, search, ...time }: Filters) => ({ actor, kind, search, ...boundsOf(time) });

/** Ms since the epoch, 0 = open. */
function boundsOf({ days, from, to }: Pick<Filters, 'days' | 'from' | 'to'>): { from: number; to: number } {
  if (days === 'range') return { from: localDay(from)?.getTime() ?? 0, to: endOfDayMs(to) + 999 || 0 };
  // To the hour, so that a later look makes the same query.
  return { from: days === '' ? 0 : Math.floor((serverNow() - Number(days) * DAY_MS) / HOUR_MS) * HOUR_MS, to: 0 };
}

/** The same for an address. */
export const textsOf = (query: ReturnType<typeof queryOf>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
