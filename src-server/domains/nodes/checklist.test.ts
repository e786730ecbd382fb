import { expect, test } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { DAY_MS } from '../../testing/panels/client-panel.ts';
import { startNodePair } from '../../testing/panels/node-pair.ts';
import type { ClientRow } from '../clients/contract.ts';
import type { Inbound } from '../inbounds/contract.ts';

/*
 * What can go wrong where several panels serve the same clients. Numbers follow the acceptance checklist, as in
 * domains/clients/checklist.test.ts. Cases without a node are there, those of inbounds in
 * domains/inbounds/checklist.test.ts.
 */

const pair = forEachTest(startNodePair);

test('17.2 a client added on a node first and here second counts in both places, in one row', async () => {
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
  // A node with nothing new to report removes nothing.
  central.core.move('users', 'alice', 1, 0);
  await pair.tick();
  expect(await central.state('alice')).toMatchObject({ upBytes: 112, downBytes: 222 });
});

test.each([true, false])(
  '17.3 a quota used up on the node ends the client here within a tick, its connections only if so set (%s)',
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
    // The node is notified and stops serving the client too.
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
  // The second node still reports the duration for a moment.
  second.respondOnce('inbounds/list', [
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

  // A second start needs traffic from after it was requested.
  await central.done('/clients/update/alice', { email: 'alice', expiryTime: -7 * DAY_MS });
  await pair.tick();
  await pair.tick();
  expect(await deadlines()).toEqual(Array.from({ length: 3 }, () => -7 * DAY_MS));
  await pair.useThere('alice', 1);
  const [again] = await deadlines();
  expect(again).toBeGreaterThan(central.clock() + 6 * DAY_MS);
  expect(again).toBeLessThanOrEqual(central.clock() + 7 * DAY_MS);
});

test('17.12 a port in use on a node is free here, and the other way round', async () => {
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
