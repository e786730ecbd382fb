import { afterEach, beforeEach, expect, test } from 'vitest';
import { startClientPanel, type ClientPanel } from '../../testing/client-panel.ts';

let panel: ClientPanel;
let inboundId: number;
beforeEach(async () => {
  panel = await startClientPanel();
  inboundId = await panel.inbound();
});
afterEach(() => panel.close());

const items = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ client: { email: `c${at}` }, inboundIds: [inboundId] }));
const count = async (): Promise<number> =>
  (await panel.store.reader.selectFrom('clients').select('id').execute()).length;

test('few items are done at once, many as a job with the same answer', async () => {
  expect(await panel.ok(panel.post('/bulkCreate', items(3)))).toMatchObject({ created: 3 });
  expect(panel.jobs.list()).toEqual([]);
  expect(await panel.ok(panel.post('/bulkCreate', items(1_200)))).toMatchObject({ created: 1_197 });
  await panel.jobs.close();
  expect(panel.jobs.list()).toMatchObject([
    { kind: 'bulkCreateClients', title: 'Create 1200 clients', state: 'done', total: 1_200, done: 800 },
  ]);
  expect(panel.jobs.get(panel.jobs.list()[0]!.id).result).toEqual({ total: 1_200, done: 1_197 });
});

test('a cancelled job changes nothing, and its request says so', async () => {
  const asked = panel.post('/bulkCreate', items(20_000));
  while (panel.jobs.list().length === 0) await new Promise(setImmediate);
  panel.jobs.cancel(panel.jobs.list()[0]!.id);
  expect(await panel.refusal(asked)).toBe('The work was cancelled; nothing has been changed.');
  expect(panel.jobs.list()).toMatchObject([{ state: 'cancelled' }]);
  expect(await count()).toBe(0);
  expect(panel.runtime.applied).toEqual([]);
});
