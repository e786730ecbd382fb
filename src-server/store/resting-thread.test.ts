import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openRestingThread } from './resting-thread.ts';
import type { SqliteThread } from './sqlite-thread.ts';

const NOTHING = { rows: [], changes: 0, lastInsertId: 0 };
const MINUTE_MS = 60_000;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Threads that note what happens to them, and answer when they are told to. */
function recordedThreads() {
  const happened: string[] = [];
  let count = 0;
  let answer = (): void => undefined;
  const start = (): SqliteThread => {
    const name = (count += 1);
    happened.push(`start ${name}`);
    return {
      query: async (sql: string) => {
        happened.push(`${sql} on ${name}`);
        if (sql === 'long') await new Promise<void>((resolve) => (answer = resolve));
        return NOTHING;
      },
      close: async () => void happened.push(`close ${name}`),
    } as unknown as SqliteThread;
  };
  return { start, happened, answer: () => answer() };
}

test('a thread that nobody asks for a minute ends, and the next question has a new one', async () => {
  const { start, happened } = recordedThreads();
  const thread = openRestingThread(start);
  await thread.query('a', []);
  await vi.advanceTimersByTimeAsync(MINUTE_MS - 1);
  await thread.query('b', []);
  await vi.advanceTimersByTimeAsync(MINUTE_MS - 1);
  expect(happened).toEqual(['start 1', 'a on 1', 'b on 1']);
  await vi.advanceTimersByTimeAsync(1);
  expect(happened.at(-1)).toBe('close 1');
  expect(await thread.query('c', [])).toEqual(NOTHING);
  expect(happened.slice(-2)).toEqual(['start 2', 'c on 2']);
  await thread.close();
  expect(happened.at(-1)).toBe('close 2');
  expect(vi.getTimerCount()).toBe(0);
});

test('a question that takes longer than that is answered', async () => {
  const { start, happened, answer } = recordedThreads();
  const thread = openRestingThread(start);
  const long = thread.query('long', []);
  await thread.query('short', []);
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(happened).toEqual(['start 1', 'long on 1', 'short on 1']);
  answer();
  expect(await long).toEqual(NOTHING);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(happened.at(-1)).toBe('close 1');
});
