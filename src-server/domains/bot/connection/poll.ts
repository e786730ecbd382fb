import type { Api } from 'grammy';
import type { Update } from 'grammy/types';
import { POLL_SECONDS } from './api-fetch.ts';

/** Kinds of messages that the bot looks at. */
export const UPDATE_KINDS = ['message', 'callback_query'] as const;

/** Shortest time between two polls that bring nothing: a server that does not hold them is not asked without pause. */
const EMPTY_POLL_MS = 1_000;

export interface PollDeps {
  api: Api;
  signal: AbortSignal;
  monotonic: () => number;
  wait: (delayMs: number) => Promise<void>;
  onAnswer: () => void;
  take: (updates: readonly Update[]) => Promise<void>;
}

/** Fetches messages until the signal comes. @throws what the API refuses with */
export async function poll({ api, signal, monotonic, wait, onAnswer, take }: PollDeps): Promise<void> {
  let offset = 0;
  // The first poll is not held: it tells at once whether the server takes it.
  let isFirst = true;
  while (!signal.aborted) {
    const askedAtMs = monotonic();
    const updates = await api.getUpdates({
      ...(offset === 0 ? {} : { offset }),
      timeout: isFirst ? 0 : POLL_SECONDS,
      allowed_updates: UPDATE_KINDS,
    });
    onAnswer();
    const fresh = updates.filter(({ update_id: id }) => id >= offset);
    const tookMs = monotonic() - askedAtMs;
    if (fresh.length > 0) {
      offset = Math.max(...fresh.map(({ update_id: id }) => id)) + 1;
      await take(fresh);
    } else if (!isFirst && tookMs < EMPTY_POLL_MS) await wait(EMPTY_POLL_MS - tookMs);
    isFirst = false;
  }
}
