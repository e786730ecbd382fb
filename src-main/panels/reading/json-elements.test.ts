import { expect, it } from 'vitest';
import { jsonElements } from './json-elements.ts';

const rows = [{ email: 'a"}]{[\\', deep: { list: [{ x: 1 }, []] } }, { email: 'ж🎈' }, {}];
const text = Buffer.from(JSON.stringify({ success: true, msg: '', obj: rows, more: [{ not: 'ours' }].length }));

it.each([1, 2, 3, 7, 64, 10_000])('splits a list that arrives in pieces of %i bytes', (size) => {
  const found: unknown[] = [];
  const elements = jsonElements(1_000, (element) => found.push(element));
  for (let at = 0; at < text.length; at += size) elements.push(text.subarray(at, at + size));
  expect(elements.end()).toBe(3);
  expect(found).toEqual(rows);
});

it.each([
  ['a refusal', '{"success":false,"msg":"no"}', 'absent'],
  ['a list that was cut off', '{"success":true,"obj":[{"a":1},{"b"', 'wrong'],
  ['no list', 'Hello', 'wrong'],
])('%s is not a list', (_, body, trouble) => {
  const elements = jsonElements(1_000, () => undefined);
  expect(() => {
    elements.push(Buffer.from(body));
    elements.end();
  }).toThrow(expect.objectContaining({ trouble }) as Error);
});

it('an endless element is not buffered', () => {
  const elements = jsonElements(100, () => undefined);
  elements.push(Buffer.from('{"success":true,"obj":[{"a":"'));
  expect(() => elements.push(Buffer.alloc(200, 'x'))).toThrow('too large');
});
