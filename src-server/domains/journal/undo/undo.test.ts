import { expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { openPanel } from '../../../testing/panels/open-panel.ts';
import type { JournalEntry } from '../contract.ts';

const panel = forEachTest(openPanel);
const newest = async (): Promise<number> =>
  (await panel.read<{ entries: JournalEntry[] }>('/journal/list?limit=1')).entries[0]!.id;
const undo = (id: number) => panel.done(`/journal/undo/${id}`);

test('an undo counts first what a former client has moved, and is one entry itself', async () => {
  const id = await panel.inbound(4001);
  await panel.add({ email: 'anna', subId: 'sub-anna' }, [id]);
  panel.core.start();
  panel.core.move('users', 'anna', 100, 200);
  await panel.tick();
  await panel.done('/clients/del/anna');
  const deleted = await newest();
  panel.core.move('users', 'anna', 1, 2);
  expect(await undo(deleted)).toMatchObject({ entryId: deleted + 1 });
  expect(await newest()).toBe(deleted + 1);
  expect(await panel.state('anna')).toMatchObject({ upBytes: 100, downBytes: 200 });
});
