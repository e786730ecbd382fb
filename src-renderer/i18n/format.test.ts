import { expect, test } from 'vitest';
import { createFormat } from './format.ts';

const GIB = 1024 ** 3;

test('two amounts in a Persian sentence stay apart from each other', () => {
  const { bytes, rate } = createFormat('fa');
  expect(bytes(1.5 * GIB)).toBe('\u2067۱٫۵ GiB\u2069');
  expect(rate(2 * GIB)).toBe('\u2067۲ GiB/s\u2069');
  expect(createFormat('en').bytes(1.5 * GIB)).toBe('1.5 GiB');
});

test('a duration is in the words of the language alone', () => {
  const seconds = 3 * 86_400 + 2 * 3600;
  expect(createFormat('en').duration(seconds)).toBe('3d 2h');
  expect(createFormat('fa').duration(seconds)).toBe('۳ روز ۲ ساعت');
  expect(createFormat('ru').duration(seconds)).toBe('3 д. 2 ч');
  expect(createFormat('zh').duration(seconds)).toBe('3天 2小时');
});

test('a time is told by the nearest whole unit', () => {
  const { relative } = createFormat('en');
  const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
  expect(relative(30 * day - second, 0)).toBe('in 30 days');
  expect(relative(day - second, 0)).toBe('tomorrow');
  expect(relative(hour - second, 0)).toBe('in 1 hour');
  expect(relative(-5 * minute - second, 0)).toBe('5 minutes ago');
  expect(relative(0, 0)).toBe('this minute');
});
