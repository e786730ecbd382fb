import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { textChange } from './text-change.ts';

test('finds the stretch that differs', () => {
  expect(textChange('{"a":1}', '{"a":12}')).toEqual({ from: 6, to: 6, insert: '2' });
  expect(textChange('aaa', 'aa')).toEqual({ from: 2, to: 3, insert: '' });
  expect(textChange('same', 'same')).toBeNull();
});

test('always turns one text into the other', () => {
  assert(
    property(string(), string(), (before, after) => {
      const { from, to, insert } = textChange(before, after) ?? { from: 0, to: 0, insert: '' };
      expect(before.slice(0, from) + insert + before.slice(to)).toBe(after);
    }),
  );
});
