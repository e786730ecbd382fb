import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { textChange } from './text-change.ts';

test('finds the stretch that differs', () => {
  expect(textChange('{"a":1}', '{"a":12}')).toEqual({ from: 6, to: 6, insert: '2' });
  expect(textChange('aaa', 'aa')).toEqual({ from: 2, to: 3, insert: '' });
  expect(textChange('same', 'same')).toBeNull();
});

test('always leads from one text to the other', () => {
  assert(
    property(string(), string(), (before, after) => {
      const change = textChange(before, after);
      if (change === null) return expect(before).toBe(after);
      expect(before.slice(0, change.from) + change.insert + before.slice(change.to)).toBe(after);
    }),
  );
});
