import { expect, test } from 'vitest';
import { isOutdated } from './drawn-points.ts';

const point = (atSec: number, up: number, down = 0) => ({ atSec, weight: 1, values: { netUp: up, netDown: down } });
const drawn = [point(0, 0), point(2, 50_000), point(4, 200)];

test('a reading that moves the line is drawn at once, up or down', () => {
  expect(isOutdated(drawn, [...drawn, point(6, 1_201)])).toBe(true);
  expect(isOutdated(drawn, [...drawn, point(6, 200, 1_001)])).toBe(true);
  expect(isOutdated([...drawn, point(6, 9_000)], [...drawn, point(6, 9_000), point(8, 200)])).toBe(true);
});

test('one that does not waits for more, but not for long', () => {
  expect(isOutdated(drawn, [...drawn, point(6, 210, 3)])).toBe(false);
  expect(isOutdated(drawn, [...drawn, point(6, 210), point(8, 190), point(12, 200)])).toBe(false);
  expect(isOutdated(drawn, [...drawn, point(6, 210), point(12, 200), point(14, 200)])).toBe(true);
});

test('a change that is small against the lowest top does not count as a move', () => {
  expect(isOutdated([point(0, 0)], [point(0, 0), point(2, 204)])).toBe(false);
  expect(isOutdated([point(0, 0)], [point(0, 0), point(2, 205)])).toBe(true);
});

test('the first readings and a longer history are drawn', () => {
  expect(isOutdated([], [])).toBe(false);
  expect(isOutdated([], [point(0, 0)])).toBe(true);
  expect(isOutdated(drawn, [point(-300, 7), ...drawn])).toBe(true);
});
