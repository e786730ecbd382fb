import { describe, expect, it } from 'vitest';
import type { NodeEvent } from '../../../contract/events.ts';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { startNodePair } from '../../../testing/panels/node-pair.ts';
import type { Node } from '../contract.ts';

const pair = forEachTest(startNodePair);

const transitions = () =>
  pair.central.events.filter((event): event is NodeEvent => event.type === 'nodeDown' || event.type === 'nodeUp');
const online = () => pair.central.done<string[]>('/clients/onlines');

/** A client of the node that is online there. */
async function onlineThere(email: string): Promise<void> {
  const id = await pair.central.inbound(443, { nodeId: pair.nodeId });
  await pair.central.add({ email }, [id]);
  await pair.useThere(email, 1);
  expect(await online()).toEqual([email]);
}

describe('a transition', () => {
  it('is reported once, with the name and the reason, and not for the first probe', async () => {
    expect(transitions()).toEqual([]);
    pair.setUp(false);
    await pair.sync();
    await pair.sync();
    expect(transitions()).toEqual([
      {
        type: 'nodeDown',
        nodeId: pair.nodeId,
        name: 'node',
        latencyMs: 0,
        cpuPct: 0,
        memPct: 0,
        coreState: 'running',
        coreError: '',
        error: expect.stringMatching(/./) as string,
      },
    ]);
    pair.setUp(true);
    await pair.sync();
    expect(transitions().slice(1)).toMatchObject([{ type: 'nodeUp', nodeId: pair.nodeId, error: '' }]);
  });

  it('noticed by a manual probe is reported too, and not again by the next poll', async () => {
    pair.setUp(false);
    await pair.central.done(`/nodes/probe/${pair.nodeId}`);
    await pair.sync();
    expect(transitions().map(({ type }) => type)).toEqual(['nodeDown']);
  });

  it('does not happen on a disabled node, nor on the first probe after it is enabled', async () => {
    await pair.central.done(`/nodes/setEnable/${pair.nodeId}`, { enable: false });
    pair.setUp(false);
    await pair.central.done(`/nodes/probe/${pair.nodeId}`);
    await pair.central.done(`/nodes/setEnable/${pair.nodeId}`, { enable: true });
    await pair.sync();
    expect(transitions()).toEqual([]);
    pair.setUp(true);
    await pair.sync();
    expect(transitions().map(({ type }) => type)).toEqual(['nodeUp']);
  });
});

describe('online clients of a node', () => {
  it('are forgotten when the probe alone finds it offline', async () => {
    await onlineThere('alice');
    pair.setUp(false);
    await pair.central.done(`/nodes/probe/${pair.nodeId}`);
    expect(await online()).toEqual([]);
  });

  it('are forgotten when the node is disabled, even if a response was on its way', async () => {
    await onlineThere('alice');
    const held = pair.hold('clients/onlinesByGuid');
    const poll = pair.sync();
    await held.reached;
    await pair.central.done(`/nodes/setEnable/${pair.nodeId}`, { enable: false });
    held.release();
    await poll;
    expect(await online()).toEqual([]);
    expect(pair.central.nodes.online.byGuid()).toEqual({});
  });

  it('are known while the core here is down', async () => {
    await onlineThere('alice');
    await pair.central.core.stop();
    await pair.tick();
    expect(await online()).toEqual(['alice']);
  });
});

it('the tags here of inbounds with traffic on a node are known as long as the node is reachable', async () => {
  await pair.central.watch();
  const { central, node, nodeId } = pair;
  await central.inbound(443, { nodeId });
  await central.inbound(444, { nodeId });
  await central.nodes.idle();
  await pair.sync();
  node.core.move('inbounds', 'in-443-tcp', 5, 5);
  await pair.tick();
  const active = () => central.done('/clients/activeInbounds');
  expect(await active()).toEqual({ 'guid-of-the-node': [`n${nodeId}-in-443-tcp`], [central.panelGuid]: [] });
  pair.setUp(false);
  await pair.sync();
  expect(await active()).toEqual({ [central.panelGuid]: [] });
});

it('open pages get the state of nodes after every round, without tokens', async () => {
  await pair.central.watch();
  await pair.sync();
  const reported = pair.central.events.filter((event) => event.type === 'live' && event.message === 'nodes');
  expect(reported.at(-1)).toEqual({
    type: 'live',
    message: 'nodes',
    producer: 'nodes',
    data: await pair.central.read<Node[]>('/nodes/list'),
  });
  expect(JSON.stringify(reported)).not.toContain(pair.token);
});

it('figures of a probe are shown at once, and written every half minute or with other changes', async () => {
  const { central } = pair;
  const stored = () => central.store.reader.selectFrom('nodes').selectAll().executeTakeFirstOrThrow();
  await pair.tick();
  const { lastHeartbeatAtMs: writtenAtMs } = await stored();
  await pair.tick();
  expect((await stored()).lastHeartbeatAtMs).toBe(writtenAtMs);
  const shown = async () => (await central.read<Node[]>('/nodes/list'))[0]!.lastHeartbeat * 1_000;
  expect(await shown()).toBe(central.clock());
  central.jumpClock(30_000);
  await pair.tick();
  expect((await stored()).lastHeartbeatAtMs).toBe(central.clock());
  pair.setUp(false);
  await pair.tick();
  expect(await stored()).toMatchObject({ status: 'offline', lastHeartbeatAtMs: central.clock() });
});

it('a slow node misses rounds and delays no other', async () => {
  const second = await pair.another('guid-of-the-second');
  const held = pair.hold('inbounds/list');
  const slow = pair.central.nodes.pollAll();
  await held.reached;
  second.setUp(false);
  // Its own poll of the first round may not have finished yet.
  await expect
    .poll(async () => {
      await pair.central.nodes.pollAll();
      return (await pair.central.read<Node[]>('/nodes/list')).map(({ status }) => status);
    })
    .toEqual(['online', 'offline']);
  held.release();
  await slow;
});

it('a renamed node keeps its series and everything on it; a deleted one loses its series', async () => {
  const { central, nodeId } = pair;
  await pair.tick();
  const before = await central.read<object[]>(`/nodes/history/${nodeId}/cpu/2`);
  expect(before).not.toEqual([]);
  await pair.select([]);
  const details = { scheme: 'http', address: '127.0.0.1', port: pair.port, allowPrivateAddress: true };
  await central.done(`/nodes/update/${nodeId}`, { name: 'renamed', ...details });
  expect(await central.read(`/nodes/history/${nodeId}/cpu/2`)).toEqual(before);
  await central.done(`/nodes/del/${nodeId}`);
  await pair.sync();
  await expect(central.read(`/nodes/history/${nodeId}/cpu/2`)).rejects.toThrow('record not found');
  expect(central.nodes.online.byGuid()).toEqual({});
});
