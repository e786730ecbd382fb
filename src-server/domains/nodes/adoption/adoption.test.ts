import { beforeEach, describe, expect, it } from 'vitest';
import { HYSTERIA_STREAM } from '../../../testing/core-config/base.ts';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { startNodePair, type NodePair } from '../../../testing/panels/node-pair.ts';
import type { ClientRecord, ClientRow } from '../../clients/contract.ts';
import type { Inbound } from '../../inbounds/contract.ts';

const pair = forEachTest(startNodePair);

const here = () => pair.central.read<Inbound[]>('/inbounds/list');
const there = () => pair.node.read<Inbound[]>('/inbounds/list');
const clientsHere = () => pair.central.read<ClientRow[]>('/clients/list');
const clientsThere = () => pair.node.read<ClientRow[]>('/clients/list');
const nodeRow = () => pair.central.store.reader.selectFrom('nodes').selectAll().executeTakeFirstOrThrow();
const entries = ({ settings }: Inbound) => (settings as { clients: Record<string, unknown>[] }).clients;
const found = async (panel: NodePair['node'], email: string) =>
  (await panel.read<{ client: ClientRecord }>(`/clients/get/${email}`)).client;
/** Disabled: no core reads its certificate. */
const HYSTERIA = { enable: false, settings: { version: 2 }, streamSettings: HYSTERIA_STREAM };

/** An inbound created on the node, with a client that has traffic. */
async function ownInbound(port: number, email: string, used = 0): Promise<number> {
  const id = await pair.node.inbound(port, { remark: 'theirs' });
  await pair.node.add({ email, totalGB: 5_000, expiryTime: pair.node.clock() + 1e9 }, [id]);
  pair.node.core.move('users', email, used, 0);
  await pair.node.tick();
  return id;
}

describe('an inbound that belongs to the node', () => {
  it('is adopted unchanged, with its counters as opening balance, and nothing is written to the node', async () => {
    await ownInbound(443, 'alice', 300);
    const before = [await there(), await clientsThere()];
    await pair.sync();
    await pair.sync();
    expect(pair.calls).toEqual([]);
    expect([await there(), await clientsThere()]).toEqual(before);
    const [inbound] = await here();
    const [reported] = await there();
    expect(inbound).toMatchObject({
      nodeId: pair.nodeId,
      originNodeGuid: 'guid-of-the-node',
      tag: 'in-443-tcp',
      remark: 'theirs',
      port: 443,
    });
    expect(entries(inbound!)).toEqual(
      entries(reported!).map((entry) => ({ ...entry, updated_at: expect.anything() as number })),
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

  it('brings its hosts along, in their order and groups', async () => {
    const { node, central } = pair;
    const { id } = await node.done<{ id: number }>('/inbounds/add', {
      port: 443,
      protocol: 'vless',
      settings: { decryption: 'none' },
      streamSettings: {
        network: 'tcp',
        externalProxy: [{ dest: 'old.example', port: 1, forceTls: 'same', remark: 'old' }],
      },
    });
    await node.done('/hosts/bulk/add', { inboundIds: [id], hosts: ['a.example:8443', 'b.example'], remark: 'two' });
    const single = {
      inboundId: id,
      remark: 'one',
      address: '2001:db8::1',
      security: 'tls',
      sni: 's.example',
      enable: false,
    };
    await node.done('/hosts/add', { ...single, sortOrder: 9 });
    await pair.sync();
    const [inbound] = await here();
    const hostsOf = (panel: NodePair['node'], inboundId: number) =>
      panel.read<Record<string, unknown>[]>(`/hosts/byInbound/${inboundId}`);
    const reported = await hostsOf(node, id);
    const taken = await hostsOf(central, inbound!.id);
    const shown = (hosts: Record<string, unknown>[]) =>
      hosts.map(
        ({ id: _id, inboundId: _in, groupId: _g, sortOrder: _s, createdAt: _c, updatedAt: _u, ...host }) => host,
      );
    expect(shown(taken)).toEqual(shown(reported));
    expect(taken.map(({ address }) => address)).toEqual(['old.example', 'a.example', 'b.example', '2001:db8::1']);
    expect(new Set(taken.map(({ groupId }) => groupId)).size).toBe(3);
    await pair.sync();
    expect(await hostsOf(central, inbound!.id)).toEqual(taken);
  });

  it('is managed from here afterwards, and deleted there when deleted here', async () => {
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
    for (let poll = 0; poll < 3; poll += 1) await pair.sync();
    const places = (await here()).map(({ tag, nodeId }) => [tag, nodeId]);
    expect(places.sort((a, b) => Number(a[1]) - Number(b[1]))).toEqual([
      ['in-443-tcp', null],
      [`n${pair.nodeId}-in-443-tcp`, pair.nodeId],
      [`n${second.nodeId}-in-443-tcp`, second.nodeId],
    ]);
    expect([...pair.calls, ...second.calls]).toEqual([]);
    expect([await there(), await second.node.read('/inbounds/list')]).toMatchObject([[{ port: 443 }], [{ port: 443 }]]);
  });

  it('keeps a client known here by the same subscription and counts its traffic from then on', async () => {
    const local = await pair.central.inbound(441);
    await pair.central.add({ email: 'alice', subId: 'same', totalGB: 9 }, [local]);
    const own = await pair.node.inbound(443);
    const { id } = await found(pair.central, 'alice');
    await pair.node.add({ email: 'alice', subId: 'same', id, totalGB: 1 }, [own]);
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

  it('keeps every credential of every protocol, whatever a client holds, on any number of inbounds', async () => {
    const { node, central } = pair;
    const key = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');
    const ids = [
      await node.inbound(443),
      await node.inbound(444, { protocol: 'trojan', settings: {} }),
      await node.inbound(445, { protocol: 'vmess', settings: {} }),
      await node.inbound(446, {
        protocol: 'shadowsocks',
        settings: { method: '2022-blake3-aes-128-gcm', password: key(16) },
      }),
      await node.inbound(447, { protocol: 'shadowsocks', settings: { method: 'aes-256-gcm', password: 'old' } }),
    ];
    const all = {
      id: '1b671a64-40d5-491e-99b0-da01ff1f3341',
      password: 'pass wörd %/"<&',
      auth: 'auth ☃',
      security: 'auto',
    };
    await node.add({ email: 'everywhere', ...all, comment: '<b>é</b>', limitIp: 3, group: 'team', reset: 30 }, ids);
    await node.add({ email: 'vless-only,ü+%', ...all, id: undefined, password: 'unused', auth: 'unused too' }, [
      ids[0]!,
    ]);
    await node.add({ email: 'off', enable: false }, ids.slice(0, 2));
    await node.add({ email: 'used-up', totalGB: 10 }, ids.slice(1));
    await node.add({ email: 'over', expiryTime: 1_000 }, ids.slice(0, 3));
    await node.add({ email: 'delayed', expiryTime: -30 * 86_400_000 }, ids);
    node.core.move('users', 'used-up', 11, 2);
    await node.tick();
    const records = async () =>
      Promise.all(
        (await clientsThere()).map(async ({ email }) => [
          await found(node, encodeURIComponent(email)),
          await node.state(email),
        ]),
      );
    const before = [await there(), await clientsThere(), await records()];
    for (let poll = 0; poll < 4; poll += 1) await pair.sync();
    expect(await nodeRow()).toMatchObject({ configDirty: 0, syncError: '' });
    expect(await here()).toHaveLength(5);
    expect(pair.calls).toEqual([]);
    expect([await there(), await clientsThere(), await records()]).toEqual(before);
    // The first change made here must not drop a credential either.
    for (const { email } of await clientsHere())
      await central.done(`/clients/update/${encodeURIComponent(email)}`, { email, limitIp: 2 });
    for (let poll = 0; poll < 3; poll += 1) await pair.sync();
    const credentials = (list: Inbound[]) =>
      list
        .flatMap((inbound) =>
          entries(inbound).map(({ email, id, password, auth }) =>
            JSON.stringify([inbound.port, email, id, password, auth]),
          ),
        )
        .sort();
    expect(credentials(await there())).toEqual(credentials(before[0] as Inbound[]));
    expect(credentials(await here())).toEqual(credentials(before[0] as Inbound[]));
    expect(await found(node, encodeURIComponent('vless-only,ü+%'))).toMatchObject({
      password: 'unused',
      auth: 'unused too',
    });
  });

  it.each([
    ['vless', {}],
    ['trojan', { settings: {} }],
    ['hysteria', HYSTERIA],
  ])(
    'changes no %s credential when the same subscription has another one here, and reports it',
    async (protocol, more) => {
      const { central, node } = pair;
      const local = await central.inbound(441, { protocol, ...more });
      await central.add({ email: 'alice', subId: 'same' }, [local]);
      await node.add({ email: 'alice', subId: 'same' }, [await node.inbound(443, { protocol, ...more })]);
      const before = [await there(), await found(node, 'alice')];
      await pair.sync();
      await pair.sync();
      expect([await there(), await found(node, 'alice')]).toEqual(before);
      expect((await nodeRow()).syncError).toContain('client alice has other credentials here');
      expect((await here()).map(({ port }) => port)).toEqual([441]);
    },
  );

  it('is not adopted at all when one of its clients is a different client here, and reports it', async () => {
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
    // Deselected again: the panel keeps what it has, and nothing is deleted on either side.
    await pair.select([]);
    await pair.sync();
    expect((await here()).map(({ tag }) => tag)).toEqual(['in-444-tcp']);
    expect(await there()).toEqual(before);
    expect(pair.calls.filter((call) => /del|Del/.test(call))).toEqual([]);
  });

  it('is not taken back by the panel it came from', async () => {
    const own = await pair.node.inbound(443);
    await pair.sync();
    const reported = (await there())[0]!;
    pair.respondOnce('inbounds/list', [
      { ...reported, id: own },
      { ...reported, id: 99, tag: 'ours', port: 9_443, originNodeGuid: pair.central.panelGuid },
    ]);
    await pair.sync();
    expect((await here()).map(({ tag }) => tag)).toEqual(['in-443-tcp']);
  });
});

describe('a change made on a node', () => {
  it('is taken over: the inbound, its clients and added clients', async () => {
    const { central, node, nodeId } = pair;
    const local = await central.inbound(441);
    const id = await central.inbound(443, { nodeId, remark: 'before' });
    await central.add({ email: 'alice', comment: 'a regular' }, [id, local]);
    await pair.useThere('alice', 10);
    await pair.sync();
    const [reported] = await there();
    await node.done(`/inbounds/update/${reported!.id}`, { ...reported, remark: 'after', total: 1_000_000 });
    await node.done('/clients/update/alice', { email: 'alice', totalGB: 4_000, comment: 'over there' });
    await node.add({ email: 'bob' }, [reported!.id]);
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

  it('yields to a change made here in the meantime', async () => {
    const { central, node, nodeId } = pair;
    const id = await central.inbound(443, { nodeId, remark: 'before' });
    await central.add({ email: 'alice' }, [id]);
    await pair.sync();
    await pair.sync();
    pair.setUp(false);
    await pair.sync();
    const [reported] = await there();
    await node.done(`/inbounds/update/${reported!.id}`, { ...reported, remark: 'theirs' });
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

  it('is not overwritten by a response created before a change here', async () => {
    const { central, nodeId } = pair;
    const id = await central.inbound(443, { nodeId });
    await central.add({ email: 'alice', totalGB: 5 }, [id]);
    await pair.sync();
    await pair.node.done('/clients/update/alice', { email: 'alice', totalGB: 6 });
    const held = pair.hold('inbounds/list');
    const poll = pair.sync();
    await held.reached;
    await central.done('/clients/update/alice', { email: 'alice', totalGB: 7 });
    await central.add({ email: 'bob' }, [id]);
    held.release();
    await poll;
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

  it('to a port is followed, with the tag that depends on it', async () => {
    const { central, node, nodeId } = pair;
    const id = await central.inbound(443, { nodeId });
    await central.add({ email: 'alice' }, [id]);
    await pair.useThere('alice', 10);
    await pair.sync();
    const [reported] = await there();
    await node.done(`/inbounds/update/${reported!.id}`, { ...reported, port: 8_443 });
    await pair.sync();
    await pair.sync();
    expect(await there()).toMatchObject([{ id: reported!.id, tag: 'in-8443-tcp' }]);
    expect(await here()).toMatchObject([{ id, port: 8_443 }]);
    await pair.useThere('alice', 5);
    expect(await central.state('alice')).toMatchObject({ upBytes: 15 });
    expect(await nodeRow()).toMatchObject({ configDirty: 0, syncError: '' });
  });

  it('is repaired when it removed a client: absence does not mean deletion', async () => {
    const { central, node, nodeId } = pair;
    const id = await central.inbound(443, { nodeId });
    await central.add({ email: 'alice' }, [id]);
    await central.add({ email: 'bob' }, [id]);
    await pair.useThere('alice', 10);
    await pair.sync();
    await node.done('/clients/del/alice');
    // One response alone is not trusted.
    for (let at = 0; at < 3; at += 1) await pair.tick();
    expect((await clientsHere()).map(({ email }) => email)).toEqual(['alice', 'bob']);
    expect((await clientsThere()).map(({ email }) => email).sort()).toEqual(['alice', 'bob']);
    await pair.useThere('alice', 5);
    expect(await central.state('alice')).toMatchObject({ upBytes: 15 });
  });

  it('enables no client and ends no deadline, neither here nor, in the end, there', async () => {
    const { central, node, nodeId } = pair;
    const ids = [await central.inbound(443, { nodeId }), await central.inbound(444, { nodeId })];
    const expiryTime = central.clock() + 30 * 86_400_000;
    await central.add({ email: 'alice', enable: false }, ids);
    await central.add({ email: 'bob', expiryTime }, ids);
    await pair.sync();
    await pair.sync();
    await node.done('/clients/bulkEnable', { emails: ['alice'] });
    // Fields left out of an update take their defaults: without an expiry there is none.
    await node.done('/clients/update/bob', { email: 'bob', totalGB: 5_000 });
    await pair.sync();
    expect(await central.state('alice')).toMatchObject({ enable: 0, disabledBy: 'admin' });
    expect(await central.state('bob')).toMatchObject({ expiresAtMs: expiryTime, quotaBytes: 5_000 });
    await pair.sync();
    expect(await node.state('alice')).toMatchObject({ enable: 0 });
    expect(await node.state('bob')).toMatchObject({ expiresAtMs: expiryTime, quotaBytes: 5_000 });
    // Both sides agree: nothing more is sent.
    await pair.sync();
    pair.calls.length = 0;
    await pair.sync();
    expect(pair.calls).toEqual([]);
  });
});

describe('a client renamed on the node', () => {
  let inboundId: number;
  let local: number;
  beforeEach(async () => {
    inboundId = await pair.central.inbound(443, { nodeId: pair.nodeId });
    local = await pair.central.inbound(441);
    await pair.central.add({ email: 'alice', totalGB: 5_000 }, [inboundId, local]);
    await pair.useThere('alice', 10);
    pair.calls.length = 0;
  });

  const renameThere = async (email: string, to: string) => {
    const { client } = await pair.node.read<{ client: ClientRecord }>(`/clients/get/${email}`);
    await pair.node.done(`/clients/update/${email}`, { ...client, email: to });
  };

  it('stays the same client everywhere and keeps its counters', async () => {
    const { id } = await found(pair.central, 'alice');
    await renameThere('alice', 'alison');
    await pair.useThere('alison', 7);
    await pair.tick();
    expect(await clientsHere()).toMatchObject([{ email: 'alison', inboundIds: [inboundId, local] }]);
    expect(await clientsThere()).toMatchObject([{ email: 'alison' }]);
    expect((await found(pair.central, 'alison')).id).toBe(id);
    expect(pair.central.core.users(local)).toEqual(['alison']);
    expect(await pair.central.state('alison')).toMatchObject({ upBytes: 17, quotaBytes: 5_000 });
    expect(pair.calls.filter((call) => /add|del/i.test(call))).toEqual([]);
    await pair.useThere('alison', 3);
    expect(await pair.central.state('alison')).toMatchObject({ upBytes: 20 });
    expect(await nodeRow()).toMatchObject({ configDirty: 0, syncError: '' });
  });

  it('keeps its name here when the new one is already taken, and the operator is notified', async () => {
    await pair.central.add({ email: 'bob' }, [local]);
    await renameThere('alice', 'bob');
    await pair.tick();
    await pair.tick();
    expect((await clientsHere()).map(({ email }) => email).sort()).toEqual(['alice', 'bob']);
    expect((await nodeRow()).syncError).toContain('bob');
    expect(await pair.central.state('bob')).toMatchObject({ upBytes: 0 });
    await renameThere('bob', 'alice');
    await pair.tick();
    await pair.tick();
    await pair.useThere('alice', 5);
    expect(await pair.central.state('alice')).toMatchObject({ upBytes: 15 });
    expect(await nodeRow()).toMatchObject({ configDirty: 0, syncError: '' });
  });

  it('gets the name from here when both sides renamed it', async () => {
    pair.setUp(false);
    await pair.central.done('/clients/update/alice', { email: 'here', totalGB: 1 });
    await renameThere('alice', 'there');
    pair.setUp(true);
    for (let at = 0; at < 4; at += 1) await pair.tick();
    expect((await clientsHere()).map(({ email }) => email)).toEqual(['here']);
    expect((await clientsThere()).map(({ email }) => email)).toEqual(['here']);
    expect(await nodeRow()).toMatchObject({ configDirty: 0, syncError: '' });
    await pair.useThere('here', 5);
    expect(await pair.central.state('here')).toMatchObject({ upBytes: 15 });
  });
});
