import { expect, test } from 'vitest';
import { createWriterTurns } from './writer-turns.ts';

/** Names that had a turn, in the order in which they had it. */
async function orderOf(asked: readonly [name: string, isUrgent: boolean][]): Promise<string[]> {
  const turns = createWriterTurns();
  await turns.take(false);
  const had: string[] = [];
  const all = asked.map(async ([name, isUrgent]) => {
    await turns.take(isUrgent);
    had.push(name);
    turns.end();
  });
  turns.end();
  await Promise.all(all);
  return had;
}

test('what was asked for goes first, each in the order of its coming', async () => {
  const asked: [string, boolean][] = [
    ['reading 1', false],
    ['save 1', true],
    ['reading 2', false],
    ['save 2', true],
  ];
  expect(await orderOf(asked)).toEqual(['save 1', 'save 2', 'reading 1', 'reading 2']);
});

test('what the panel does by itself has a turn in every seventeen', async () => {
  const saves = Array.from({ length: 40 }, (_, at): [string, boolean] => [`save ${at}`, true]);
  const had = await orderOf([['reading 1', false], ['reading 2', false], ...saves]);
  expect([had.indexOf('reading 1'), had.indexOf('reading 2'), had.length]).toEqual([16, 33, 42]);
});
