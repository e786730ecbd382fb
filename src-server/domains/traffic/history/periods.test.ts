import { expect, it } from 'vitest';
import { comparable, createPeriods } from './periods.ts';

const at = (text: string): number => new Date(text).getTime();
const sec = (text: string): number => at(text) / 1000;
const HOUR_MS = 3_600_000;

it('a day begins at midnight of the zone, also with a half-hour offset', () => {
  const { periodOf } = createPeriods('Asia/Tehran', 'persian');
  const { whole, before, step, stretches } = periodOf({ period: 'day', atMs: at('2026-03-20T20:30:00Z') });
  expect(whole).toEqual({ startSec: sec('2026-03-20T20:30:00Z'), endSec: sec('2026-03-21T20:30:00Z') });
  expect(before).toEqual({ startSec: sec('2026-03-19T20:30:00Z'), endSec: sec('2026-03-20T20:30:00Z') });
  expect([step, stretches.length]).toEqual(['hour', 24]);
});

it('months and years follow the calendar', () => {
  const persian = createPeriods('Asia/Tehran', 'persian');
  // 1 Farvardin 1405 is 21 March 2026.
  const { whole, before, stretches } = persian.periodOf({ period: 'month', atMs: at('2026-04-10T00:00:00Z') });
  expect(whole).toEqual({ startSec: sec('2026-03-20T20:30:00Z'), endSec: sec('2026-04-20T20:30:00Z') });
  expect(stretches).toHaveLength(31);
  // Esfand 1404 has 29 days.
  expect(before.startSec).toBe(sec('2026-02-19T20:30:00Z'));
  const gregorian = createPeriods('UTC', 'gregory').periodOf({ period: 'year', atMs: at('2026-02-10T00:00:00Z') });
  expect(gregorian.step).toBe('month');
  expect(gregorian.stretches).toHaveLength(12);
  expect(gregorian.whole).toEqual({ startSec: sec('2025-03-01T00:00:00Z'), endSec: sec('2026-03-01T00:00:00Z') });
  expect(gregorian.before.startSec).toBe(sec('2024-03-01T00:00:00Z'));
});

it('days made longer or shorter by clock changes are whole, and bars leave no gap', () => {
  const { periodOf } = createPeriods('Europe/Berlin', 'gregory');
  const short = periodOf({ period: 'day', atMs: at('2026-03-29T12:00:00Z') });
  expect(short.stretches).toHaveLength(23);
  for (const period of ['week', 'month', 'year'] as const) {
    const { whole, stretches } = periodOf({ period, atMs: at('2026-03-29T12:00:00Z') });
    expect(stretches[0]!.startSec).toBe(whole.startSec);
    expect(stretches.at(-1)!.endSec).toBe(whole.endSec);
    for (const [index, { startSec, endSec }] of stretches.entries()) {
      expect(endSec).toBeGreaterThan(startSec);
      expect(startSec % 900).toBe(0);
      if (index > 0) expect(startSec).toBe(stretches[index - 1]!.endSec);
    }
  }
});

it('a range consists of whole days, with bars that fit its length', () => {
  const { periodOf } = createPeriods('UTC', 'gregory');
  const range = (from: string, to: string) => periodOf({ period: 'range', fromMs: at(from), untilMs: at(to) });
  const two = range('2026-01-01T05:00:00Z', '2026-01-02T05:00:00Z');
  expect(two).toMatchObject({ step: 'hour', whole: { startSec: sec('2026-01-01Z'), endSec: sec('2026-01-03Z') } });
  expect(two.before).toEqual({ startSec: sec('2025-12-30Z'), endSec: sec('2026-01-01Z') });
  expect(range('2026-01-01Z', '2026-02-01Z')).toMatchObject({ step: 'day' });
  const long = range('2025-01-15Z', '2026-01-10Z');
  expect(long.step).toBe('month');
  expect(long.stretches[0]).toEqual({ startSec: sec('2025-01-15Z'), endSec: sec('2025-02-01Z') });
  expect(long.stretches.at(-1)).toEqual({ startSec: sec('2026-01-01Z'), endSec: sec('2026-01-10Z') });
});

it('a period in progress is compared with the same part of the previous one', () => {
  const period = createPeriods('UTC', 'gregory').periodOf({ period: 'day', atMs: at('2026-05-05T06:00:00Z') });
  const { before } = period;
  expect(comparable(period, at('2026-05-05T06:00:00Z'))).toEqual({ ...before, endSec: before.startSec + 6 * 3_600 });
  expect(comparable(period, at('2026-05-06T06:00:00Z'))).toEqual(before);
});

it('hours of the day follow the local clock', () => {
  const hours = createPeriods('Asia/Tehran', 'gregory').hoursBack(at('2026-05-05T00:00:00Z'), 2);
  expect(hours[0]).toMatchObject({ hour: 0, startSec: sec('2026-05-03T20:30:00Z') });
  expect(
    hours
      .map(({ hour }) => hour)
      .slice(0, 25)
      .at(-1),
  ).toBe(0);
  expect(hours.at(-1)!.endSec * 1000).toBe(at('2026-05-05T00:00:00Z'));
  expect(hours.every(({ startSec, endSec }) => (endSec - startSec) * 1000 <= HOUR_MS)).toBe(true);
});
