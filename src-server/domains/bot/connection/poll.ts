import type { Api } from 'grammy';
import type { Update } from 'grammy/types';
import { POLL_SECONDS } from './api-fetch.ts';
import { REPEATED_WITHIN } from './inbox.ts';

/** Update types that the bot handles. */
export const UPDATE_KINDS = ['message', 'callback_query'] as const;

/** Shortest interval between two empty polls: protects a server that does not hold them. */
const EMPTY_POLL_MS = 1_000;

export interface PollDeps {
  api: Api;
  signal: AbortSignal;
  monotonic: () => number;
  wait: (delayMs: number) => Promise<void>;
  onResponse: () => void;
  take: (updates: readonly Update[]) => Promise<void>;
}

/** Fetches messages until the signal aborts. @throws the refusal of the API */
export async function poll({ api, signal, monotonic, wait, onResponse, take }: PollDeps): Promise<void> {
  let offset = 0;
  // The first poll is not held: it shows at once whether the server accepts the token.
  let isFirst = true;
  while (!signal.aborted) {
    const sentAtMs = monotonic();
    const updates = await api.getUpdates({
      ...(offset === 0 ? {} : { offset }),
      timeout: isFirst ? 0 : POLL_SECONDS,
      allowed_updates: UPDATE_KINDS,
    });
    onResponse();
    const fresh = updates.filter(({ update_id: id }) => id >= offset || id < offset - REPEATED_WITHIN);
    const tookMs = monotonic() - sentAtMs;
    if (fresh.length > 0) {
      offset = Math.max(...fresh.map(({ update_id: id }) => id)) + 1;
      await take(fresh);
    } else if (!isFirst && tookMs < EMPTY_POLL_MS) await wait(EMPTY_POLL_MS - tookMs);
    isFirst = false;
  }
}
