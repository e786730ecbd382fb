import type { TrafficHistory } from '#contract/traffic';
import type { ZoneFormat } from '../../i18n/zone-format.ts';

/** Widths that labels of an axis need, in CSS pixels. */
const LABEL_PX = { hour: 68, quarterDay: 62, day: 58, month: 52 };

/** Labels below the bars, and their longer names where there is room. */
export function barWords({ step, edges }: Pick<TrafficHistory, 'step' | 'edges'>, zone: ZoneFormat) {
  const starts = edges.slice(0, -1);
  const short = { hour: zone.hour, quarterDay: zone.weekday, day: zone.dayOfMonth, month: zone.month }[step];
  const long = (at: number): string => {
    const [from, to] = [edges[at]!, edges[at + 1]!];
    if (step === 'day') return zone.day(from);
    if (step === 'month') return zone.monthOfYear(from);
    return `${zone.date(from)}, ${zone.hour(from)} – ${zone.hour(to)}`;
  };
  return { labels: starts.map(short), labelPx: LABEL_PX[step], long };
}

/** The name of a whole period. */
export function periodWords(
  { from, to, step }: Pick<TrafficHistory, 'from' | 'to' | 'step'>,
  period: string,
  zone: ZoneFormat,
): string {
  if (period === 'day') return zone.day(from);
  if (period === 'month' && step === 'day') return zone.monthOfYear(from + (to - from) / 2);
  return zone.days(from, to);
}
