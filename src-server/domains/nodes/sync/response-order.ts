import * as z from 'zod';
import { readJson } from '../../../contract/json-text.ts';

/** Remembered earlier runs of a panel; beyond that the oldest are forgotten. */
const MAX_ENDED = 16;

const State = z.object({
  run: z.string(),
  count: z.int(),
  ended: z.array(z.string()),
  unreadBehind: z.array(z.string()).default([]),
});

/** GUIDs that were given to {@link ResponseOrder.stored}. */
export const storedUnread = (stored: string): string[] => readJson(State.nullable(), stored, null)?.unreadBehind ?? [];

/**
 * Detects responses that something in between replays: each response names the run of the panel and a sequence number.
 * @param stored value of {@link ResponseOrder.stored} when this panel ended; empty = nothing is known
 */
export function createResponseOrder(stored: string) {
  const known = readJson(State.nullable(), stored, null);
  let current = known === null ? null : { run: known.run, count: known.count };
  const ended = known?.ended ?? [];
  return {
    /**
     * `restarted`: the panel was started since the last response. `old`: an earlier response, or one of an earlier run.
     * `unknown`: the panel sends no order.
     */
    take(order: string): 'next' | 'restarted' | 'old' | 'unknown' {
      const [, run, digits] = /^([\w-]{1,64})\.(\d{1,15})$/.exec(order) ?? [];
      if (run === undefined) return 'unknown';
      const count = Number(digits);
      if (ended.includes(run) || (current?.run === run && count <= current.count)) return 'old';
      // The very first response may itself be a replay.
      const before = current?.run;
      current = { run, count };
      if (before === undefined) return 'unknown';
      if (before === run) return 'next';
      ended.push(before);
      if (ended.length > MAX_ENDED) ended.shift();
      return 'restarted';
    },
    /**
     * Stored with the data of the last response, so that replays are detected after a restart too.
     * @param unreadBehind GUIDs of panels that the node has not read since it went back to an older database
     */
    stored: (unreadBehind: readonly string[]): string =>
      current === null ? '' : JSON.stringify({ ...current, ended, unreadBehind }),
  };
}
export type ResponseOrder = ReturnType<typeof createResponseOrder>;
