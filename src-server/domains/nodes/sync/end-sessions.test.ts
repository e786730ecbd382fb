import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { startNodePair } from '../../../testing/panels/node-pair.ts';

/* How far open sessions on a node are ended is said here; the node takes the step. */

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

test('a client that is switched off is cut there, and nothing further happens unless it is asked for', async () => {
  await pair.central.done('/clients/bulkDisable', { emails: ['alice'] });
  await pair.sync();
  expect(await pair.node.state('alice')).toMatchObject({ enable: 0 });
  expect(pair.node.core.restarts).toEqual([]);
  expect(ends()).toEqual([]);
});

test.each(['/clients/bulkDisable?sessions=restart', '/clients/bulkDel?sessions=restart'])(
  'the restart that is chosen with %s happens there once, and here not for it',
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

test('sessions that are left as asked are not cut there either', async () => {
  await pair.central.done('/clients/update/alice?sessions=leave', { email: 'alice', enable: false });
  await pair.sync();
  expect(pair.calls).toContain('POST clients/update/alice?inboundIds=1&sessions=leave');
  expect(await pair.node.state('alice')).toMatchObject({ enable: 0 });
  expect(ends()).toEqual(['POST clients/update/alice?inboundIds=1&sessions=leave']);
});

test('a step that is asked for afterwards is taken there too, for those who are off', async () => {
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
  'a quota that is used up takes the further steps there as the setting here says (%s), when somebody is left',
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
