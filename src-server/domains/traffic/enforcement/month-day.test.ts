import { expect, it } from 'vitest';
import { nextMonthDay, nextMonthDays } from './month-day.ts';

const at = (text: string) => Date.parse(text);
const next = (after: string, day: number, zone: string) => new Date(nextMonthDay(at(after), day, zone)).toISOString();

it.each([
  ['2024-01-15T12:00:00Z', 20, 'UTC', '2024-01-20T00:00:00.000Z'],
  ['2024-01-20T00:00:00Z', 20, 'UTC', '2024-02-20T00:00:00.000Z'],
  ['2024-01-19T23:59:59.999Z', 20, 'UTC', '2024-01-20T00:00:00.000Z'],
  ['2024-01-31T00:00:00Z', 31, 'UTC', '2024-02-29T00:00:00.000Z'],
  ['2023-01-31T00:00:00Z', 30, 'UTC', '2023-02-28T00:00:00.000Z'],
  ['2024-04-30T00:00:00Z', 31, 'UTC', '2024-05-31T00:00:00.000Z'],
  ['2024-12-31T05:00:00Z', 1, 'UTC', '2025-01-01T00:00:00.000Z'],
  // The day follows the zone: in Tehran it is already the first of the month.
  ['2024-04-30T22:00:00Z', 1, 'Asia/Tehran', '2024-05-31T20:30:00.000Z'],
  ['2024-03-10T00:00:00Z', 1, 'Europe/Berlin', '2024-03-31T22:00:00.000Z'],
  ['2024-10-27T12:00:00Z', 31, 'Europe/Berlin', '2024-10-30T23:00:00.000Z'],
  // Clocks went from midnight to one o'clock on that day, and from midnight back to eleven the day before the other.
  ['2018-10-20T12:00:00Z', 4, 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  // There was no thirtieth in Samoa.
  ['2011-12-20T12:00:00Z', 30, 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ['2018-02-10T12:00:00Z', 18, 'America/Sao_Paulo', '2018-02-18T03:00:00.000Z'],
])('after %s, day %i in %s is at %s', (after, day, zone, expected) => {
  expect(next(after, day, zone)).toBe(expected);
});

it('lists every day of the month, each in the future and at most a month away', () => {
  const afterMs = at('2024-01-31T10:00:00Z');
  const moments = nextMonthDays(afterMs, 'UTC');
  expect(moments).toHaveLength(32);
  for (const [day, ms] of moments.entries()) if (day > 0) expect(ms).toBe(nextMonthDay(afterMs, day, 'UTC'));
  expect(Math.min(...moments.slice(1))).toBe(at('2024-02-01T00:00:00Z'));
  expect(Math.max(...moments.slice(1))).toBe(at('2024-02-29T00:00:00Z'));
});
