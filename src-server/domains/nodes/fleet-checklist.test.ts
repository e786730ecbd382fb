import { createHash, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { makeSelfSigned } from '../../testing/peers/self-signed.ts';
import { startNodePair, type NodePair } from '../../testing/panels/node-pair.ts';
import type { ClientRow } from '../clients/contract.ts';
import type { Inbound, SavedInbound } from '../inbounds/contract.ts';
import type { Node } from './contract.ts';

/*
 * What can go wrong where one panel manages others, tested against a complete second panel. Numbers follow the list in
 * docs/nodes.md, which names the test for each item.
 */

const pair = forEachTest(startNodePair);

const there = () => pair.node.read<Inbound[]>('/inbounds/list');
const here = () => pair.central.read<Inbound[]>('/inbounds/list');
const namesOn = async (panel: NodePair['node']) =>
  (await panel.read<ClientRow[]>('/clients/list')).map(({ email }) => email).sort();
const nodeRow = async () => (await pair.central.read<Node[]>('/nodes/list'))[0]!;

test('13.2 a client of two nodes has the sum of both, from the first byte', async () => {
  const { central, nodeId } = pair;
  const second = await pair.another('guid-of-the-second');
  const ids = [await central.inbound(443, { nodeId }), await central.inbound(443, { nodeId: second.nodeId })];
  await central.add({ email: 'alice' }, ids);
  await pair.tick();
  for (const [up, down] of [
    [100, 10],
    [200, 20],
  ] as const) {
    pair.node.core.move('users', 'alice', up, down);
    second.node.core.move('users', 'alice', up, down);
    await second.node.tick();
    await pair.tick();
  }
  expect(await central.state('alice')).toMatchObject({ upBytes: 600, downBytes: 60 });
});

test('13.3 copies of one counter under two inbounds count once, the larger one; the smaller adds nothing later', async () => {
  const { central, nodeId } = pair;
  const ids = [await central.inbound(443, { nodeId }), await central.inbound(444, { nodeId })];
  await central.add({ email: 'alice' }, ids);
  await pair.useThere('alice', 500);
  expect(await central.state('alice')).toMatchObject({ upBytes: 500 });
  const lists = (await there()).map((inbound, at) => {
    const up = at === 0 ? 550 : 300;
    return { ...inbound, clientStats: inbound.clientStats.map((each) => ({ ...each, up, lifetimeUp: up })) };
  });
  for (const list of [lists, lists.toReversed()]) {
    pair.respondOnce('inbounds/list', list);
    await pair.tick();
    expect(await central.state('alice')).toMatchObject({ upBytes: 550 });
  }
});

test('13.6 a client moved from one inbound of a node to another keeps its baseline and keeps counting', async () => {
  const { central, nodeId } = pair;
  const ids = [await central.inbound(443, { nodeId }), await central.inbound(444, { nodeId })];
  await central.add({ email: 'alice' }, [ids[0]!]);
  await pair.useThere('alice', 500);
  await central.done('/clients/alice/attach', { inboundIds: [ids[1]!] });
  await central.done('/clients/alice/detach', { inboundIds: [ids[0]!] });
  await pair.tick();
  await pair.useThere('alice', 70);
  expect(await central.state('alice')).toMatchObject({ upBytes: 570 });
  expect((await there()).map(({ clientStats }) => clientStats.map(({ up }) => up))).toEqual([[], [570]]);
});

test('13.7 totals sent to a node do not appear in what it reports', async () => {
  const { central, nodeId } = pair;
  const ids = [await central.inbound(441), await central.inbound(443, { nodeId })];
  await central.add({ email: 'alice' }, ids);
  await pair.useThere('alice', 5);
  central.core.move('users', 'alice', 1_000, 0);
  for (let at = 0; at < 8; at += 1) await pair.tick();
  expect(await pair.node.state('alice')).toMatchObject({ upBytes: 5, peerUpBytes: 1_005 });
  expect((await there())[0]!.clientStats).toMatchObject([{ up: 5 }]);
  expect(await central.state('alice')).toMatchObject({ upBytes: 1_005 });
});

test('a node gets the totals of clients that used more than it counts, and once more when that ends', async () => {
  const { central, node, nodeId } = pair;
  const ids = [await central.inbound(441), await central.inbound(443, { nodeId })];
  await central.add({ email: 'alice' }, ids);
  await pair.useThere('alice', 5);
  central.core.move('users', 'alice', 1_000, 0);
  const totalsSent = async (): Promise<void> => {
    for (let at = 0; at < 8; at += 1) await pair.tick();
  };
  await totalsSent();
  await central.add({ email: 'bob' }, [ids[1]!]);
  await pair.useThere('bob', 70);
  await totalsSent();
  expect(await node.state('alice')).toMatchObject({ peerUpBytes: 1_005 });
  expect(await node.state('bob')).toMatchObject({ upBytes: 70, peerUpBytes: 0 });
  await central.done('/clients/updateTraffic/alice', { upload: 5, download: 0 });
  await totalsSent();
  expect(await node.state('alice')).toMatchObject({ upBytes: 5, peerUpBytes: 5 });
});

test('13.8 a client depleted here stays disabled, even while the node still reports it as enabled', async () => {
  const { central, nodeId } = pair;
  const ids = [await central.inbound(441), await central.inbound(443, { nodeId })];
  await central.add({ email: 'alice', totalGB: 100 }, ids);
  await pair.tick();
  const old = pair.keepResponse();
  await pair.tick();
  await pair.useThere('alice', 1);
  central.core.move('users', 'alice', 100, 0);
  await central.tick();
  expect(await central.state('alice')).toMatchObject({ enable: 0 });
  old.giveAgain(false);
  for (let at = 0; at < 3; at += 1) {
    await pair.tick();
    expect(await central.state('alice')).toMatchObject({ enable: 0, disabledBy: 'loop' });
  }
  expect(await pair.node.state('alice')).toMatchObject({ enable: 0 });
});

test.each(['all', 'selected'] as const)(
  '13.10 nothing is deleted on a node that is edited before it was ever read (%s)',
  async (inboundSyncMode) => {
    const more = await pair.another('guid-of-the-second');
    more.setUp(false);
    await pair.central.done(`/nodes/setEnable/${more.nodeId}`, { enable: false });
    const id = await more.node.inbound(443);
    await more.node.add({ email: 'theirs' }, [id]);
    const before = await more.node.read('/inbounds/list');
    if (inboundSyncMode === 'selected') await more.select([]);
    await pair.central.done(`/nodes/setEnable/${more.nodeId}`, { enable: true });
    more.setUp(true);
    for (let at = 0; at < 3; at += 1) await pair.sync();
    if (inboundSyncMode === 'selected') await more.select(['in-443-tcp']);
    for (let at = 0; at < 3; at += 1) await pair.sync();
    expect(await more.node.read('/inbounds/list')).toEqual(before);
    expect(more.calls.filter((call) => /del|detach/i.test(call))).toEqual([]);
    expect(await namesOn(pair.central)).toEqual(['theirs']);
  },
);

test('13.14 a client added while a response is on its way survives it', async () => {
  const { central, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  await central.add({ email: 'alice' }, [id]);
  await pair.tick();
  const held = pair.hold('inbounds/list');
  const reading = pair.sync();
  await held.reached;
  await central.add({ email: 'bob' }, [id]);
  held.release();
  await reading;
  await pair.tick();
  expect(await namesOn(central)).toEqual(['alice', 'bob']);
  expect(await namesOn(pair.node)).toEqual(['alice', 'bob']);
});

test('13.15 a client deleted while a response is on its way is not restored by it', async () => {
  const { central, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  for (const email of ['alice', 'bob']) await central.add({ email }, [id]);
  await pair.useThere('bob', 10);
  // A list with a change, so that it is read in full.
  pair.node.core.move('users', 'bob', 5, 0);
  await pair.node.tick();
  const held = pair.hold('inbounds/list');
  const reading = pair.sync();
  await held.reached;
  await central.done('/clients/del/bob');
  held.release();
  await reading;
  for (let at = 0; at < 3; at += 1) await pair.tick();
  expect(await namesOn(central)).toEqual(['alice']);
  expect(await namesOn(pair.node)).toEqual(['alice']);
});

test('13.16 one refused inbound blocks no other and no counter, and stays pending', async () => {
  const { central, node, nodeId } = pair;
  await pair.select([]);
  await node.inbound(444, { remark: 'theirs' });
  const refused = await central.inbound(444, { nodeId });
  const taken = await central.inbound(443, { nodeId });
  await central.add({ email: 'alice' }, [taken]);
  await pair.useThere('alice', 30);
  expect(await central.state('alice')).toMatchObject({ upBytes: 30 });
  expect((await there()).map(({ port, remark }) => [port, remark])).toEqual([
    [444, 'theirs'],
    [443, ''],
  ]);
  expect(await nodeRow()).toMatchObject({ configDirty: true });
  expect((await nodeRow()).syncRefusals).not.toEqual([]);
  await central.done(`/inbounds/update/${refused}`, {
    ...(await central.read<Inbound>(`/inbounds/get/${refused}`)),
    port: 445,
  });
  await pair.tick();
  expect((await there()).map(({ port }) => port)).toEqual([444, 443, 445]);
  expect(await nodeRow()).toMatchObject({ configDirty: false, syncError: '' });
});

test('13.17 an edit while the node is unreachable is reported as pending, and delivered before its state is trusted', async () => {
  const { central, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  await central.add({ email: 'alice', totalGB: 10 }, [id]);
  await pair.tick();
  pair.setUp(false);
  await pair.sync();
  const result = await central.done<{ nodePending?: boolean }>('/clients/update/alice', {
    email: 'alice',
    totalGB: 99,
  });
  expect(result).toMatchObject({ nodePending: true });
  const [inbound] = await central.read<Inbound[]>('/inbounds/list');
  const pending = { nodePending: true };
  expect(await central.done(`/inbounds/update/${id}`, { ...inbound, remark: 'later' })).toMatchObject(pending);
  expect(await central.done(`/inbounds/${id}/fallbacks`, { fallbacks: [] })).toEqual(pending);
  expect(await central.done(`/inbounds/setEnable/${id}`, { enable: false })).toEqual(pending);
  expect(await central.done(`/inbounds/setEnable/${id}`, { enable: false })).toBeNull();
  const second = await central.done<SavedInbound>('/inbounds/add', { ...inbound, port: 450, tag: '', settings: {} });
  expect(second).toMatchObject(pending);
  expect(await central.done('/inbounds/bulkDel', { ids: [second.id] })).toMatchObject(pending);
  pair.setUp(true);
  await pair.sync();
  expect(await pair.node.state('alice')).toMatchObject({ quotaBytes: 99 });
  expect(await central.state('alice')).toMatchObject({ quotaBytes: 99 });
  expect(await nodeRow()).toMatchObject({ configDirty: false });
  expect(await central.done(`/inbounds/setEnable/${id}`, { enable: true })).toBeNull();
  const [again] = await central.read<Inbound[]>('/inbounds/list');
  expect(await central.done(`/inbounds/update/${id}`, { ...again })).not.toHaveProperty('nodePending');
});

test('13.18 a change made while another is being delivered is delivered afterwards', async () => {
  const { central, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  await central.add({ email: 'alice' }, [id]);
  await pair.tick();
  const held = pair.hold('clients/update/alice?inboundIds=1');
  await central.done('/clients/update/alice', { email: 'alice', totalGB: 1 });
  await held.reached;
  await central.done('/clients/update/alice', { email: 'alice', totalGB: 2 });
  held.release();
  await central.nodes.idle();
  expect(await pair.node.state('alice')).toMatchObject({ quotaBytes: 2 });
  expect(await nodeRow()).toMatchObject({ configDirty: false });
});

test('13.21 disabled clients are sent along with a whole inbound, and stay disabled there', async () => {
  const { central, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  const emails = Array.from({ length: 40 }, (_, at) => `client-${String(at).padStart(2, '0')}`);
  await central.done(
    '/clients/bulkCreate',
    emails.map((email, at) => ({ client: { email, enable: at % 2 === 0 }, inboundIds: [id] })),
  );
  await pair.tick();
  expect(pair.calls.filter((call) => call.startsWith('POST clients/'))).toEqual([]);
  const entries = (await there())[0]!.settings as { clients: { email: string; enable: boolean }[] };
  expect(entries.clients.map(({ email, enable }) => [email, enable])).toEqual(
    emails.map((email, at) => [email, at % 2 === 0]),
  );
});

test('13.32 certificate checks are the same for probes, readings and deliveries', async () => {
  const certificate = makeSelfSigned();
  const { central } = pair;
  const more = await pair.another('guid-of-the-second', { certificate });
  const id = await central.inbound(443, { nodeId: more.nodeId });
  await central.add({ email: 'alice' }, [id]);
  await pair.tick();
  expect(await namesOn(more.node)).toEqual(['alice']);
  const shownBy = (pem: string) => createHash('sha256').update(new X509Certificate(pem).raw).digest('hex');
  const use = async (bytes: number) => {
    more.node.core.move('users', 'alice', bytes, 0);
    await more.node.tick();
    await pair.tick();
    return (await central.state('alice'))!.upBytes;
  };
  await more.trust({ tlsVerifyMode: 'pin', pinnedCertSha256: shownBy(certificate.certPem) });
  expect(await use(10)).toBe(10);
  for (const details of [
    { tlsVerifyMode: 'pin', pinnedCertSha256: shownBy(makeSelfSigned().certPem) },
    { tlsVerifyMode: 'verify' },
  ]) {
    await more.trust(details);
    more.calls.length = 0;
    more.lists.length = 0;
    await central.done('/clients/update/alice', { email: 'alice', totalGB: 50_000 });
    expect(await use(1)).toBe(10);
    expect([more.calls, more.lists]).toEqual([[], []]);
    expect((await central.read<Node[]>('/nodes/list'))[1]).toMatchObject({ status: 'offline', configDirty: true });
  }
  await more.trust({ tlsVerifyMode: 'skip' });
  expect(await use(1)).toBe(13);
  expect(await more.node.state('alice')).toMatchObject({ quotaBytes: 50_000 });
});

test('13.36 the token of a node is in no response, log line or message', async () => {
  const { central, nodeId } = pair;
  await central.watch();
  pair.setUp(false);
  await pair.tick();
  pair.setUp(true);
  await pair.tick();
  const said = JSON.stringify([
    await central.read('/nodes/list'),
    await central.read(`/nodes/get/${nodeId}`),
    await central.done('/setting/all'),
    central.events,
    central.log.lines,
  ]);
  expect(said).toContain('guid-of-the-node');
  expect(said).not.toContain(pair.token);
});

test('13.40 the hosts of an inbound are deleted with it, on a node as here', async () => {
  const { central, nodeId } = pair;
  const ids = [await central.inbound(443, { nodeId }), await central.inbound(444, { nodeId })];
  await central.done('/hosts/bulk/add', { inboundIds: ids, hosts: ['a.example'], remark: 'a' });
  await central.done(`/inbounds/del/${ids[0]}`);
  await central.done('/inbounds/bulkDel', { ids: [ids[1]] });
  await pair.sync();
  expect([await central.read('/hosts/list'), await here(), await there()]).toEqual([[], [], []]);
});
