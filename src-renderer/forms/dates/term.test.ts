import { expect, it } from 'vitest';
import { dayAfter, daysOf, endOfTerm } from './term.ts';

const NOW = new Date(2026, 2, 10, 15, 30).getTime();
const DAY_MS = 86_400_000;

it('a term is days from now or ends in the last second of a day', () => {
  expect(endOfTerm(null, NOW)).toBe(0);
  expect(endOfTerm(3, NOW)).toBe(NOW + 3 * DAY_MS);
  expect(endOfTerm('2026-03-12', NOW)).toBe(new Date(2026, 2, 12, 23, 59, 59).getTime());
  expect(endOfTerm('no day', NOW)).toBeNaN();
});

it('days and a date convert to each other', () => {
  expect(dayAfter(30, NOW)).toBe('2026-04-09');
  expect(daysOf('2026-04-08', NOW)).toBe(30);
  expect(daysOf('2026-03-10', NOW)).toBe(1);
  expect(daysOf(12, NOW)).toBe(12);
});
