import { afterEach, beforeEach, expect, test } from 'vitest';
import { startClientPanel, type ClientPanel } from '../../testing/client-panel.ts';
import type { ClientPage } from './contract.ts';

let panel: ClientPanel;
beforeEach(async () => {
  panel = await startClientPanel();
  const inboundId = await panel.inbound();
  for (const [at, email] of ['a', 'b', 'c'].entries()) {
    await panel.add({ email }, [inboundId]);
    await setUp(email, 30 - at * 10);
  }
});
afterEach(() => panel.close());

/** As a reading of the counters does it: nobody is told. */
async function setUp(email: string, upBytes: number): Promise<void> {
  const { id } = (await panel.stored(email))!;
  await panel.store.write((trx) =>
    trx.updateTable('clientStates').set({ upBytes }).where('clientId', '=', id).execute(),
  );
}

async function emailsOf(page: number): Promise<string[]> {
  const answer = await panel.ok<ClientPage>(
    panel.get(`/list/paged?sort=traffic&order=descend&pageSize=1&page=${page}`),
  );
  expect(answer.filtered).toBe(3);
  return answer.items.map(({ email }) => email);
}
/** The order is read behind the second request; the thread that reads it answers in order. */
async function keepOrder(): Promise<void> {
  await emailsOf(1);
  await emailsOf(1);
  await panel.store.heavyReader.selectFrom('clients').select('id').execute();
}

test('paging through a list whose order moves neither repeats nor skips anybody', async () => {
  await keepOrder();
  await setUp('c', 1_000);
  expect([await emailsOf(1), await emailsOf(2), await emailsOf(3), await emailsOf(4)]).toEqual([
    ['a'],
    ['b'],
    ['c'],
    [],
  ]);
});

test('what moved unannounced is seen after five seconds, and at once after a longer pause', async () => {
  await keepOrder();
  await setUp('c', 1_000);
  panel.time.nowMs += 5_000;
  expect(await emailsOf(1)).toEqual(['a']);
  await panel.store.heavyReader.selectFrom('clients').select('id').execute();
  expect(await emailsOf(1)).toEqual(['c']);
  await setUp('b', 2_000);
  panel.time.nowMs += 10_000;
  expect(await emailsOf(1)).toEqual(['b']);
});

test('an announced change is seen at once', async () => {
  await keepOrder();
  await panel.ok(panel.post('/updateTraffic/b', { upload: 5_000, download: 0 }));
  expect(await emailsOf(1)).toEqual(['b']);
});
