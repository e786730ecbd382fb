import { describe, expect, it } from 'vitest';
import { countMoves, steadyRows } from './steady-rows.ts';

const rows = (emails: string, up = 0) => emails.split('').map((email) => ({ email, up }));

describe('rows that are held', () => {
  it('stay where they are, with new figures, and keep those that are gone', () =>
    expect(steadyRows(rows('abc'), rows('dba', 7))).toEqual([
      { email: 'a', up: 7 },
      { email: 'b', up: 7 },
      { email: 'c', up: 0 },
    ]));

  it.each([
    ['abcd', 'abcd', 0],
    ['abcd', 'bcda', 1],
    ['abcd', 'abce', 2],
    ['abcd', 'dcba', 3],
    ['abcd', 'abc', 1],
    ['', 'ab', 2],
  ])('%s to %s is %i changes', (before, now, moves) => expect(countMoves(rows(before), rows(now))).toBe(moves));
});
