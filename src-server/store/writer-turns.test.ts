import { expect, test } from 'vitest';
import { createWriterTurns } from './writer-turns.ts';

/** Names in the order in which they had a turn. */
async function orderOf(changes: readonly [name: string, isUrgent: boolean][]): Promise<string[]> {
  const turns = createWriterTurns();
  await turns.take(false);
  const had: string[] = [];
  const all = changes.map(async ([name, isUrgent]) => {
    await turns.take(isUrgent);
    had.push(name);
    turns.end();
  });
  turns.end();
  await Promise.all(all);
  return had;
}

test('requested changes go first, each kind in order of arrival', async () => {
  const changes: [string, boolean][] = [
    ['reading 1', false],
    ['save 1', true],
    ['reading 2', false],
    ['save 2', true],
  ];
  expect(await orderOf(changes)).toEqual(['save 1', 'save 2', 'reading 1', 'reading 2']);
});

test("the panel's own work gets every seventeenth turn", async () => {
  const saves = Array.from({ length: 40 }, (_, at): [string, boolean] => [`save ${at}`, true]);
  const had = await orderOf([['reading 1', false], ['reading 2', false], ...saves]);
  expect([had.indexOf('reading 1'), had.indexOf('reading 2'), had.length]).toEqual([16, 33, 42]);
});
