import type { Update } from 'grammy/types';
import { createLine } from '../../../concurrency.ts';
import { UPDATE_KINDS } from './poll.ts';

/** Messages answered at the same time. */
const AT_ONCE = 10;
/** Chats waiting for answers before polling pauses. */
const MOST_WAITING = 200;
/** The API resends unacknowledged messages under the same number. After a quiet week, numbers restart anywhere. */
const REPEATED_WITHIN = 1_000;

export interface InboxDeps {
  botId: () => number;
  /** The last message taken, kept over restarts: `<bot id>:<update id>`. */
  lastTaken: { read: () => Promise<string>; write: (text: string) => Promise<void> };
  handle: (update: Update) => Promise<void>;
}

/** Queues messages for their answers: those of one chat in order, each once. */
export function createInbox({ botId, lastTaken, handle }: InboxDeps) {
  const atOnce = createLine(AT_ONCE);
  const busy = new Map<number, Promise<void>>();
  let last: number | null = null;

  async function lastId(): Promise<number> {
    if (last !== null) return last;
    const [bot, update] = (await lastTaken.read()).split(':');
    last = Number(bot) === botId() ? Number(update) : 0;
    return last;
  }

  function enqueue(update: Update): void {
    const chatId = update.message?.chat.id ?? update.callback_query?.from.id ?? 0;
    const before = busy.get(chatId) ?? Promise.resolve();
    const mine = before
      .then(() => atOnce(() => handle(update)))
      .finally(() => busy.get(chatId) === mine && busy.delete(chatId));
    busy.set(chatId, mine);
  }

  return {
    async take(updates: readonly Update[]): Promise<void> {
      const until = await lastId();
      const fresh = updates.filter(
        (update) =>
          (update.update_id > until || update.update_id <= until - REPEATED_WITHIN) &&
          UPDATE_KINDS.some((kind) => kind in update),
      );
      if (fresh.length === 0) return;
      last = Math.max(...fresh.map(({ update_id: id }) => id));
      // Recorded before anything is done: after a kill a person asks again, and nothing is done twice.
      await lastTaken.write(`${botId()}:${last}`);
      for (const update of fresh) enqueue(update);
      while (busy.size > MOST_WAITING) await Promise.race(busy.values());
    },
    /** Resolves when everything taken is answered. */
    async idle(): Promise<void> {
      await Promise.all(busy.values());
    },
  };
}
