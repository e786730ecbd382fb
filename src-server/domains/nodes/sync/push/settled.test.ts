import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../../../testing/for-each-test.ts';
import { startNodePair } from '../../../../testing/panels/node-pair.ts';

let inboundId: number;
const pair = forEachTest(startNodePair);
beforeEach(async () => {
  inboundId = await pair.central.inbound(443, { nodeId: pair.nodeId });
  await pair.central.add({ email: 'alice' }, [inboundId]);
  // Delivered, reported back, agreed.
  for (let poll = 0; poll < 3; poll += 1) await pair.sync();
  pair.lists.length = 0;
});

test('a list that both sides agree on is not sent again until something changes', async () => {
  await pair.sync();
  await pair.sync();
  expect(pair.lists).toEqual([304, 304]);
  await pair.useThere('alice', 5);
  expect(pair.lists).toEqual([304, 304, 200]);
  expect(await pair.central.state('alice')).toMatchObject({ upBytes: 5 });
  expect(await pair.central.done('/clients/onlines')).toEqual(['alice']);
});

test('a change pending here is delivered together with a whole list', async () => {
  pair.setUp(false);
  await pair.central.done('/clients/update/alice', { email: 'alice', totalGB: 9 });
  await pair.sync();
  pair.setUp(true);
  await pair.sync();
  expect(pair.lists).toEqual([200]);
  expect(await pair.node.state('alice')).toMatchObject({ quotaBytes: 9 });
});

test('what could not be taken over is tried again, and after a minute everything is checked', async () => {
  const { central, node } = pair;
  const own = await node.inbound(444);
  const local = await central.inbound(441);
  await central.add({ email: 'bob', subId: 'ours' }, [local]);
  await node.add({ email: 'bob', subId: 'theirs' }, [own]);
  await pair.sync();
  await pair.sync();
  expect(pair.lists).toEqual([200, 200]);
  await central.done('/clients/del/bob');
  for (let poll = 0; poll < 3; poll += 1) await pair.sync();
  expect(await central.read('/clients/list')).toMatchObject([{ email: 'alice' }, { email: 'bob', subId: 'theirs' }]);
  pair.lists.length = 0;
  await pair.sync();
  expect(pair.lists).toEqual([304]);
  central.jumpClock(60_001);
  await pair.sync();
  expect(pair.lists).toEqual([304, 200]);
});
