import { expect, test } from 'vitest';
import { forEachTest } from '../../../../testing/for-each-test.ts';
import type { TestPanel } from '../../../../testing/panels/open-panel.ts';
import { startNodePair } from '../../../../testing/panels/node-pair.ts';
import type { Inbound } from '../../../inbounds/contract.ts';

/* Both panels reset an inbound with `trafficReset` at midnight, each by its own clock: no byte is lost. */

const pair = forEachTest(startNodePair);

/** Midnight of one panel. */
async function midnight(panel: TestPanel): Promise<void> {
  // The next millisecond at least: a reset is later than everything before it.
  panel.jumpClock(1_000);
  await panel.parts.records.inbounds.scheduledResets('daily')();
  await pair.central.nodes.idle();
}

async function addThere(): Promise<void> {
  const { central, nodeId } = pair;
  const id = await central.inbound(443, { nodeId, trafficReset: 'daily' });
  await central.add({ email: 'alice' }, [id]);
  await pair.tick();
}

const usedThere = async (up: number): Promise<void> => {
  pair.node.core.move('inbounds', 'in-443-tcp', up, 0);
  pair.node.core.move('users', 'alice', up, 0);
  await pair.node.tick();
};

const used = async (panel: TestPanel) => {
  const [inbound] = await panel.read<Inbound[]>('/inbounds/list');
  return { client: (await panel.state('alice'))!.upBytes, inbound: inbound!.up };
};

/** What was ever counted of the client here, whatever was reset. */
async function everCounted(): Promise<number> {
  const { store } = pair.central;
  const rows = await store.reader.selectFrom('trafficLedger').selectAll().where('upBytes', '>', 0).execute();
  return rows.reduce((sum, { upBytes }) => sum + upBytes, 0);
}

test('a node that is away at midnight brings along what was used since', async () => {
  const { central, node } = pair;
  await addThere();
  await usedThere(500);
  await pair.tick();
  pair.setUp(false);
  await midnight(node);
  await midnight(central);
  await usedThere(70);
  await pair.tick();
  pair.setUp(true);
  await pair.tick();
  await usedThere(7);
  await pair.tick();
  expect([await used(central), await used(node), await everCounted()]).toEqual([
    { client: 77, inbound: 77 },
    { client: 77, inbound: 77 },
    577,
  ]);
});

test.each([
  ['the node', 9],
  // Its period began 30 bytes earlier.
  ['this panel', 39],
])('nothing is lost around midnight when %s is first', async (first, usedHere) => {
  const { central, node } = pair;
  await addThere();
  await usedThere(500);
  await pair.tick();
  for (const panel of first === 'the node' ? [node, central] : [central, node]) {
    await usedThere(30);
    await pair.sync();
    await midnight(panel);
  }
  await usedThere(7);
  await pair.tick();
  await usedThere(2);
  await pair.tick();
  expect(await everCounted()).toBe(569);
  expect(await used(central)).toEqual({ client: usedHere, inbound: 9 });
  expect(await used(node)).toEqual({ client: 9, inbound: 9 });
});

test('what a node used before midnight and nobody read until then counts, too', async () => {
  const { central, node } = pair;
  await addThere();
  await usedThere(500);
  await pair.tick();
  pair.setUp(false);
  await usedThere(40);
  await midnight(node);
  await midnight(central);
  await usedThere(70);
  pair.setUp(true);
  await pair.tick();
  await usedThere(7);
  await pair.tick();
  expect(await everCounted()).toBe(617);
  // What was not read before midnight belongs to the new period here.
  expect([(await used(central)).client, (await used(node)).client]).toEqual([117, 77]);
});

test('more used since midnight than in the whole period before counts in full', async () => {
  const { central, node } = pair;
  await addThere();
  await usedThere(50);
  await pair.tick();
  pair.setUp(false);
  await midnight(node);
  await midnight(central);
  await usedThere(900);
  pair.setUp(true);
  await pair.tick();
  await usedThere(7);
  await pair.tick();
  expect([await everCounted(), (await used(central)).client, (await used(node)).client]).toEqual([957, 907, 907]);
});

test('a reset of the inbound on the node leaves its clients as they are', async () => {
  const { central, node } = pair;
  await addThere();
  await usedThere(500);
  await pair.tick();
  node.jumpClock(1_000);
  const [{ id }] = await node.read<[Inbound]>('/inbounds/list');
  await node.done(`/inbounds/${id}/resetTraffic`);
  await usedThere(7);
  await pair.tick();
  expect([await used(central), await everCounted()]).toEqual([{ client: 507, inbound: 7 }, 507]);
});

test('a reset from here is no period that the node began: the next one from here is carried out, too', async () => {
  const { central, node } = pair;
  await addThere();
  await usedThere(500);
  await pair.tick();
  const [{ id }] = await central.read<[Inbound]>('/inbounds/list');
  for (let at = 0; at < 2; at += 1) {
    node.jumpClock(1_000);
    await central.done(`/inbounds/${id}/resetTraffic`);
    await central.nodes.idle();
    await usedThere(30);
  }
  await pair.tick();
  expect([await used(central), await used(node)]).toEqual([
    { client: 560, inbound: 30 },
    { client: 560, inbound: 30 },
  ]);
});
