import { expect, test } from 'vitest';
import { manualSchedule } from '../../../testing/manual-schedule.ts';
import type { KnownNode } from '../registry.ts';
import { createRounds } from './rounds.ts';

function start(count: number) {
  const time = manualSchedule();
  const closing = new AbortController();
  const polled: [id: number, atMs: number][] = [];
  const nodes = Array.from({ length: count }, (_, id) => ({ row: { id } }) as KnownNode);
  const rounds = createRounds({
    registry: { all: () => nodes, hasAny: () => count > 0 },
    polls: { regular: async ({ row }) => void polled.push([row.id, time.monotonic()]) },
    overview: { list: async () => [] },
    hasListeners: () => false,
    publish: () => undefined,
    schedule: time.schedule,
    signal: closing.signal,
    log: time.log,
  });
  rounds.start();
  return { time, closing, polled, rounds };
}

test('polls of many nodes are spread over a whole round, those of a few start at once', async () => {
  const few = start(4);
  await few.time.advance(5_000);
  expect(few.polled.map(([, atMs]) => atMs)).toEqual([5_000, 5_000, 5_000, 5_000]);
  const many = start(10);
  await many.time.advance(9_999);
  const [first, second, third] = [5_000, 5_000 + 5_000 / 3, 5_000 + 10_000 / 3];
  expect(many.polled.map(([id]) => id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const moments = [first, first, first, first, second, second, second, second, third, third];
  for (const [at, [, atMs]] of many.polled.entries()) expect(atMs).toBeCloseTo(moments[at]!, 0);
});

test('a round in progress ends with the panel and polls no further node', async () => {
  const { time, closing, polled, rounds } = start(10);
  await time.advance(5_000);
  rounds.stop();
  closing.abort();
  await rounds.ended();
  await time.advance(20_000);
  expect(polled).toHaveLength(4);
});
