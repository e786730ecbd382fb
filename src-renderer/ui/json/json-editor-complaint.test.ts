import { expect, test } from 'vitest';
import { jsonComplaint } from './json-editor-complaint.ts';

test('a text that is JSON, or blank, has no complaint', () => {
  for (const text of ['{"a": [1, null]}', '', '  \n']) expect(jsonComplaint(text)).toBeNull();
});

test('names the line of the mistake', () => {
  expect(jsonComplaint('{\n  "a": 1,\n  b: 2\n}')?.line).toBe(3);
  expect(jsonComplaint('{\n  "a": [1,\n')?.line).toBe(3);
  // Browsers name no position here.
  expect(jsonComplaint(`x{\n${'"a": 1,\n'.repeat(40)}"b": 2}`)?.line).toBe(1);
  expect(jsonComplaint('{\n  b: 2\n}')?.message).not.toMatch(/position/);
});
