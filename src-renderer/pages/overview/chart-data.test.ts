import { expect, test } from 'vitest';
import { chartData } from './chart-data.ts';

const point = (atSec: number, up: number) => ({ atSec, weight: 1, values: { netUp: up, netDown: up * 2 } });

test('readings become columns, and a long pause a gap', () => {
  expect(chartData([point(2, 1), point(4, 2), point(60, 3)], 'live')).toEqual([
    [2, 4, 5, 60],
    [1, 2, null, 3],
    [2, 4, null, 6],
  ]);
});

test('ten minutes begin with the server’s means, in one line with the readings after them', () => {
  const mean = (atSec: number) => ({ ...point(atSec, 1), weight: 15 });
  const [times, ups] = chartData([mean(30), mean(60), mean(90), point(140, 1), point(142, 1)], 'live');
  expect(times).toEqual([30, 60, 90, 140, 142]);
  expect(ups).not.toContain(null);
});

test('a longer span shows means of its buckets', () => {
  const points = [point(60, 1), point(62, 3), point(120, 4), point(300, 5)];
  expect(chartData(points, 'hour')).toEqual([
    [60, 120, 121, 300],
    [2, 4, null, 5],
    [4, 8, null, 10],
  ]);
});

test('a figure that was not measured is not zero', () => {
  expect(chartData([{ atSec: 2, weight: 1, values: { cpu: 3 } }], 'live')).toEqual([[2], [null], [null]]);
});
