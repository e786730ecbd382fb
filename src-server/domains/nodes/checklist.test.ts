import { expect, test } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { DAY_MS } from '../../testing/panels/client-panel.ts';
import { startNodePair } from '../../testing/panels/node-pair.ts';
import type { ClientRow } from '../clients/contract.ts';
import type { Inbound } from '../inbounds/contract.ts';

/*
 * What goes wrong where several panels serve the same clients. The numbers are those of the acceptance checklist, as in
 * domains/clients/checklist.test.ts; points without a node are there.
 */

const pair = forEachTest(startNodePair);

const inboundsThere = () => pair.node.read<Inbound[]>('/inbounds/list');
const clientsThere = () => pair.node.read<ClientRow[]>('/clients/list');

test('17.2 a client on a node first and here second is counted in both places, in one row', async () => {
  const { central, nodeId } = pair;
  const there = await central.inbound(443, { nodeId });
  await central.add({ email: 'alice' }, [there]);
  await pair.useThere('alice', 10, 20);
  const here = await central.inbound(441);
  await central.done('/clients/alice/attach', { inboundIds: [here] });
  central.core.move('users', 'alice', 1, 2);
  await pair.useThere('alice', 100, 200);
  expect(await central.read<ClientRow[]>('/clients/list')).toMatchObject([
    { email: 'alice', inboundIds: [there, here], traffic: { up: 111, down: 222 } },
  ]);
  // A node that tells nothing new takes nothing away.
  central.core.move('users', 'alice', 1, 0);
  await pair.tick();
  expect(await central.state('alice')).toMatchObject({ upBytes: 112, downBytes: 222 });
});

test.each([true, false])(
  '17.3 a quota used up on the node ends the client here within a tick, its connections where the setting says so (%s)',
  async (restartCoreOnClientDisable) => {
    const { central, nodeId } = pair;
    await central.set({ restartCoreOnClientDisable });
    const [here, there] = [await central.inbound(441), await central.inbound(443, { nodeId })];
    await central.add({ email: 'alice', totalGB: 100 }, [here, there]);
    await central.add({ email: 'bob' }, [here]);
    central.core.move('users', 'alice', 1, 0);
    central.core.online = [{ email: 'alice', ips: [{ ip: '192.0.2.1', lastSeenMs: 0 }] }];
    await central.tick();
    expect(central.core.users(here)).toEqual(['alice', 'bob']);
    await pair.useThere('alice', 99);
    expect(await central.state('alice')).toMatchObject({ enable: 0, disabledBy: 'loop', upBytes: 100 });
    expect(central.core.users(here)).toEqual(['bob']);
    expect(central.core.restarts).toHaveLength(restartCoreOnClientDisable ? 1 : 0);
    // The node is told, and serves it no more either.
    await pair.sync();
    expect(await pair.node.state('alice')).toMatchObject({ enable: 0 });
  },
);

test('17.6 a delayed start begins once, with the first bytes anywhere, and is one deadline everywhere', async () => {
  const { central, node, nodeId } = pair;
  const second = await pair.another('guid-of-the-second');
  const here = await central.inbound(441);
  const there = await central.inbound(443, { nodeId });
  const elsewhere = await central.inbound(443, { nodeId: second.nodeId });
  await central.add({ email: 'alice', expiryTime: -30 * DAY_MS }, [here, there, elsewhere]);
  await pair.tick();
  const deadlines = async () =>
    Promise.all([central, node, second.node].map(async (panel) => (await panel.state('alice'))!.expiresAtMs));
  expect(await deadlines()).toEqual(Array.from({ length: 3 }, () => -30 * DAY_MS));

  await pair.useThere('alice', 1);
  const [deadline] = await deadlines();
  expect(deadline).toBeGreaterThan(central.clock() + 29 * DAY_MS);
  // The second node still tells of the duration for a moment.
  second.answerOnce('inbounds/list', [
    {
      id: 1,
      tag: 'in-443-tcp',
      up: 0,
      down: 0,
      clientStats: [{ email: 'alice', up: 0, down: 0, enable: true, expiryTime: -30 * DAY_MS, lastOnline: 0 }],
    },
  ]);
  await pair.sync();
  await pair.sync();
  expect(await deadlines()).toEqual([deadline, deadline, deadline]);
  const listed = await central.read<Inbound[]>('/inbounds/list');
  const entries = listed.map(({ settings }) => (settings as { clients: { expiryTime: number }[] }).clients[0]);
  expect(entries).toMatchObject(Array.from({ length: 3 }, () => ({ expiryTime: deadline })));

  // A second start waits for bytes that are moved after it was asked for.
  await central.done('/clients/update/alice', { email: 'alice', expiryTime: -7 * DAY_MS });
  await pair.tick();
  await pair.tick();
  expect(await deadlines()).toEqual(Array.from({ length: 3 }, () => -7 * DAY_MS));
  await pair.useThere('alice', 1);
  const [again] = await deadlines();
  expect(again).toBeGreaterThan(central.clock() + 6 * DAY_MS);
  expect(again).toBeLessThanOrEqual(central.clock() + 7 * DAY_MS);
});

test('17.12 a port of a node is free here, and the other way round', async () => {
  const { central, nodeId } = pair;
  await central.inbound(443, { nodeId });
  await central.inbound(443);
  const body = { port: 443, protocol: 'vless', settings: { decryption: 'none' }, streamSettings: { network: 'tcp' } };
  expect((await central.post('/inbounds/add', { ...body, nodeId })).success).toBe(false);
  expect((await central.read<Inbound[]>('/inbounds/list')).map(({ tag }) => tag).sort()).toEqual([
    'in-443-tcp',
    `n${nodeId}-in-443-tcp`,
  ]);
});

test('17.14 an inbound that is switched off keeps its row and its clients on the node', async () => {
  const { central, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  await central.add({ email: 'alice' }, [id]);
  await pair.useThere('alice', 10);
  const [before] = await inboundsThere();
  await central.done(`/inbounds/setEnable/${id}`, { enable: false });
  await pair.sync();
  expect(await inboundsThere()).toMatchObject([
    { id: before!.id, enable: false, settings: { clients: [{ email: 'alice' }] }, clientStats: [{ up: 10 }] },
  ]);
  expect(await central.read('/inbounds/list')).toMatchObject([{ id, enable: false }]);
  expect(pair.calls.filter((call) => call.includes('del'))).toEqual([]);
  await central.done(`/inbounds/setEnable/${id}`, { enable: true });
  await pair.useThere('alice', 5);
  expect(await inboundsThere()).toMatchObject([{ id: before!.id, enable: true }]);
  expect(await central.state('alice')).toMatchObject({ upBytes: 15 });
});

test('17.18 an empty list of a node deletes nothing and sends nothing', async () => {
  const { central, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  await central.add({ email: 'alice' }, [id]);
  await pair.useThere('alice', 10);
  const before = await central.read('/inbounds/list');
  pair.calls.length = 0;
  const empty = pair.answerOnce('inbounds/list', []);
  await pair.sync();
  expect(empty.isUsed()).toBe(true);
  expect(pair.calls).toEqual([]);
  expect(await central.read('/inbounds/list')).toEqual(before);
  await pair.useThere('alice', 5);
  expect(await central.state('alice')).toMatchObject({ upBytes: 15 });
  expect(await clientsThere()).toMatchObject([{ email: 'alice' }]);
});
