import { expect, test } from 'vitest';
import { importParts } from './import-parts.ts';

const clients = Array.from({ length: 50 }, (_, at) => ({ client: { email: `"жü"-${at}` }, inboundIds: [1, 2] }));
const bodyBytes = (data: string) => new TextEncoder().encode(JSON.stringify({ data })).length;

test('a file that fits goes as it is, to the last blank', () => {
  const text = ` ${JSON.stringify(clients)}\n`;
  expect([...importParts(text)]).toEqual([text]);
});

test('a larger one goes in parts that each fit and together are all of it, in order', () => {
  const text = JSON.stringify(clients, null, 2);
  for (const maxBytes of [100, 333, 1_000, 2_500]) {
    const parts = [...importParts(text, maxBytes)];
    expect(parts.length).toBeGreaterThan(1);
    // The body has a name and a pair of brackets around the text.
    for (const part of parts) expect(bodyBytes(part)).toBeLessThanOrEqual(maxBytes + 20);
    expect(parts.flatMap((part) => JSON.parse(part) as unknown[])).toEqual(clients);
  }
});

test('a client that is too large alone goes alone, for the panel to refuse', () => {
  const large = { client: { email: 'x'.repeat(500) } };
  const parts = [...importParts(JSON.stringify([clients[0], large, clients[1]]), 200)];
  expect(parts.map((part) => JSON.parse(part) as unknown)).toEqual([[clients[0]], [large], [clients[1]]]);
});

test.each(['{"a":1}', 'no JSON at all', '', '[1, 2'])('what is no list goes as it is: %s', (text) => {
  expect([...importParts(text, 1)]).toEqual([text]);
});
