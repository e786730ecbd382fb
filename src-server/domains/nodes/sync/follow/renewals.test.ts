import { expect, test } from 'vitest';
import { forEachTest } from '../../../../testing/for-each-test.ts';
import { DAY_MS } from '../../../../testing/panels/client-panel.ts';
import { startNodePair } from '../../../../testing/panels/node-pair.ts';

/* Both panels renew a client at its deadline, each by its own clock: usage in the new period counts once and in full. */

const pair = forEachTest(startNodePair);

test('a node that is away at the deadline brings its usage in the new period along', async () => {
  const { central, node, nodeId } = pair;
  const ids = [await central.inbound(441), await central.inbound(443, { nodeId })];
  const expiryTime = central.clock() + 20_000;
  await central.add({ email: 'alice', expiryTime, reset: 30 }, ids);
  await pair.useThere('alice', 500);
  pair.setUp(false);
  for (let at = 0; at < 5; at += 1) await pair.tick();
  node.core.move('users', 'alice', 700, 0);
  await node.tick();
  pair.setUp(true);
  await pair.tick();
  await pair.useThere('alice', 7);
  const renewed = { upBytes: 707, expiresAtMs: expiryTime + 30 * DAY_MS };
  expect(await central.state('alice')).toMatchObject(renewed);
  expect(await node.state('alice')).toMatchObject(renewed);
});

test('a node whose clock is ahead renews for all, although more was used since than in the whole period before', async () => {
  const { central, node, nodeId } = pair;
  const ids = [await central.inbound(443, { nodeId })];
  const expiryTime = central.clock() + 3_600_000;
  await central.add({ email: 'alice', expiryTime, reset: 30 }, ids);
  await pair.useThere('alice', 50);
  pair.setUp(false);
  node.jumpClock(3_600_000);
  await node.tick();
  node.core.move('users', 'alice', 700, 0);
  await node.tick();
  pair.setUp(true);
  await pair.tick();
  await pair.useThere('alice', 7);
  const renewed = { upBytes: 707, expiresAtMs: expiryTime + 30 * DAY_MS };
  expect(await node.state('alice')).toMatchObject(renewed);
  expect(await central.state('alice')).toMatchObject(renewed);
});

test('what a node used before the deadline and nobody read until then counts after the renewal', async () => {
  const { central, node, nodeId } = pair;
  const ids = [await central.inbound(441), await central.inbound(443, { nodeId })];
  const expiryTime = central.clock() + 20_000;
  await central.add({ email: 'alice', expiryTime, reset: 30 }, ids);
  await pair.useThere('alice', 500);
  pair.setUp(false);
  node.core.move('users', 'alice', 40, 0);
  for (let at = 0; at < 5; at += 1) await pair.tick();
  node.core.move('users', 'alice', 700, 0);
  await node.tick();
  pair.setUp(true);
  await pair.tick();
  const expiresAtMs = expiryTime + 30 * DAY_MS;
  expect(await central.state('alice')).toMatchObject({ upBytes: 740, expiresAtMs });
  expect(await node.state('alice')).toMatchObject({ upBytes: 700, expiresAtMs });
});

test('a node whose clock is behind gets the renewal from here, and its old usage stays in the old period', async () => {
  const { central, node, nodeId } = pair;
  const ids = [await central.inbound(441), await central.inbound(443, { nodeId })];
  const expiryTime = central.clock() + 20_000;
  await central.add({ email: 'alice', expiryTime, reset: 30 }, ids);
  await pair.useThere('alice', 500);
  node.jumpClock(-3_600_000);
  node.core.move('users', 'alice', 40, 0);
  await node.tick();
  // What was not read until the renewal counts after it, as with this panel's own core.
  for (let at = 0; at < 5; at += 1) await central.tick();
  await pair.sync();
  await pair.useThere('alice', 7);
  const expiresAtMs = expiryTime + 30 * DAY_MS;
  expect(await central.state('alice')).toMatchObject({ upBytes: 47, expiresAtMs });
  expect(await node.state('alice')).toMatchObject({ upBytes: 7, expiresAtMs });
});

test.each([
  [true, 10_000],
  [false, 10_000],
  [true, 3_600_000],
  [false, 3_600_000],
])(
  'a node whose clock is ahead renews for all (also on an inbound here: %s, ahead by %i ms)',
  async (isHere, ahead) => {
    const { central, node, nodeId } = pair;
    const second = await pair.another('guid-of-the-second');
    const ids = [
      await central.inbound(443, { nodeId }),
      await central.inbound(443, { nodeId: second.nodeId }),
      ...(isHere ? [await central.inbound(441)] : []),
    ];
    const expiryTime = central.clock() + ahead + 15_000;
    await central.add({ email: 'alice', expiryTime, reset: 30 }, ids);
    await pair.useThere('alice', 500);
    second.node.core.move('users', 'alice', 60, 0);
    await second.node.tick();
    await pair.tick();
    expect(await central.state('alice')).toMatchObject({ upBytes: 560, expiresAtMs: expiryTime });
    node.jumpClock(ahead);
    for (let at = 0; at < 2; at += 1) await pair.tick();
    node.core.move('users', 'alice', 7, 0);
    second.node.core.move('users', 'alice', 3, 0);
    await second.node.tick();
    for (let at = 0; at < 5; at += 1) await pair.tick();
    const expiresAtMs = expiryTime + 30 * DAY_MS;
    expect(await central.state('alice')).toMatchObject({ enable: 1, upBytes: 10, expiresAtMs });
    expect(await node.state('alice')).toMatchObject({ upBytes: 7, expiresAtMs });
    expect(await second.node.state('alice')).toMatchObject({ upBytes: 3, expiresAtMs });
  },
);

test('a node that refuses a reset does not get the new deadline without it: its old usage would count again', async () => {
  const { central, node, nodeId } = pair;
  const ids = [await central.inbound(441), await central.inbound(443, { nodeId })];
  const expiryTime = central.clock() + 20_000;
  await central.add({ email: 'alice', expiryTime, reset: 30 }, ids);
  await pair.useThere('alice', 500);
  node.jumpClock(-3_600_000);
  pair.refuse('clients/bulkResetTraffic');
  for (let at = 0; at < 6; at += 1) await pair.tick();
  await pair.useThere('alice', 7);
  const renewed = { upBytes: 7, expiresAtMs: expiryTime + 30 * DAY_MS };
  expect(await central.state('alice')).toMatchObject(renewed);
  expect(await node.state('alice')).toMatchObject(renewed);
});

test('a reading that is under way while a client is renewed here counts nothing of the old period again', async () => {
  const { central, node, nodeId } = pair;
  const ids = [await central.inbound(441), await central.inbound(443, { nodeId })];
  const expiryTime = central.clock() + 200_000;
  await central.add({ email: 'alice', expiryTime, reset: 30 }, ids);
  node.jumpClock(-3_600_000);
  await pair.useThere('alice', 500);
  while (central.clock() + 5_000 < expiryTime) await pair.tick();
  node.core.move('users', 'alice', 40, 0);
  await node.tick();
  const held = pair.hold('inbounds/list');
  const polled = pair.sync();
  await held.reached;
  await central.tick();
  expect(await central.state('alice')).toMatchObject({ upBytes: 0 });
  held.release();
  await polled;
  await pair.useThere('alice', 7);
  const expiresAtMs = expiryTime + 30 * DAY_MS;
  expect(await central.state('alice')).toMatchObject({ upBytes: 47, expiresAtMs });
  expect(await node.state('alice')).toMatchObject({ upBytes: 7, expiresAtMs });
});

test.each([
  ['renewed here', true, { enable: 1, upBytes: 7 }, 30],
  ['ended here', false, { enable: 0, upBytes: 507 }, 0],
])(
  'a later deadline that was set on the node is no renewal there: the client is %s',
  async (_, isHere, state, days) => {
    const { central, node, nodeId } = pair;
    const ids = [await central.inbound(443, { nodeId }), ...(isHere ? [await central.inbound(441)] : [])];
    const expiryTime = central.clock() + 40_000;
    await central.add({ email: 'alice', expiryTime, reset: 30 }, ids);
    await pair.useThere('alice', 500);
    await central.done(`/nodes/drift/${nodeId}/remoteEdits`, { remoteEdits: 'show' });
    const [there] = await node.read<object[]>('/clients/list');
    await node.done('/clients/update/alice', { ...there, expiryTime: expiryTime + 60 * DAY_MS });
    while (central.clock() < expiryTime + 10_000) await pair.tick();
    await pair.useThere('alice', 7);
    expect(await central.state('alice')).toMatchObject({ ...state, expiresAtMs: expiryTime + days * DAY_MS });
  },
);
