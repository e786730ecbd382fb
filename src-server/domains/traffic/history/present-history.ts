import { panelOfSource } from '../ledger/source-guid.ts';
import type * as z from 'zod';
import type { TrafficHistory } from '../contract.ts';
import type { Period } from './periods.ts';
import type { Stretch, StretchSum } from './repository-totals.ts';

interface Read {
  period: Period;
  /** The previous period, cut for the comparison. */
  before: Stretch;
  /** Sums of the bars, the previous period, today and this month, each followed by the one before it. */
  sums: readonly StretchSum[];
  names: ReadonlyMap<string, string>;
  nowMs: number;
  timeZone: string;
}

/** Sums in chart form: one row of figures per source, the largest source first. */
export function presentHistory({ period, before, sums, names, nowMs, timeZone }: Read): z.input<typeof TrafficHistory> {
  const count = period.stretches.length;
  const beside = (at: number) => {
    const there = sums.filter((sum) => sum.at === count + at);
    return { up: total(there, 'upBytes'), down: total(there, 'downBytes') };
  };
  const shown = sums.filter(({ at }) => at < count);
  const sources = [...Map.groupBy(shown, ({ kind, guid }) => `${kind} ${panelOfSource(guid)}`).values()].map(
    (ofSource) => {
      const { kind } = ofSource[0]!;
      const guid = panelOfSource(ofSource[0]!.guid);
      const up = Array.from({ length: count }, () => 0);
      const down = Array.from({ length: count }, () => 0);
      for (const { at, upBytes, downBytes } of ofSource) {
        up[at]! += upBytes;
        down[at]! += downBytes;
      }
      return { kind, guid, name: kind === 'node' ? (names.get(guid) ?? '') : '', up, down };
    },
  );
  const sizeOf = ({ up, down }: { up: number[]; down: number[] }): number =>
    [...up, ...down].reduce((sum, one) => sum + one, 0);
  return {
    from: period.whole.startSec * 1000,
    to: period.whole.endSec * 1000,
    step: period.step,
    edges: [...period.stretches.map(({ startSec }) => startSec * 1000), period.whole.endSec * 1000],
    sources: sources.sort((a, b) => sizeOf(b) - sizeOf(a)),
    total: { up: total(shown, 'upBytes'), down: total(shown, 'downBytes') },
    before: { from: before.startSec * 1000, to: before.endSec * 1000, ...beside(0) },
    today: { ...beside(1), before: beside(2) },
    month: { ...beside(3), before: beside(4) },
    now: nowMs,
    timeZone,
  };
}

const total = (sums: readonly StretchSum[], key: 'upBytes' | 'downBytes'): number =>
  sums.reduce((sum, one) => sum + one[key], 0);
