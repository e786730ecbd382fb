import { expect, test } from 'vitest';
import type { Link } from '../connections/link.ts';
import { createRelay } from './relay.ts';

test('polled figures of more than a mebibyte are not kept', async () => {
  const body = Buffer.from(`{"obj":{"cpu":1}}${' '.repeat(1024 * 1024)}`);
  const calls: string[] = [];
  const relay = createRelay({ message: () => calls.push('message'), state: (state) => calls.push(state) });
  relay.follow({
    openStream: async () => null,
    forward: async () => ({ status: 200, headers: {}, body }),
  } as unknown as Link);
  await new Promise((resolve) => setImmediate(resolve));
  expect([relay.state(), calls]).toEqual(['down', []]);
  relay.close();
});

test('polled figures carry the time of the panel, whose clock may be another', async () => {
  const headers: Record<string, string> = { date: 'Sun, 06 Nov 2039 08:49:37 GMT' };
  const link = {
    openStream: async () => null,
    forward: async () => ({ status: 200, headers, body: Buffer.from('{"success":true,"obj":{"cpu":1}}') }),
  };
  const message = await new Promise<object>((resolve) => {
    const relay = createRelay({
      message: (first) => {
        relay.close();
        resolve(first);
      },
      state: () => undefined,
    });
    relay.follow(link as unknown as Link);
  });
  expect(message).toEqual({ type: 'status', data: { cpu: 1 }, time: Date.UTC(2039, 10, 6, 8, 49, 37) });
});
