import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { DomainError } from '../../../contract/domain-error.ts';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { startClientPanel } from '../../../testing/panels/client-panel.ts';
import type { Watch } from '../list/watch.ts';

/** Three rounds of most verbs, two of a reset of all. */
const COUNT = 1_100;
const ATTACHED = 1_050;
let first: number;
let second: number;
const emails = Array.from({ length: COUNT }, (_, at) => `client-${at}`);

const panel = forEachTest(startClientPanel);
beforeEach(async () => {
  first = await panel.inbound();
  second = await panel.inbound('trojan');
  const items = emails.map((email, at) => ({
    client: { email, group: at % 2 === 0 ? 'even' : '', totalGB: 10, expiryTime: panel.time.nowMs + at },
    inboundIds: [first],
  }));
  await panel.service.bulkCreate(items, '');
  await panel.store.write((trx) => trx.updateTable('clientStates').set({ upBytes: 11, downBytes: 3 }).execute());
});

/** Everything that a verb could leave behind. */
async function everything(): Promise<unknown> {
  const tables = ['clients', 'clientStates', 'clientInbounds', 'clientGroups', 'keptTraffics', 'trafficLedger'];
  return Promise.all(
    tables.map(async (table) => (await sql`SELECT * FROM ${sql.table(table)}`.execute(panel.store.reader)).rows),
  );
}

const others = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ client: { email: `new-${at}` }, inboundIds: [first] }));

const verbs: [string, number, (watch: Watch) => Promise<unknown>][] = [
  ['bulkCreate', 3, (watch) => panel.service.bulkCreate(others(COUNT), '', watch)],
  ['import', 3, (watch) => panel.service.import(JSON.stringify(others(COUNT)), '', watch)],
  ['bulkAdjust', 3, (watch) => panel.service.bulkAdjust(emails, { addDays: 1, addBytes: 5, flow: '' }, '', watch)],
  ['bulkDisable', 3, (watch) => panel.service.bulkSwitch(emails, false, '', watch)],
  ['bulkDel', 3, (watch) => panel.service.bulkRemove(emails, false, '', watch)],
  ['bulkDel that keeps traffic', 3, (watch) => panel.service.bulkRemove(emails, true, '', watch)],
  ['bulkAttach', 3, (watch) => panel.service.bulkAttach(emails, [second], '', watch)],
  ['bulkDetach', 3, (watch) => panel.service.bulkDetach(emails, [first], '', watch)],
  ['bulkResetTraffic', 3, (watch) => panel.service.bulkReset(emails, '', watch)],
  ['resetAllTraffics', 3, (watch) => panel.service.resetAll('', watch)],
  ['delDepleted', 4, (watch) => panel.service.removeDepleted('', watch)],
];

test.each(verbs)(
  '%s changes nothing when cancelled at any stage, and its progress only grows',
  async (_, stages, verb) => {
    const before = await everything();
    const published = panel.events.length;
    const applied = panel.runtime.applied.length;
    for (let stage = 0; stage < stages; stage++) {
      let calls = 0;
      const stop: Watch = () => {
        if (calls++ === stage) throw new DomainError('client.workCancelled');
      };
      await expect(verb(stop)).rejects.toThrow('client.workCancelled');
      expect(await everything()).toEqual(before);
    }
    expect(panel.events).toHaveLength(published);
    expect(panel.runtime.applied).toHaveLength(applied);

    const progress: number[] = [];
    await verb((done) => void progress.push(done));
    expect(progress).toHaveLength(stages);
    expect(progress[0]).toBe(0);
    expect(progress.toSorted((a, b) => a - b)).toEqual(progress);
    expect(progress.at(-1)).toBeLessThanOrEqual(COUNT);
    expect(await everything()).not.toEqual(before);
    expect(panel.runtime.applied.length - applied).toBeLessThanOrEqual(1);
  },
);

test('delOrphans deletes no client when cancelled at any stage', async () => {
  await panel.service.bulkDetach(emails.slice(0, ATTACHED), [first], '');
  const before = await everything();
  for (let stage = 0; stage < 4; stage++) {
    let calls = 0;
    const stop: Watch = () => {
      if (calls++ === stage) throw new DomainError('client.workCancelled');
    };
    await expect(panel.service.removeOrphans('', stop)).rejects.toThrow('client.workCancelled');
    expect(await everything()).toEqual(before);
  }
  expect(await panel.service.removeOrphans('')).toEqual({ deleted: ATTACHED });
});

test.each([
  ['/delDepleted', { deleted: COUNT }, 'deleteDepletedClients'],
  ['/resetAllTraffics', null, 'resetAllClientTraffics'],
])('%s of many is a job with the same result', async (call, result, kind) => {
  await panel.store.write((trx) => trx.updateTable('clientStates').set({ enable: 0, disabledBy: 'admin' }).execute());
  expect(await panel.ok(panel.post(call))).toEqual(result);
  await panel.jobs.close();
  expect(panel.jobs.list()).toMatchObject([{ kind, state: 'done', done: COUNT, total: COUNT }]);
  expect(await panel.ok(panel.post(call))).toEqual(result === null ? null : { deleted: 0 });
  expect(panel.jobs.list()).toHaveLength(1);
});

test('delOrphans of many is a job too', async () => {
  await panel.service.bulkDetach(emails, [first], '');
  expect(await panel.ok(panel.post('/delOrphans'))).toEqual({ deleted: COUNT });
  await panel.jobs.close();
  expect(panel.jobs.list()).toMatchObject([{ kind: 'deleteOrphanClients', state: 'done' }]);
});

test('deleting all of many clients of an inbound is a job; cancelled, it deletes no client', async () => {
  const before = await everything();
  const deleteAllOf = (inboundId: number) => panel.service.inboundClients.deleteAllOf(inboundId);
  const cancelled = deleteAllOf(first);
  while (panel.jobs.list().length === 0) await new Promise(setImmediate);
  panel.jobs.cancel(panel.jobs.list()[0]!.id);
  await expect(cancelled).rejects.toThrow('client.workCancelled');
  expect(await everything()).toEqual(before);
  expect(await deleteAllOf(first)).toEqual({ deleted: COUNT, skipped: [] });
  await panel.jobs.close();
  expect(panel.jobs.list()).toMatchObject([
    { kind: 'deleteInboundClients', state: 'done', done: COUNT, total: COUNT },
    { state: 'cancelled' },
  ]);
  expect(await deleteAllOf(first)).toEqual({ deleted: 0, skipped: [] });
  expect(panel.jobs.list()).toHaveLength(2);
});
