import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { startClientPanel } from '../../../testing/panels/client-panel.ts';
import { ClientPageQuery, type ClientPage } from './contract.ts';
import { momentOf } from './near-limits.ts';
import { createOrderings } from './orderings.ts';
import { planPage } from './page-query.ts';

const panel = forEachTest(startClientPanel);
beforeEach(async () => {
  const inboundId = await panel.inbound();
  for (const [at, email] of ['a', 'b', 'c'].entries()) {
    await panel.add({ email }, [inboundId]);
    await setUp(email, 30 - at * 10);
  }
});

/** Like a reading of the counters: without an event. */
async function setUp(email: string, upBytes: number): Promise<void> {
  const { id } = (await panel.stored(email))!;
  await panel.store.write((trx) =>
    trx.updateTable('clientStates').set({ upBytes }).where('clientId', '=', id).execute(),
  );
}

async function emailsOf(page: number): Promise<string[]> {
  const list = await panel.ok<ClientPage>(panel.get(`/list/paged?sort=traffic&order=descend&pageSize=1&page=${page}`));
  expect(list.filtered).toBe(3);
  return list.items.map(({ email }) => email);
}
/** The order is read for the second request. */
async function keepOrder(): Promise<void> {
  await emailsOf(1);
  await emailsOf(1);
}

test('paging through a list with a changing order neither repeats nor skips a client', async () => {
  await keepOrder();
  await setUp('c', 1_000);
  expect([await emailsOf(1), await emailsOf(2), await emailsOf(3), await emailsOf(4)]).toEqual([
    ['a'],
    ['b'],
    ['c'],
    [],
  ]);
});

test('for a page far down the order is read with the first request', async () => {
  const orderings = createOrderings(panel.store, () => {});
  const query = ClientPageQuery.parse({ sort: 'traffic', order: 'descend' });
  const moment = momentOf({ expireDiff: 0, trafficDiff: 0, trafficDiffPercent: 0 }, panel.time.nowMs);
  const plan = planPage({ query, moment, onlineIds: [], inboundIds: null, total: 0 });
  const request = { key: 'traffic', planNow: async () => plan, offset: 5_000, limit: 25, nowMs: panel.time.nowMs };
  const page = await orderings.page(request, () => Promise.reject(new Error('found apart from its order')));
  expect(page).toEqual({ filtered: 3, ids: [] });
});

test('unannounced changes are seen after five seconds, and at once after a longer pause', async () => {
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

test('concurrent requests wait for the whole order, which is read once for all of them', async () => {
  const errors: unknown[] = [];
  const orderings = createOrderings(panel.store, (error) => errors.push(error));
  const moment = momentOf({ expireDiff: 0, trafficDiff: 0, trafficDiffPercent: 0 }, panel.time.nowMs);
  const query = ClientPageQuery.parse({ sort: 'traffic' });
  const plan = planPage({ query, moment, onlineIds: [], inboundIds: null, total: 0 });
  const request = { key: 'by traffic', planNow: async () => plan, offset: 0, limit: 1, nowMs: panel.time.nowMs };
  let alone = 0;
  const readPage = () => orderings.page(request, async () => ({ filtered: ++alone, ids: [] }));
  await readPage();
  const { id } = (await panel.stored('c'))!;
  const found = { filtered: 3, ids: [id] };
  expect(await Promise.all([readPage(), readPage(), readPage()])).toEqual([found, found, found]);
  expect(alone).toBe(1);
  expect(errors).toEqual([]);
});

test('an announced change is seen at once', async () => {
  await keepOrder();
  await panel.ok(panel.post('/updateTraffic/b', { upload: 5_000, download: 0 }));
  expect(await emailsOf(1)).toEqual(['b']);
});
