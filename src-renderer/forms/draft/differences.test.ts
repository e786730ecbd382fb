import { expect, test } from 'vitest';
import { changedPaths, mergedDraft } from './differences.ts';

const BASE = { port: 1, remark: 'a', tls: { names: ['x'], deep: { a: 1, b: 2 } }, map: { 'a.b': 1 } };

test('differences are listed by path, arrays as a whole', () => {
  const theirs = { ...BASE, port: 2, tls: { names: ['x', 'y'], deep: { a: 1, b: 3, c: 4 } } };
  expect(changedPaths(BASE, theirs)).toEqual(['port', 'tls.names', 'tls.deep.b', 'tls.deep.c']);
  expect(changedPaths(BASE, { ...BASE, map: { 'a.b': 2 } })).toEqual(['map']);
  expect(changedPaths(BASE, structuredClone(BASE))).toEqual([]);
});

test('local edits are merged over what others stored', () => {
  const mine = { ...BASE, remark: 'mine', tls: { ...BASE.tls, deep: { a: 9, b: 2 } } };
  const { map: _gone, ...without } = BASE;
  const theirs = { ...without, port: 2, tls: { ...BASE.tls, deep: { a: 1, b: 7 } } };
  expect(mergedDraft(BASE, mine, theirs)).toEqual({
    port: 2,
    remark: 'mine',
    tls: { names: ['x'], deep: { a: 9, b: 7 } },
  });
});
