import type { Update } from 'grammy/types';
import { expect, test } from 'vitest';
import { createInbox } from './inbox.ts';

test('a message that could not be recorded is answered when it comes again', async () => {
  const answered: number[] = [];
  let isAway = true;
  const inbox = createInbox({
    botId: () => 1,
    lastTaken: {
      read: async () => '',
      async write() {
        if (isAway) throw new Error('away');
      },
    },
    handle: async ({ update_id: id }) => void answered.push(id),
  });
  const update = { update_id: 7, message: { chat: { id: 42 } } } as Update;
  await expect(inbox.take([update])).rejects.toThrow('away');
  isAway = false;
  await inbox.take([update]);
  await inbox.take([update]);
  await inbox.idle();
  expect(answered).toEqual([7]);
});
