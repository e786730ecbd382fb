import { expect, test } from 'vitest';
import { jsonMistakeAt } from './json-mistake.ts';

test.each([
  ['x{"a": 1}', 0],
  ['{"a": 1}x', 8],
  ['{"a" 1}', 5],
  ['{"a": 1,}', 8],
  ['{"a": [1, 2,]}', 12],
  ['{"a": [1}', 8],
  ['{"a": nul}', 6],
  ['{"a": 01}', 7],
  ['{"a": "b\\x"}', 6],
  ["{'a': 1}", 1],
  ['[1] ]', 4],
  ['{"a": 1', 7],
  ['{"a": {"b": [true, null, -1.5e3, "\\u00e9"]}, "c": []} {', 54],
])('%s goes wrong at %i', (text, at) => {
  expect(jsonMistakeAt(text)).toBe(at);
});
