import { expect, test } from 'vitest';
import type { Link } from '../connections/link.ts';
import { createRelay } from './relay.ts';

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
