import { describe, expect, test } from 'vitest';
import { compacted, joined, means, type Point } from './point-ring.ts';

const point = (atSec: number, cpu: number, weight = 1): Point => ({ atSec, weight, values: { cpu } });

describe('the ring', () => {
  test('keeps readings for ten minutes, minutes for an hour, five minutes for six hours', () => {
    const now = 1_000_000;
    let points: Point[] = [];
    for (let at = now - 8 * 3_600; at <= now; at += 2) points = compacted([...points, point(at, at % 4)], at);
    const ageOf = ({ atSec }: Point): number => now - atSec;
    expect(points.filter((each) => ageOf(each) <= 598)).toHaveLength(300);
    expect(points.length).toBeLessThan(430);
    expect(Math.max(...points.map(ageOf))).toBeGreaterThan(5.9 * 3_600);
    expect(Math.max(...points.map(ageOf))).toBeLessThanOrEqual(6 * 3_600);
    // Means weigh every reading equally: half of them are 0, half are 2.
    for (const { values, weight } of points.filter(({ weight: readings }) => readings === 150))
      expect([values.cpu, weight]).toEqual([1, 150]);
    expect(points.some(({ weight }) => weight === 150)).toBe(true);
  });

  test('leaves a pause empty', () => {
    const points = [point(0, 1), point(2, 1), point(3_000, 5)];
    expect(means(points, 300, 3_600, 3_000).map(({ atSec, values }) => [atSec, values.cpu])).toEqual([
      [0, 1],
      [3_000, 5],
    ]);
  });
});

test('the server’s history is one line, each moment as fine as it is known', () => {
  const history = (...times: number[]) => ({ cpu: times.map((t) => ({ t, v: t })), mem: [{ t: times[0] ?? 0, v: 7 }] });
  const line = joined([history(1_200, 1_202), history(1_170), history(1_080, 1_140, 1_200), history(600, 900, 1_200)]);
  expect(line.map(({ atSec, weight }) => [atSec, weight])).toEqual([
    [600, 150],
    [1_080, 30],
    [1_170, 15],
    [1_200, 1],
    [1_202, 1],
  ]);
  expect(line[0]?.values).toEqual({ cpu: 600, mem: 7 });
  expect(line[1]?.values).toEqual({ cpu: 1_080, mem: 7 });
});

test('a figure that was not measured is left out of the mean', () => {
  const [mean] = means([{ atSec: 0, weight: 1, values: {} }, point(2, 4)], 60, 60, 2);
  expect(mean?.values.cpu).toBe(4);
});
