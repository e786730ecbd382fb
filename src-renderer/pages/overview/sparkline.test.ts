import { expect, test } from 'vitest';
import { sparkPath } from './sparkline.tsx';

const point = (atSec: number, cpu: number) => ({ atSec, weight: 150, values: { cpu } });

test('spans six hours, against a fixed or the highest value, with gaps', () => {
  const now = 21_600;
  const points = [point(0, 50), point(300, 100), point(9_000, 0)];
  expect(sparkPath(points, 'cpu', now, 100)).toBe('M0.0 10.0h0.3L1.0 0.5M30.0 19.5h0.3');
  expect(sparkPath([point(0, 2), point(300, 4)], 'cpu', now)).toBe('M0.0 10.0h0.3L1.0 0.5');
  expect(sparkPath([], 'cpu', now, 100)).toBe('');
  expect(sparkPath(points, 'tcpCount', now)).toBe('');
});
