import { useMemo } from 'react';
import { useAddressParams } from '../../ui/address/use-address-params.ts';

export const SUBJECTS = ['all', 'client', 'group', 'inbound', 'node'] as const;
export type Subject = (typeof SUBJECTS)[number];
export const PERIODS = ['day', 'week', 'month', 'year', 'range'] as const;
export type PeriodName = (typeof PERIODS)[number];

/** The time: a named period with a moment in it (absent = now), or a range in days as `2026-03-21`. */
export interface Time {
  period: PeriodName;
  at?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface Whose {
  subject: Subject;
  name: string;
}

/** Half past ten UTC is on the same day from Hawaii to New Zealand in summer. */
const SAME_DAY_MS = 10.5 * 3_600_000;
const DAY_MS = 86_400_000;
const momentOn = (day: string | undefined): number => Date.parse(`${day ?? ''}T00:00:00Z`) + SAME_DAY_MS;

/** First and last day of a period, given its midnights in ms, whatever its zone. */
export const daysOfPeriod = ({ from, to }: { from: number; to: number }): { from: string; to: string } => {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  return { from: day(from + DAY_MS - SAME_DAY_MS), to: day(to - SAME_DAY_MS) };
};

/** The query of a period; null while a range lacks a bound. */
export function timeQuery({ period, at, from, to }: Time, isJalali: boolean) {
  const calendar = isJalali ? ('persian' as const) : ('gregory' as const);
  if (period !== 'range') return { period, calendar, ...(at !== undefined && { at: String(at) }) };
  const [fromMs, toMs] = [momentOn(from), momentOn(to)];
  if (!(fromMs <= toMs)) return null;
  return { period, calendar, from: String(fromMs), to: String(toMs + 1) };
}

const oneOf = <T extends string>(names: readonly T[], text: string | null): T =>
  names.find((name) => name === text) ?? names[0]!;

/** The subject and the time shown; kept in the URL. */
export function useTrafficAddress() {
  const [params, setParams] = useAddressParams();
  const whose = useMemo<Whose>(
    () => ({ subject: oneOf(SUBJECTS, params.get('subject')), name: params.get('name') ?? '' }),
    [params],
  );
  const time = useMemo<Time>(() => {
    const at = Number(params.get('at') ?? Number.NaN);
    return {
      period: oneOf(PERIODS, params.get('period')),
      at: Number.isSafeInteger(at) ? at : undefined,
      from: params.get('from') ?? undefined,
      to: params.get('to') ?? undefined,
    };
  }, [params]);
  const change = (part: Partial<Whose & Time>): void => setParams({ ...part });
  return { whose, time, change };
}
