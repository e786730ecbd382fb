import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startNodePair, type NodePair } from '../../testing/node-pair.ts';
import type { ClientRecord, ClientRow } from '../clients/contract.ts';
import type { Inbound } from '../inbounds/contract.ts';

let pair: NodePair;
beforeEach(async () => {
  pair = await startNodePair();
});
afterEach(() => pair.close());

const here = () => pair.central.read<Inbound[]>('/inbounds/list');
const there = () => pair.node.read<Inbound[]>('/inbounds/list');
const clientsHere = () => pair.central.read<ClientRow[]>('/clients/list');
const clientsThere = () => pair.node.read<ClientRow[]>('/clients/list');
const nodeRow = () => pair.central.store.reader.selectFrom('nodes').selectAll().executeTakeFirstOrThrow();
const entries = ({ settings }: Inbound) => (settings as { clients: Record<string, unknown>[] }).clients;
const found = async (panel: NodePair['node'], email: string) =>
  (await panel.read<{ client: ClientRecord }>(`/clients/get/${email}`)).client;

/** An inbound of the node's own, with a client that has used it. */
async function ownInbound(port: number, email: string, used = 0): Promise<number> {
  const id = await pair.node.inbound(port, { remark: 'theirs' });
  await pair.node.add({ email, totalGB: 5_000, expiryTime: pair.node.clock() + 1e9 }, [id]);
  pair.node.core.move('users', email, used, 0);
  await pair.node.tick();
  return id;
}

describe('what a node has of its own', () => {
  it('is taken over as it is, its counters as an opening balance, and nothing is written there', async () => {
    await ownInbound(443, 'alice', 300);
    const before = [await there(), await clientsThere()];
    await pair.sync();
    await pair.sync();
    expect(pair.calls).toEqual([]);
    expect([await there(), await clientsThere()]).toEqual(before);
    const [inbound] = await here();
    const [told] = await there();
    expect(inbound).toMatchObject({
      nodeId: pair.nodeId,
      originNodeGuid: 'guid-of-the-node',
      tag: 'in-443-tcp',
      remark: 'theirs',
      port: 443,
    });
    expect(entries(inbound!)).toEqual(
      entries(told!).map((entry) => ({ ...entry, updated_at: expect.anything() as number })),
    );
    expect(await pair.central.state('alice')).toMatchObject({ upBytes: 300, quotaBytes: 5_000 });
    const ledger = await pair.central.store.reader
      .selectFrom('trafficLedger as entry')
      .innerJoin('trafficSources as source', 'source.id', 'entry.sourceId')
      .select(['source.kind', 'entry.upBytes'])
      .execute();
    expect(ledger).toEqual([{ kind: 'opening', upBytes: 300 }]);
    await pair.useThere('alice', 40);
    expect(await pair.central.state('alice')).toMatchObject({ upBytes: 340 });
    expect(await nodeRow()).toMatchObject({ configDirty: 0, syncError: '' });
  });

  it('is managed from here afterwards, and deleted there when it is deleted here', async () => {
    await ownInbound(443, 'alice');
    await pair.sync();
    await pair.central.done('/clients/update/alice', { email: 'alice', totalGB: 77 });
    const [inbound] = await here();
    await pair.central.done(`/inbounds/update/${inbound!.id}`, { ...inbound, remark: 'ours now' });
    await pair.sync();
    expect(await there()).toMatchObject([{ tag: 'in-443-tcp', remark: 'ours now' }]);
    expect(await clientsThere()).toMatchObject([{ email: 'alice', totalGB: 77 }]);
    await pair.central.done(`/inbounds/del/${inbound!.id}`);
    await pair.sync();
    await pair.sync();
    expect([await here(), await there()]).toEqual([[], []]);
  });

  it('is taken over from several panels under one tag, once each', async () => {
    const second = await pair.another('guid-of-the-second');
    await pair.central.inbound(443);
    await pair.node.inbound(443);
    await second.node.inbound(443);
    for (let visit = 0; visit < 3; visit += 1) await pair.sync();
    const places = (await here()).map(({ tag, nodeId }) => [tag, nodeId]);
    expect(places.sort((a, b) => Number(a[1]) - Number(b[1]))).toEqual([
      ['in-443-tcp', null],
      [`n${pair.nodeId}-in-443-tcp`, pair.nodeId],
      [`n${second.nodeId}-in-443-tcp`, second.nodeId],
    ]);
    expect([...pair.calls, ...second.calls]).toEqual([]);
    expect([await there(), await second.node.read('/inbounds/list')]).toMatchObject([[{ port: 443 }], [{ port: 443 }]]);
  });

  it('keeps a client that is known here by the same subscription, which counts from then on', async () => {
    const local = await pair.central.inbound(441);
    await pair.central.add({ email: 'alice', subId: 'same', totalGB: 9 }, [local]);
    const own = await pair.node.inbound(443);
    await pair.node.add({ email: 'alice', subId: 'same', totalGB: 1 }, [own]);
    pair.node.core.move('users', 'alice', 500, 0);
    await pair.node.tick();
    await pair.sync();
    await pair.sync();
    expect(await clientsHere()).toMatchObject([{ email: 'alice', totalGB: 9, inboundIds: [local, expect.anything()] }]);
    expect(await pair.central.state('alice')).toMatchObject({ upBytes: 0 });
    expect((await found(pair.node, 'alice')).id).toBe((await found(pair.central, 'alice')).id);
    await pair.useThere('alice', 7);
    expect(await pair.central.state('alice')).toMatchObject({ upBytes: 7 });
  });

  it('stays there whole when a client of it is somebody else here, and says so', async () => {
    const local = await pair.central.inbound(441);
    await pair.central.add({ email: 'alice', subId: 'ours' }, [local]);
    await ownInbound(443, 'alice');
    await pair.node.inbound(444);
    await pair.sync();
    expect((await here()).map(({ tag }) => tag)).toEqual(['in-441-tcp', 'in-444-tcp']);
    expect(await nodeRow()).toMatchObject({
      configDirty: 0,
      syncError: 'inbound in-443-tcp of the node is not taken over: Duplicate email: alice',
    });
    await pair.central.done('/clients/update/alice', { email: 'alice-of-ours' });
    await pair.sync();
    expect((await here()).map(({ tag }) => tag)).toEqual(['in-441-tcp', 'in-444-tcp', 'in-443-tcp']);
    expect((await nodeRow()).syncError).toBe('');
  });

  it('is left alone but for what is selected, also when the selection begins empty and is filled later', async () => {
    await pair.select([]);
    await ownInbound(443, 'alice');
    await ownInbound(444, 'bob');
    const before = await there();
    await pair.sync();
    await pair.sync();
    expect(await here()).toEqual([]);
    await pair.select(['in-444-tcp']);
    await pair.sync();
    expect((await here()).map(({ tag }) => tag)).toEqual(['in-444-tcp']);
    // Deselected again: what is here stays, and nothing is deleted anywhere.
    await pair.select([]);
    await pair.sync();
    expect((await here()).map(({ tag }) => tag)).toEqual(['in-444-tcp']);
    expect(await there()).toEqual(before);
    expect(pair.calls.filter((call) => /del|Del/.test(call))).toEqual([]);
  });

  it('is not taken back by the panel that it came from', async () => {
    const own = await pair.node.inbound(443);
    await pair.sync();
    const told = (await there())[0]!;
    pair.answerOnce('inbounds/list', [
      { ...told, id: own },
      { ...told, id: 99, tag: 'ours', port: 9_443, originNodeGuid: pair.central.panelGuid },
    ]);
    await pair.sync();
    expect((await here()).map(({ tag }) => tag)).toEqual(['in-443-tcp']);
  });
});

describe('what is changed on a node', () => {
  it('is taken over: the inbound, its clients and who was added', async () => {
    const { central, node, nodeId } = pair;
    const local = await central.inbound(441);
    const id = await central.inbound(443, { nodeId, remark: 'before' });
    await central.add({ email: 'alice', comment: 'a regular' }, [id, local]);
    await pair.useThere('alice', 10);
    await pair.sync();
    const [told] = await there();
    await node.done(`/inbounds/update/${told!.id}`, { ...told, remark: 'after', total: 1_000_000 });
    await node.done('/clients/update/alice', { email: 'alice', totalGB: 4_000, comment: 'over there' });
    await node.add({ email: 'bob' }, [told!.id]);
    node.core.move('users', 'bob', 33, 0);
    await node.tick();
    pair.calls.length = 0;
    await pair.sync();
    await pair.sync();
    expect(pair.calls).toEqual([]);
    expect((await here()).find((each) => each.id === id)).toMatchObject({ remark: 'after', total: 1_000_000 });
    expect(await clientsHere()).toMatchObject([
      { email: 'alice', totalGB: 4_000, comment: 'a regular', traffic: { up: 10 } },
      { email: 'bob', inboundIds: [id], traffic: { up: 33 } },
    ]);
    await pair.useThere('bob', 7);
    expect(await central.state('bob')).toMatchObject({ upBytes: 40 });
  });

  it('gives way to what was changed here meanwhile', async () => {
    const { central, node, nodeId } = pair;
    const id = await central.inbound(443, { nodeId, remark: 'before' });
    await central.add({ email: 'alice' }, [id]);
    await pair.sync();
    await pair.sync();
    pair.setUp(false);
    await pair.sync();
    const [told] = await there();
    await node.done(`/inbounds/update/${told!.id}`, { ...told, remark: 'theirs' });
    await node.done('/clients/update/alice', { email: 'alice', totalGB: 4_000 });
    const [ours] = await here();
    await central.done(`/inbounds/update/${id}`, { ...ours, remark: 'ours' });
    await central.done('/clients/update/alice', { email: 'alice', totalGB: 7 });
    pair.setUp(true);
    await pair.sync();
    await pair.sync();
    expect([(await here())[0]!.remark, (await there())[0]!.remark]).toEqual(['ours', 'ours']);
    expect([(await clientsHere())[0]!.totalGB, (await clientsThere())[0]!.totalGB]).toEqual([7, 7]);
  });

  it('is not written over by an answer that was made before a change here', async () => {
    const { central, nodeId } = pair;
    const id = await central.inbound(443, { nodeId });
    await central.add({ email: 'alice', totalGB: 5 }, [id]);
    await pair.sync();
    await pair.node.done('/clients/update/alice', { email: 'alice', totalGB: 6 });
    const held = pair.hold('inbounds/list');
    const visit = pair.sync();
    await held.reached;
    await central.done('/clients/update/alice', { email: 'alice', totalGB: 7 });
    await central.add({ email: 'bob' }, [id]);
    held.release();
    await visit;
    await pair.sync();
    expect((await clientsHere()).map(({ email, totalGB }) => [email, totalGB])).toEqual([
      ['alice', 7],
      ['bob', 0],
    ]);
    expect((await clientsThere()).map(({ email, totalGB }) => [email, totalGB])).toEqual([
      ['alice', 7],
      ['bob', 0],
    ]);
  });

  it('follows a port, and the tag that comes with it', async () => {
    const { central, node, nodeId } = pair;
    const id = await central.inbound(443, { nodeId });
    await central.add({ email: 'alice' }, [id]);
    await pair.useThere('alice', 10);
    await pair.sync();
    const [told] = await there();
    await node.done(`/inbounds/update/${told!.id}`, { ...told, port: 8_443 });
    await pair.sync();
    await pair.sync();
    expect(await there()).toMatchObject([{ id: told!.id, tag: 'in-8443-tcp' }]);
    expect(await here()).toMatchObject([{ id, port: 8_443 }]);
    await pair.useThere('alice', 5);
    expect(await central.state('alice')).toMatchObject({ upBytes: 15 });
    expect(await nodeRow()).toMatchObject({ configDirty: 0, syncError: '' });
  });

  it('is mended where it took a client away: an absence is no order', async () => {
    const { central, node, nodeId } = pair;
    const id = await central.inbound(443, { nodeId });
    await central.add({ email: 'alice' }, [id]);
    await central.add({ email: 'bob' }, [id]);
    await pair.useThere('alice', 10);
    await pair.sync();
    await node.done('/clients/del/alice');
    await pair.sync();
    expect((await clientsHere()).map(({ email }) => email)).toEqual(['alice', 'bob']);
    expect((await clientsThere()).map(({ email }) => email).sort()).toEqual(['alice', 'bob']);
    await pair.useThere('alice', 5);
    expect(await central.state('alice')).toMatchObject({ upBytes: 15 });
  });

  it('switches nobody on', async () => {
    const { central, node, nodeId } = pair;
    const id = await central.inbound(443, { nodeId });
    await central.add({ email: 'alice', enable: false }, [id]);
    await pair.sync();
    await pair.sync();
    await node.done('/clients/bulkEnable', { emails: ['alice'] });
    await pair.sync();
    expect(await central.state('alice')).toMatchObject({ enable: 0, disabledBy: 'admin' });
  });
});
