import type { Update } from 'grammy/types';
import { createLine } from '../../../concurrency.ts';

/** Messages answered at the same time. */
const AT_ONCE = 10;
/** Chats waiting for answers before polling pauses. */
const MAX_WAITING = 200;
/** Messages that are remembered: more than one poll returns. */
const MAX_REMEMBERED = 200;
/** The API resends unacknowledged messages under the same number. After a quiet week, numbers restart anywhere. */
export const REPEATED_WITHIN = 1_000;

export interface InboxDeps {
  botId: () => number;
  /** The last messages taken, kept over restarts: `<bot id>:<update id>,<update id>`. */
  lastTaken: { read: () => Promise<string>; write: (text: string) => Promise<void> };
  handle: (update: Update) => Promise<void>;
}

/** Queues messages for their answers: those of one chat in order, each once. */
export function createInbox({ botId, lastTaken, handle }: InboxDeps) {
  const atOnce = createLine(AT_ONCE);
  const busy = new Map<number, Promise<void>>();
  /** In the order in which they came: with webhooks, a message that failed before comes after later ones. */
  let taken: Set<number> | null = null;

  async function load(): Promise<Set<number>> {
    const [bot, ids = ''] = (await lastTaken.read()).split(':');
    // Another call may have loaded them meanwhile, and added to them.
    taken ??= new Set(Number(bot) === botId() ? ids.split(',').map(Number) : []);
    return taken;
  }

  function isFresh(id: number, known: ReadonlySet<number>): boolean {
    if (!Number.isSafeInteger(id) || known.has(id)) return false;
    const oldest = Math.min(...known);
    return known.size < MAX_REMEMBERED || id > oldest || id <= oldest - REPEATED_WITHIN;
  }

  function enqueue(update: Update, chatId: number): void {
    const before = busy.get(chatId) ?? Promise.resolve();
    const mine = before
      .then(() => atOnce(() => handle(update)))
      .finally(() => busy.get(chatId) === mine && busy.delete(chatId));
    busy.set(chatId, mine);
  }

  return {
    /** Drops what has been taken before, and what is no message and no press of a button. */
    async take(updates: readonly Update[]): Promise<void> {
      const known = taken ?? (await load());
      const fresh = updates.flatMap((update) => {
        const chatId = chatOf(update);
        return chatId !== null && isFresh(update.update_id, known) ? [{ update, chatId }] : [];
      });
      if (fresh.length === 0) return;
      for (const { update } of fresh) known.add(update.update_id);
      for (const id of known) if (known.size > MAX_REMEMBERED) known.delete(id);
      // Recorded before anything is done: after a kill a person asks again, and nothing is done twice.
      try {
        await lastTaken.write(`${botId()}:${[...known].join(',')}`);
      } catch (error) {
        // They come again.
        for (const { update } of fresh) known.delete(update.update_id);
        throw error;
      }
      for (const { update, chatId } of fresh) enqueue(update, chatId);
      while (busy.size > MAX_WAITING) await Promise.race(busy.values());
    },
    /** Resolves when everything taken is answered. */
    async idle(): Promise<void> {
      await Promise.all(busy.values());
    },
  };
}

interface UncheckedUpdate {
  message?: { chat?: { id?: unknown } };
  callback_query?: { from?: { id?: unknown } };
}

/** The chat of a message, or of the person who pressed a button; null for everything else, whatever its shape. */
export function chatOf(update: Update): number | null {
  // The library's types promise what the other side may not have sent.
  const { message, callback_query: pressed }: UncheckedUpdate = update;
  const id = message?.chat?.id ?? pressed?.from?.id;
  return Number.isSafeInteger(id) ? (id as number) : null;
}
