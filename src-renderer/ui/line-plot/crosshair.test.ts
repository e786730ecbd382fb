import { expect, test } from 'vitest';
import { nextIndex } from './crosshair.ts';

test.each([
  ['ArrowLeft', null, 9],
  ['ArrowLeft', 9, 8],
  ['ArrowLeft', 0, 0],
  ['ArrowRight', 9, 9],
  ['PageUp', 9, 0],
  ['PageDown', 3, 9],
  ['Home', 5, 0],
  ['End', 5, 9],
  ['Escape', 5, null],
  ['Escape', null, undefined],
  ['a', 5, undefined],
])('%s from %s leads to %s of ten columns', (key, at, next) => expect(nextIndex(key, at, 10)).toBe(next));

test('an empty chart has no crosshair', () => expect(nextIndex('ArrowLeft', null, 0)).toBeUndefined());
