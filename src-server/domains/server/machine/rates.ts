import type { CpuTimes } from './probes.ts';

const SMOOTHING = 0.3;

/**
 * Usage of all processors together in percent, 0..100, smoothed. The first reading is only the baseline and yields 0.
 */
export function createCpuMeter(): (times: CpuTimes) => number {
  let before: CpuTimes | null = null;
  let average: number | null = null;
  return (times) => {
    const total = before === null ? 0 : times.total - before.total;
    const busy = before === null ? 0 : times.busy - before.busy;
    before = times;
    if (total <= 0) return average ?? 0;
    const percent = Math.min(100, Math.max(0, (busy / total) * 100));
    average = average === null ? percent : SMOOTHING * percent + (1 - SMOOTHING) * average;
    return average;
  };
}

/**
 * Rates per second, by real elapsed time. A counter that went down (an adapter was reset or removed) yields 0, and a
 * reading equal to the last one (from a cached probe) leaves the rates unchanged.
 */
export function createRateMeter<T extends object>(): (counters: T, nowMs: number) => Record<keyof T, number> {
  let before: { counters: T; atMs: number } | null = null;
  let rates: Record<keyof T, number> | null = null;
  return (counters, nowMs) => {
    const keys = Object.keys(counters) as (keyof T)[];
    if (before !== null && before.counters === counters && rates !== null) return rates;
    const elapsedSec = before === null ? 0 : (nowMs - before.atMs) / 1000;
    const last = before?.counters;
    rates = Object.fromEntries(
      keys.map((key) => {
        const moved = last === undefined || elapsedSec <= 0 ? 0 : Number(counters[key]) - Number(last[key]);
        return [key, moved > 0 ? Math.round(moved / elapsedSec) : 0];
      }),
    ) as Record<keyof T, number>;
    before = { counters, atMs: nowMs };
    return rates;
  };
}

const LOAD_WINDOWS_SEC = [60, 300, 900] as const;

/** Load averages for systems without them: how many processors were busy, averaged over 1, 5 and 15 minutes. */
export function createLoadMeter(processors: number): (cpuPercent: number, nowMs: number) => [number, number, number] {
  let averages: [number, number, number] | null = null;
  let beforeMs = 0;
  return (cpuPercent, nowMs) => {
    const busy = (cpuPercent / 100) * processors;
    const elapsedSec = (nowMs - beforeMs) / 1000;
    beforeMs = nowMs;
    const previous = averages ?? [busy, busy, busy];
    averages = LOAD_WINDOWS_SEC.map((windowSec, index) => {
      const fade = Math.exp(-Math.max(0, elapsedSec) / windowSec);
      return previous[index]! * fade + busy * (1 - fade);
    }) as [number, number, number];
    return averages;
  };
}
