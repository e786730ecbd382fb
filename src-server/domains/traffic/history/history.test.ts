import { sql } from 'kysely';
import { runScript } from '../../../store/batch.ts';
import { mirrorInbounds } from '../../nodes/sync/follow/repository-pull.ts';
import { sourceIdOf } from '../counting/repository-counters.ts';
import { beforeEach, expect, it } from 'vitest';
import { up } from '../../../store/migrations/0290-traffic-totals.ts';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { trafficPanel } from '../../../testing/panels/traffic-panel.ts';
import { createClientDays } from './client-days.ts';
import { addToDay } from './repository-client-days.ts';
import { createRollUp } from '../ledger/roll-up.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Midnight UTC, 2023-11-15. */
const START = 1_700_006_400_000;
const panel = forEachTest(trafficPanel);
beforeEach(async () => {
  panel.jumpClock(START - panel.clock());
});

interface Shown {
  edges: number[];
  sources: { kind: string; name: string; up: number[]; down: number[] }[];
  total: object;
  before: object;
  today: object;
  month: object;
}
const history = async (query: string): Promise<Shown> => (await panel.get(`/traffic/history?${query}`)).obj as Shown;

async function move(email: string, up: number, down: number): Promise<void> {
  panel.core.move('users', email, up, down);
  await panel.service().finalRead();
}
const sums = async () => {
  const { rows } = await sql<{ kind: string; subject: string; up: number; down: number }>`
    SELECT kind, subject, sum(upBytes) AS up, sum(downBytes) AS down FROM trafficTotals
    GROUP BY kind, subject`.execute(panel.store.reader);
  return Object.fromEntries(rows.map(({ kind, subject, up, down }) => [`${kind} ${subject}`.trim(), [up, down]]));
};
const rollUp = () => createRollUp({ store: panel.store, clock: panel.clock }).run();

it('shows every subject by hour, with the day before up to the same hour, across renames, resets and deletions', async () => {
  const inbound = await panel.addInbound('in-1');
  const alice = await panel.addClient('alice', { groupName: 'vip', inboundIds: [inbound] });
  await panel.addClient('bob');
  await move('alice', 5, 50);
  await panel.advance(20 * HOUR);
  await move('alice', 1_000, 0);
  await panel.advance(5 * HOUR);
  panel.core.move('users', 'bob', 7, 70);
  panel.core.move('inbounds', 'in-1', 20, 200);
  await move('alice', 1, 10);
  await panel.resetClient(alice);

  const all = await history('subject=all');
  expect(all.edges).toHaveLength(25);
  expect(all.edges[0]).toBe(START + DAY);
  expect(all.sources).toMatchObject([{ kind: 'core', name: '' }]);
  expect(all.sources[0]!.up[1]).toBe(8);
  expect(all.sources[0]!.down[1]).toBe(80);
  expect(all).toMatchObject({ total: { up: 8, down: 80 }, before: { up: 5, down: 50, from: START, to: START + HOUR } });
  expect(all).toMatchObject({
    today: { up: 8, down: 80, before: { up: 5, down: 50 } },
    month: { up: 1_013, down: 130 },
  });
  expect(await history('subject=client&name=ALICE')).toMatchObject({ total: { up: 1, down: 10 }, before: { up: 5 } });
  expect(await history('subject=group&name=vip')).toMatchObject({ total: { up: 1, down: 10 }, month: { up: 1_006 } });
  expect(await history(`subject=inbound&name=${inbound}`)).toMatchObject({ total: { up: 20, down: 200 } });
  const week = await history('period=week');
  expect(week.sources[0]!.up.reduce((sum, one) => sum + one, 0)).toBe(1_013);

  await panel.done('/clients/groups/rename', { oldName: 'vip', newName: 'gold' });
  await panel.deleteClient(alice);
  expect(await history('subject=group&name=gold')).toMatchObject({ total: { up: 1, down: 10 } });
  expect(await history('subject=group&name=vip')).toMatchObject({ total: { up: 0, down: 0 } });
  expect(await history('subject=all')).toMatchObject({ total: { up: 8, down: 80 } });
  for (const [query, msg] of [
    ['subject=client&name=nobody', 'client "nobody" not found'],
    ['subject=inbound&name=99', '"99" not found'],
    ['subject=node&name=x', '"x" not found'],
    ['period=range&from=5&to=5', 'the range is empty: "from" must be before "to"'],
    ['period=range&from=1', 'the range is longer than five years'],
  ])
    expect((await panel.get(`/traffic/history?${query}`)).msg).toBe(msg);
});

it('keeps every sum when quarter-hours are rolled up into days of the zone', async () => {
  await panel.set({ timeLocation: 'Asia/Tehran' });
  await panel.addClient('alice', { groupName: 'vip' });
  for (let step = 0; step < 40; step++) {
    await move('alice', 1, 10);
    await panel.advance(7 * HOUR);
  }
  const before = await sums();
  expect(before).toMatchObject({ all: [40, 400], 'group vip': [40, 400] });
  const year = await history('period=year');
  await panel.advance(63 * DAY);
  const { store, clock } = panel;
  await createRollUp({ store, clock, timeZone: () => 'Asia/Tehran' }).run();
  expect(await sums()).toEqual(before);
  const { rows } = await sql<{ spanSec: number; n: number }>`SELECT spanSec, count(*) AS n FROM trafficTotals
    WHERE kind = 'all' GROUP BY spanSec`.execute(store.reader);
  expect(rows).toEqual([{ spanSec: 86_400, n: 12 }]);
  expect((await history(`period=year&at=${START}`)).total).toEqual(year.total);
  const asDays = await history(`period=range&from=${START}&to=${START + 12 * DAY}`);
  expect(asDays.sources[0]!.up.slice(0, 4)).toEqual([3, 4, 3, 4]);
});

it('goes on ranking clients when the clock was ahead for some days', async () => {
  await panel.addClient('alice');
  panel.jumpClock(20 * DAY);
  await move('alice', 1, 0);
  await panel.advance(10 * 60_000);
  await rollUp();
  panel.jumpClock(-20 * DAY);
  await rollUp();
  await move('alice', 10, 0);
  await panel.advance(10 * 60_000);
  await rollUp();
  const ranked = async () => (await panel.get(`/traffic/top?at=${panel.clock()}`)).obj as { bytes: number };
  expect(await ranked()).toMatchObject({ bytes: 10 });
});

it('ranks clients by their days, counting each closed bucket once, also when interrupted', async () => {
  const [alice] = [await panel.addClient('alice'), await panel.addClient('bob')];
  for (let step = 0; step < 3; step++) {
    await move('alice', 1, 0);
    await move('bob', 100, 100);
    await panel.advance(10 * HOUR);
  }
  const { store, clock } = panel;
  await rollUp();
  await rollUp();
  await createClientDays({ store, clock, timeZone: () => 'UTC' }).run(() => true);
  const top = async (query: string) => (await panel.get(`/traffic/top?${query}`)).obj as { clients: object[] };
  expect(await top(`period=range&from=${START}&to=${START + 2 * DAY}`)).toMatchObject({
    bytes: 603,
    clientCount: 2,
    clients: [
      { email: 'bob', bytes: 600 },
      { email: 'alice', bytes: 3 },
    ],
  });
  expect(await top(`at=${START}&limit=1`)).toMatchObject({ bytes: 603, clients: [{ email: 'bob', bytes: 600 }] });
  await move('alice', 5_000, 0);
  await rollUp();
  expect((await top('period=month')).clients[0]).toEqual({ email: 'bob', bytes: 600 });
  await panel.advance(6 * 60_000);
  await rollUp();
  expect((await top('period=month')).clients[0]).toEqual({ email: 'alice', bytes: 5_003 });
  await panel.deleteClient(alice);
  expect(await top('period=month')).toMatchObject({ bytes: 5_603, clients: [{ email: 'bob' }] });
  await panel.advance(70 * DAY);
  await rollUp();
  expect(await store.reader.selectFrom('clientDayPages').selectAll().execute()).toEqual([]);
});

it('ranks the clients that exist, however many of the largest were deleted', async () => {
  const [alice, bob] = [await panel.addClient('alice'), await panel.addClient('bob')];
  const deleted = Array.from({ length: 150 }, (_, at) => ({ clientId: bob + 1 + at, bytes: 100 }));
  const left = [
    { clientId: alice, bytes: 3 },
    { clientId: bob, bytes: 4 },
  ];
  await panel.store.write((trx) => addToDay(trx, START / 1000, [...left, ...deleted]));
  expect((await panel.get(`/traffic/top?at=${START}`)).obj).toMatchObject({
    bytes: 15_007,
    clientCount: 152,
    clients: [
      { email: 'bob', bytes: 4 },
      { email: 'alice', bytes: 3 },
    ],
  });
});

it('returns hours of the day in the time zone', async () => {
  await panel.set({ timeLocation: 'Asia/Tehran' });
  await panel.addClient('alice');
  await move('alice', 1, 2);
  await panel.advance(DAY);
  await move('alice', 10, 20);
  await panel.advance(HOUR);
  for (const subject of ['subject=all', 'subject=client&name=alice']) {
    const { obj } = (await panel.get(`/traffic/hours?${subject}`)) as { obj: { up: number[]; down: number[] } };
    // Midnight UTC is half past three there.
    expect(obj.up[3]).toBe(11);
    expect(obj.down.reduce((sum, one) => sum + one, 0)).toBe(22);
  }
});

it('counts growth of a node’s inbounds, but no restart, pending reset or impossible jump', async () => {
  const nodeId = await panel.unreachableNode();
  const id = await panel.addInbound('far-1', { nodeId });
  await panel.store.write((trx) =>
    trx
      .insertInto('nodeInbounds')
      .values({ inboundId: id, nodeId, remoteId: 5, remoteTag: 'door' } as never)
      .execute(),
  );
  const sourceId = await panel.store.write((trx) => sourceIdOf(trx, 'node', 'far'));
  const mirror = (up: number, down: number) =>
    panel.store.write(async (trx) => {
      const moment = { nodeId, sourceId, nowMs: panel.clock(), limitBytes: 10_000 };
      const inbounds = [{ id: 5, tag: 'door', up, down, originNodeGuid: '' }] as never;
      await runScript(
        trx,
        mirrorInbounds(moment, inbounds, () => 'far'),
      );
    });
  const counted = async () => (await sums())[`inbound ${id}`];
  await mirror(10, 100);
  await mirror(15, 100);
  expect(await counted()).toEqual([15, 100]);
  await mirror(2, 3);
  await mirror(4, 3);
  expect(await counted()).toEqual([17, 100]);
  await mirror(50_000, 3);
  await mirror(50_001, 3);
  expect(await counted()).toEqual([18, 100]);
  expect(await panel.inbound(id)).toMatchObject({ upBytes: 50_001, downBytes: 3 });
  expect(await history(`subject=inbound&name=${id}`)).toMatchObject({ sources: [{ kind: 'node', guid: 'far' }] });
});

it('an update fills the sums from the ledger', async () => {
  await panel.addClient('alice', { groupName: 'vip' });
  const bob = await panel.addClient('bob');
  await move('alice', 1, 10);
  await move('bob', 5, 0);
  await panel.resetClient(bob);
  await panel.advance(3 * DAY);
  await rollUp();
  await move('alice', 2, 20);
  const before = await sums();
  await panel.store.write(async (trx) => {
    for (const table of ['trafficTotals', 'clientDayPages', 'clientDayMark'])
      await sql.raw(`DROP TABLE ${table}`).execute(trx);
    await sql`DROP INDEX clientsGrouped`.execute(trx);
    await up(trx as never);
  });
  expect(await sums()).toEqual(before);
});
