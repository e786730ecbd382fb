import { expect, test } from 'vitest';
import { historyData, liveData } from './chart-data.ts';

const reading = (at: number, up: number) => ({ at, up, down: up * 2, cpu: 0, memory: 0 });

test('readings become columns in seconds, and a long silence a gap', () => {
  expect(liveData([reading(1_000, 1), reading(3_000, 2), reading(60_000, 3)])).toEqual([
    [1, 3, 4, 60],
    [1, 2, null, 3],
    [2, 4, null, 6],
  ]);
});

test('histories are joined by bucket, missing buckets are a gap', () => {
  const up = [60, 120, 300].map((t) => ({ t, v: t }));
  const down = [60, 120, 180, 300].map((t) => ({ t, v: 1 }));
  expect(historyData(up, down, 60)).toEqual([
    [60, 120, 121, 300],
    [60, 120, null, 300],
    [1, 1, null, 1],
  ]);
});
