import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { startNodePair } from '../../../testing/panels/node-pair.ts';

/* This panel decides how far open sessions on a node are ended; the node carries it out. */

let inboundId: number;
const pair = forEachTest(startNodePair);
beforeEach(async () => {
  const { central, node, nodeId } = pair;
  inboundId = await central.inbound(443, { nodeId });
  for (const email of ['alice', 'bob']) await central.add({ email, totalGB: 100 }, [inboundId]);
  await pair.useThere('alice', 1);
  node.core.online = [{ email: 'alice', ips: [{ ip: '192.0.2.1', lastSeenMs: node.clock() }] }];
});

const ends = () => pair.calls.filter((call) => call.includes('sessions'));

test('a disabled client is cut there, and no further step is taken unless requested', async () => {
  await pair.central.done('/clients/bulkDisable', { emails: ['alice'] });
  await pair.sync();
  expect(await pair.node.state('alice')).toMatchObject({ enable: 0 });
  expect(pair.node.core.restarts).toEqual([]);
  expect(ends()).toEqual([]);
});

test.each(['/clients/bulkDisable?sessions=restart', '/clients/bulkDel?sessions=restart'])(
  'the restart chosen with %s happens there once, and is not triggered here',
  async (path) => {
    pair.setUp(false);
    await pair.central.done(path, { emails: ['alice', 'bob'] });
    await pair.sync();
    expect(pair.node.core.restarts).toEqual([]);
    pair.setUp(true);
    await pair.sync();
    await pair.sync();
    expect(pair.node.core.restarts).toHaveLength(1);
    expect(ends()).toEqual(['POST clients/sessions/end']);
  },
);

test('sessions left open on request are not cut there either', async () => {
  await pair.central.done('/clients/update/alice?sessions=leave', { email: 'alice', enable: false });
  await pair.sync();
  expect(pair.calls).toContain('POST clients/update/alice?inboundIds=1&sessions=leave');
  expect(await pair.node.state('alice')).toMatchObject({ enable: 0 });
  expect(ends()).toEqual(['POST clients/update/alice?inboundIds=1&sessions=leave']);
});

test('a step requested afterwards is taken there too, for disabled clients', async () => {
  await pair.central.done('/clients/sessions/end', { emails: ['bob'], how: 'restart' });
  await pair.central.nodes.idle();
  expect(ends()).toEqual([]);
  await pair.central.done('/clients/bulkDisable', { emails: ['alice'] });
  await pair.sync();
  await pair.central.done('/clients/sessions/end', { emails: ['alice'], how: 'restart' });
  await pair.central.nodes.idle();
  expect(pair.node.core.restarts).toHaveLength(1);
  await pair.sync();
  expect(pair.node.core.restarts).toHaveLength(1);
});

test.each([true, false])(
  'a quota used up takes further steps there if the setting here says so (%s) and sessions are left',
  async (restartCoreOnClientDisable) => {
    await pair.central.set({ restartCoreOnClientDisable });
    await pair.node.set({ restartCoreOnClientDisable: false });
    const here = await pair.central.inbound(441);
    await pair.central.done('/clients/alice/attach', { inboundIds: [here] });
    await pair.sync();
    pair.central.core.move('users', 'alice', 100, 0);
    await pair.tick();
    await pair.sync();
    expect(await pair.central.state('alice')).toMatchObject({ enable: 0 });
    expect(await pair.node.state('alice')).toMatchObject({ enable: 0 });
    expect(pair.node.core.restarts).toHaveLength(restartCoreOnClientDisable ? 1 : 0);
  },
);
