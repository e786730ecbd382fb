import { expect, test } from 'vitest';
import type { JsonObject } from '../../contract/json.ts';
import { forEachTest } from '../../testing/for-each-test.ts';
import { REALITY_STREAM, vlessBody } from '../../testing/panels/inbound-panel.ts';
import { startNodePair } from '../../testing/panels/node-pair.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';
import type { Inbound } from './contract.ts';

const VISION = 'xtls-rprx-vision';
const WEBSOCKET = { network: 'ws', security: 'none' };
const panel = forEachTest(openPanel);

const flowsIn = async (id: number) => (await panel.core.entries(id)).map(({ entry }) => entry['flow']);
const shownFlow = async (id: number): Promise<unknown> => {
  const { settings } = await panel.read<{ settings: { clients: JsonObject[] } }>(`/inbounds/get/${id}`);
  return settings.clients[0]?.['flow'];
};

test('17.11 vision is empty on ws and kept on reality, even if ws is edited; udp443 never reaches the core', async () => {
  const reality = await panel.inbound(443, { streamSettings: REALITY_STREAM });
  const ws = await panel.inbound(444, { streamSettings: WEBSOCKET });
  await panel.add({ email: 'alice', flow: VISION }, [reality, ws]);
  expect([await shownFlow(reality), await shownFlow(ws)]).toEqual([VISION, '']);
  await panel.done(`/inbounds/update/${ws}`, vlessBody(444, { streamSettings: WEBSOCKET, remark: 'edited' }));
  expect([await shownFlow(reality), await shownFlow(ws)]).toEqual([VISION, '']);
  await panel.done('/clients/update/alice', { email: 'alice', flow: `${VISION}-udp443` });
  expect(await shownFlow(reality)).toBe(`${VISION}-udp443`);
  expect(await flowsIn(reality)).toEqual([VISION]);
  expect(JSON.stringify(await panel.core.entries(ws))).not.toContain('vision');
});

test("17.14 disabling a node's inbound keeps its row and clients here and there, even if the node learns it late", async () => {
  const pair = await startNodePair();
  try {
    const { central, node, nodeId } = pair;
    const id = await central.inbound(443, { nodeId });
    await central.add({ email: 'alice' }, [id]);
    await pair.useThere('alice', 10);
    const [there] = await node.read<Inbound[]>('/inbounds/list');
    expect(node.core.users(there!.id)).toEqual(['alice']);
    pair.setUp(false);
    await pair.sync();
    expect(await central.post('/clients/update/alice', { email: 'alice', comment: 'later' })).toMatchObject({
      success: true,
      obj: { nodePending: true },
    });
    await central.done(`/inbounds/setEnable/${id}`, { enable: false });
    await pair.sync();
    expect(node.core.users(there!.id)).toEqual(['alice']);
    pair.setUp(true);
    pair.calls.length = 0;
    await pair.sync();
    expect(node.core.users(there!.id)).toBeNull();
    expect(pair.calls.filter((call) => call.includes('del'))).toEqual([]);
    const kept = { enable: false, settings: { clients: [{ email: 'alice', enable: true, comment: 'later' }] } };
    expect(await node.read<Inbound[]>('/inbounds/list')).toMatchObject([{ id: there!.id, ...kept }]);
    await pair.sync();
    expect(await central.read<Inbound[]>('/inbounds/list')).toMatchObject([{ id, nodeId, ...kept }]);
    await central.done(`/inbounds/setEnable/${id}`, { enable: true });
    await pair.useThere('alice', 5);
    expect(node.core.users(there!.id)).toEqual(['alice']);
    expect(await central.state('alice')).toMatchObject({ upBytes: 15 });
  } finally {
    await pair.close();
  }
});

test('17.18 an empty list from a node, or one that omits an inbound, deletes nothing, here or there', async () => {
  const pair = await startNodePair();
  try {
    const { central, node, nodeId } = pair;
    const ids = [await central.inbound(443, { nodeId }), await central.inbound(444, { nodeId })];
    await central.add({ email: 'alice' }, ids);
    await pair.useThere('alice', 7);
    const rows = await node.store.reader.selectFrom('inbounds').select(['id', 'tag']).orderBy('id').execute();
    // Response of a starting node: success, and an empty list.
    const empty = pair.respondOnce('inbounds/list', []);
    pair.calls.length = 0;
    await pair.sync();
    expect(empty.isUsed()).toBe(true);
    expect(pair.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
    expect(await central.read<Inbound[]>('/inbounds/list')).toMatchObject(
      ids.map((id) => ({ id, settings: { clients: [{ email: 'alice' }] } })),
    );
    expect(await central.state('alice')).toMatchObject({ upBytes: 7, enable: 1 });
    await pair.useThere('alice', 3);
    expect(await central.state('alice')).toMatchObject({ upBytes: 10 });

    // An inbound lost by the node is sent again instead of being deleted here, once a second response confirms it.
    await node.done(`/inbounds/del/${rows[0]!.id}`);
    await pair.tick();
    await pair.tick();
    expect((await central.read<Inbound[]>('/inbounds/list')).map(({ id }) => id)).toEqual(ids);
    expect(await node.read<Inbound[]>('/inbounds/list')).toMatchObject([
      { tag: 'in-444-tcp' },
      { tag: 'in-443-tcp', settings: { clients: [{ email: 'alice' }] } },
    ]);
  } finally {
    await pair.close();
  }
});

test('17.20 disabled clients never appear in an inbound that goes live', async () => {
  const id = await panel.inbound(443, { enable: false });
  await panel.add({ email: 'off', enable: false }, [id]);
  await panel.add({ email: 'on' }, [id]);
  await panel.done(`/inbounds/setEnable/${id}`, { enable: true });
  expect(panel.core.users(id)).toEqual(['on']);
  expect(await panel.core.entries(id)).toHaveLength(1);
});
