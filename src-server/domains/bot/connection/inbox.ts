import type { Update } from 'grammy/types';
import { createLine } from '../../../concurrency.ts';
import { UPDATE_KINDS } from './poll.ts';

/** Messages that are answered at the same time. */
const AT_ONCE = 10;
/** Chats that wait for their answers before no more messages are fetched. */
const MOST_WAITING = 200;
/** The API repeats what it does not know to have arrived, numbered as before. Numbers begin anywhere after a quiet week. */
const REPEATED_WITHIN = 1_000;

export interface InboxDeps {
  botId: () => number;
  /** The last message that was taken, over restarts: `<bot id>:<update id>`. */
  lastTaken: { read: () => Promise<string>; write: (text: string) => Promise<void> };
  handle: (update: Update) => Promise<void>;
}

/** Messages on their way to their answers: those of one chat in turn, each once. */
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
      // Noted before anything is done: what a kill interrupts is asked for again by a person, never done twice by us.
      await lastTaken.write(`${botId()}:${last}`);
      for (const update of fresh) enqueue(update);
      while (busy.size > MOST_WAITING) await Promise.race(busy.values());
    },
    /** When all that was taken is answered. */
    async idle(): Promise<void> {
      await Promise.all(busy.values());
    },
  };
}
