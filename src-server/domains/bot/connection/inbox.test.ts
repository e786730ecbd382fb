import type { Api } from 'grammy';
import type { Update } from 'grammy/types';
import { expect, test } from 'vitest';
import { createInbox } from './inbox.ts';
import { poll } from './poll.ts';

const messages = (...ids: number[]) => ids.map((update_id) => ({ update_id, message: { chat: { id: 1 } } }) as Update);

test('a message that could not be recorded is answered when it comes again', async () => {
  const handled: number[] = [];
  let isAway = true;
  const inbox = createInbox({
    botId: () => 1,
    lastTaken: {
      read: async () => '',
      async write() {
        if (isAway) throw new Error('away');
      },
    },
    handle: async ({ update_id: id }) => void handled.push(id),
  });
  const update = { update_id: 7, message: { chat: { id: 42 } } } as Update;
  await expect(inbox.take([update])).rejects.toThrow('away');
  isAway = false;
  await inbox.take([update]);
  await inbox.take([update]);
  await inbox.idle();
  expect(handled).toEqual([7]);
});

test('a message that comes again late is not answered twice; after a quiet week numbers may begin anywhere', async () => {
  const handled: number[] = [];
  const inbox = createInbox({
    botId: () => 7,
    lastTaken: { read: async () => '', write: async () => {} },
    handle: async ({ update_id: id }) => void handled.push(id),
  });
  await inbox.take(messages(...Array.from({ length: 200 }, (_, at) => 5_000 + at)));
  await inbox.idle();
  handled.length = 0;
  await inbox.take(messages(5_199, 4_999, 4_001, 4_000));
  await inbox.take(messages(17, 9_000_000));
  await inbox.idle();
  expect(handled).toEqual([4_000, 17, 9_000_000]);
});

test('polls go on where numbers begin anew, and not where the server repeats itself', async () => {
  const batches = [[9_000_000], [8_999_999], [5], []];
  const offsets: unknown[] = [];
  const taken: number[] = [];
  const stop = new AbortController();
  const api = {
    async getUpdates({ offset }: { offset?: number }) {
      offsets.push(offset);
      if (batches.length === 1) stop.abort();
      return messages(...(batches.shift() ?? []));
    },
  };
  await poll({
    api: api as unknown as Api,
    signal: stop.signal,
    monotonic: () => 0,
    wait: async () => {},
    onResponse: () => {},
    take: async (updates) => void taken.push(...updates.map(({ update_id: id }) => id)),
  });
  expect(taken).toEqual([9_000_000, 5]);
  expect(offsets).toEqual([undefined, 9_000_001, 9_000_001, 6]);
});
