import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { API_TOKEN } from '../../../testing/credentials.ts';
import { startClientPanel } from '../../../testing/panels/client-panel.ts';

let inboundId: number;
const panel = forEachTest(startClientPanel);
beforeEach(async () => {
  inboundId = await panel.inbound();
});

const items = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ client: { email: `c${at}` }, inboundIds: [inboundId] }));
const count = async (): Promise<number> =>
  (await panel.store.reader.selectFrom('clients').select('id').execute()).length;

test('few items are processed at once, many as a job with the same result', async () => {
  expect(await panel.ok(panel.post('/bulkCreate', items(3)))).toMatchObject({ created: 3 });
  expect(panel.jobs.list()).toEqual([]);
  expect(await panel.ok(panel.post('/bulkCreate', items(1_200)))).toMatchObject({ created: 1_197 });
  await panel.jobs.close();
  expect(panel.jobs.list()).toMatchObject([
    { kind: 'bulkCreateClients', title: 'Create 1200 clients', state: 'done', total: 1_200, done: 1_200 },
  ]);
  expect(panel.jobs.get(panel.jobs.list()[0]!.id).result).toEqual({ total: 1_200, done: 1_197 });
});

test('a cancelled job changes nothing, and its request reports that', async () => {
  const creating = panel.post('/bulkCreate', items(20_000));
  while (panel.jobs.list().length === 0) await new Promise(setImmediate);
  panel.jobs.cancel(panel.jobs.list()[0]!.id);
  expect(await panel.refusal(creating)).toBe('The work was cancelled; nothing has been changed.');
  expect(panel.jobs.list()).toMatchObject([{ state: 'cancelled' }]);
  expect(await count()).toBe(0);
  expect(panel.runtime.applied).toEqual([]);
});

test('an import knows its number of items when it has finished', async () => {
  const data = JSON.stringify(items(1_100));
  expect(await panel.ok(panel.post('/import', { data: data + ' '.repeat(2_000 * 400) }))).toMatchObject({
    created: 1_100,
  });
  await panel.jobs.close();
  expect(panel.jobs.list()).toMatchObject([{ kind: 'importClients', total: 1_100, done: 1_100 }]);
});

test('two concurrent jobs each do their own work, and cancelling one does not affect the other', async () => {
  const first = panel.post('/bulkCreate', items(2_000));
  while (panel.jobs.list().length === 0) await new Promise(setImmediate);
  const second = panel.post(
    '/bulkCreate',
    items(20_000).map(({ inboundIds }, at) => ({ client: { email: `other-${at}` }, inboundIds })),
  );
  while (panel.jobs.list().length === 1) await new Promise(setImmediate);
  panel.jobs.cancel(panel.jobs.list()[0]!.id);
  expect(await panel.ok(first)).toMatchObject({ created: 2_000 });
  expect(await panel.refusal(second)).toBe('The work was cancelled; nothing has been changed.');
  expect(panel.jobs.list().map(({ state }) => state)).toEqual(['cancelled', 'done']);
  expect(await count()).toBe(2_000);
});

test('a job continues after its requester has gone', async () => {
  const gone = new AbortController();
  const creating = fetch(`${panel.app.panel.url}panel/api/clients/bulkCreate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${API_TOKEN}` },
    body: JSON.stringify(items(2_000)),
    signal: gone.signal,
  });
  while (panel.jobs.list().length === 0) await new Promise(setImmediate);
  gone.abort();
  await expect(creating).rejects.toThrow('aborted');
  const { id } = panel.jobs.list()[0]!;
  while (panel.jobs.get(id).state === 'running') await new Promise(setImmediate);
  expect(panel.jobs.get(id)).toMatchObject({ state: 'done', result: { total: 2_000, done: 2_000 } });
  expect(await count()).toBe(2_000);
});
