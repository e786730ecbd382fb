import { expect, test } from 'vitest';
import { columnsOf } from './history-data.ts';

test('aligns histories on one axis and breaks their lines where nothing was measured', () => {
  const cpu = [
    { t: 60, v: 1 },
    { t: 120, v: 2 },
    { t: 300, v: 3 },
  ];
  const memory = [{ t: 120, v: 9 }];
  expect(columnsOf([cpu, memory], 60)).toEqual([
    [60, 120, 180, 300],
    [1, 2, null, 3],
    [null, 9, null, null],
  ]);
  expect(columnsOf([[], []], 60)).toEqual([[], [], []]);
});
