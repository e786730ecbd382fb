import { expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { startNodePair } from '../../../testing/panels/node-pair.ts';
import { makeSelfSigned } from '../../../testing/peers/self-signed.ts';
import type { ClientRow } from '../../clients/contract.ts';
import type { Inbound } from '../../inbounds/contract.ts';
import { PANEL_VERSION } from '../../../version.ts';

const pair = forEachTest(startNodePair);

const listThere = () => pair.node.read<Inbound[]>('/inbounds/list');
const clientsThere = () => pair.node.read<ClientRow[]>('/clients/list');
const nodeRow = () => pair.central.store.reader.selectFrom('nodes').selectAll().executeTakeFirstOrThrow();

test('an inbound and its clients arrive on the node, with the same credentials, and count there', async () => {
  const { central, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  await central.add({ email: 'alice', totalGB: 1_000 }, [id]);
  await pair.sync();
  expect(await listThere()).toMatchObject([{ tag: 'in-443-tcp', port: 443, nodeId: null }]);
  const [here] = await central.read<ClientRow[]>('/clients/list');
  expect(await clientsThere()).toMatchObject([{ email: 'alice', id: here!.id, subId: here!.subId, totalGB: 1_000 }]);
  await pair.useThere('alice', 10, 20);
  expect(await central.state('alice')).toMatchObject({ upBytes: 10, downBytes: 20 });
  expect(await nodeRow()).toMatchObject({ status: 'online', guid: 'guid-of-the-node', configDirty: 0, syncError: '' });
});

test('a node counter that drops is a new start: nothing is added, nothing is lost afterwards', async () => {
  const { central, node, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  await central.add({ email: 'alice' }, [id]);
  await pair.sync();
  const reads: number[] = [];
  for (const upload of [900, 950, 50, 80]) {
    await node.done('/clients/updateTraffic/alice', { upload, download: 0 });
    await pair.sync();
    reads.push((await central.state('alice'))!.upBytes);
  }
  // The panel added the client there itself, so its first byte counts.
  expect(reads).toEqual([900, 950, 950, 980]);
});

test('a reset here reaches the node, and reports from before it are not counted', async () => {
  const { central, node, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  await central.add({ email: 'alice' }, [id]);
  await pair.useThere('alice', 300);
  pair.setUp(false);
  node.core.move('users', 'alice', 40, 0);
  await node.tick();
  await pair.sync();
  await central.done('/clients/resetTraffic/alice');
  pair.setUp(true);
  await pair.sync();
  expect([(await central.state('alice'))!.upBytes, (await node.state('alice'))!.upBytes]).toEqual([0, 0]);
  await pair.useThere('alice', 30);
  expect([(await central.state('alice'))!.upBytes, (await node.state('alice'))!.upBytes]).toEqual([30, 30]);
  await central.done(`/inbounds/${id}/resetTraffic`);
  expect(await central.read('/inbounds/list')).toMatchObject([{ up: 0, down: 0 }]);
});

test("a reset of inbounds' counters reaches the node at once", async () => {
  const { central, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  await pair.sync();
  for (const path of [`${id}/resetTraffic`, 'resetAllTraffics']) {
    pair.calls.length = 0;
    await central.tick();
    await central.done(`/inbounds/${path}`);
    await central.nodes.idle();
    expect(pair.calls).toContain('POST inbounds/1/resetTraffic');
  }
});

test('a reset of an inbound reaches the node even after the clock was set back', async () => {
  const { central, node, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  await node.inbound(8443);
  await pair.tick();
  const used = async () => (await central.read<Inbound[]>('/inbounds/list')).map(({ up }) => up);
  const moveBoth = async (): Promise<void> => {
    for (const tag of ['in-443-tcp', 'in-8443-tcp']) node.core.move('inbounds', tag, 300, 0);
    await pair.tick();
  };
  await moveBoth();
  await central.done(`/inbounds/${id}/resetTraffic`);
  await central.nodes.idle();
  await moveBoth();
  expect(await used()).toEqual([300, 600]);
  central.jumpClock(-3_600_000);
  await central.done('/inbounds/resetAllTraffics');
  await central.nodes.idle();
  await pair.tick();
  expect(await used()).toEqual([0, 0]);
});

test('a new tag of an inbound on a node with a selection is selected', async () => {
  const { central, nodeId } = pair;
  await pair.select([]);
  const id = await central.inbound(443, { nodeId });
  const [inbound] = await central.read<Inbound[]>('/inbounds/list');
  await central.done(`/inbounds/update/${id}`, { ...inbound, tag: 'renamed' });
  expect(JSON.parse((await nodeRow()).inboundTags)).toEqual([`n${nodeId}-in-443-tcp`, 'renamed']);
});

test('a client gets a larger quota on its node, and stays disabled there while it is disabled here', async () => {
  const { central, node, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  const emails = ['back', 'byHand', 'among'];
  // Many at once are sent with the whole inbound.
  const many = Array.from({ length: 33 }, (_, at) => `many${at}`);
  await central.done(
    '/clients/bulkCreate',
    [...emails, ...many].map((email) => ({ client: { email, totalGB: 100 }, inboundIds: [id] })),
  );
  await central.nodes.idle();
  for (const email of emails) node.core.move('users', email, 100, 0);
  await pair.tick();
  for (const email of emails) expect(await node.state(email)).toMatchObject({ enable: 0, disabledBy: 'loop' });
  await central.done('/clients/bulkDisable', { emails: ['byHand', 'among'] });
  for (const email of ['back', 'byHand'])
    await central.done(`/clients/update/${email}`, { email, totalGB: 200, enable: false });
  await pair.sync();
  expect(await node.state('back')).toMatchObject({ enable: 1, quotaBytes: 200 });
  expect(await node.state('byHand')).toMatchObject({ enable: 0, disabledBy: 'admin', quotaBytes: 200 });
  await central.done('/clients/bulkAdjust', { emails: ['among', ...many], addBytes: 100 });
  await pair.sync();
  expect(await node.state('among')).toMatchObject({ enable: 0, disabledBy: 'admin', quotaBytes: 200 });
});

test('a client renamed while the node is unreachable keeps its counter, its record and its bytes', async () => {
  const { central, node, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  await central.add({ email: 'alice' }, [id]);
  await pair.useThere('alice', 10);
  const [before] = await clientsThere();
  pair.setUp(false);
  await pair.sync();
  await central.done('/clients/update/alice', { email: 'bob' });
  await central.add({ email: 'alice' }, [id]);
  node.core.move('users', 'alice', 5, 0);
  await node.tick();
  pair.setUp(true);
  await pair.sync();
  expect([(await central.state('bob'))!.upBytes, (await central.state('alice'))!.upBytes]).toEqual([15, 0]);
  const there = await clientsThere();
  expect(there.map(({ email }) => email).sort()).toEqual(['alice', 'bob']);
  expect(there.find(({ email }) => email === 'bob')!.recordId).toBe(before!.recordId);
  await pair.useThere('bob', 2);
  await pair.useThere('alice', 1);
  expect([(await central.state('bob'))!.upBytes, (await central.state('alice'))!.upBytes]).toEqual([17, 1]);
});

test('unselected items of the node itself are neither taken over nor touched', async () => {
  const { central, node, nodeId } = pair;
  await pair.select([]);
  const own = await node.inbound(443, { remark: 'of the node' });
  await node.add({ email: 'alice' }, [own]);
  await node.add({ email: 'shared', subId: 'its-own' }, [own]);
  await pair.sync();
  expect(await central.read('/inbounds/list')).toEqual([]);
  // The same tag belongs to another inbound there: refused and reported.
  const clash = await central.inbound(443, { nodeId });
  const fine = await central.inbound(444, { nodeId });
  await central.add({ email: 'shared', subId: 'ours' }, [fine]);
  await central.add({ email: 'bob' }, [fine]);
  await pair.sync();
  expect(await listThere()).toMatchObject([
    {
      id: own,
      remark: 'of the node',
      settings: { clients: [{ email: 'alice' }, { email: 'shared', subId: 'its-own' }] },
    },
    { tag: 'in-444-tcp', settings: { clients: [{ email: 'bob' }] } },
  ]);
  expect((await nodeRow()).syncError).toBe(
    'the node has an inbound in-443-tcp of its own; give one of the two another tag or port; ' +
      'the node has a client shared of its own; rename one of the two',
  );
  await central.done(`/inbounds/del/${clash}`);
  await central.done('/clients/del/shared');
  await pair.sync();
  expect((await listThere()).map(({ tag }) => tag)).toEqual(['in-443-tcp', 'in-444-tcp']);
  expect((await clientsThere()).map(({ email }) => email)).toEqual(['alice', 'shared', 'bob']);
  expect(await nodeRow()).toMatchObject({ configDirty: 0, syncError: '' });
});

test('an inbound deleted here is deleted there too, with the clients that it alone carried', async () => {
  const { central, nodeId } = pair;
  const [first, second] = [await central.inbound(443, { nodeId }), await central.inbound(444, { nodeId })];
  await central.add({ email: 'one' }, [first]);
  await central.add({ email: 'both' }, [first, second]);
  await pair.sync();
  expect(await clientsThere()).toHaveLength(2);
  await central.done(`/inbounds/del/${first}`);
  await pair.sync();
  expect((await listThere()).map(({ tag }) => tag)).toEqual(['in-444-tcp']);
  expect((await clientsThere()).map(({ email }) => email)).toEqual(['both']);
  expect(await central.store.reader.selectFrom('nodeInbounds').select('inboundId').execute()).toEqual([
    { inboundId: second },
  ]);
});

test('up to 32 clients go one by one, more go with their inbound in one call; a second poll sends nothing', async () => {
  const { central, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  await pair.sync();
  const many = (count: number, name: string) =>
    Array.from({ length: count }, (_, at) => ({ client: { email: `${name}-${at}` }, inboundIds: [id] }));
  pair.calls.length = 0;
  await central.done('/clients/bulkCreate', many(32, 'few'));
  await central.nodes.idle();
  expect(pair.calls.filter((call) => call === 'POST clients/add')).toHaveLength(32);
  pair.calls.length = 0;
  await central.done('/clients/bulkCreate', many(33, 'more'));
  await central.nodes.idle();
  expect(pair.calls.filter((call) => call.startsWith('POST'))).toEqual([
    expect.stringMatching(/^POST inbounds\/update\//),
  ]);
  expect(await clientsThere()).toHaveLength(65);
  await pair.useThere('more-32', 9);
  expect((await central.state('more-32'))!.upBytes).toBe(9);
  pair.calls.length = 0;
  await pair.sync();
  expect(pair.calls).toEqual([]);
});

test('many clients that leave an inbound of the node for another, or for none, leave it there too', async () => {
  const { central, nodeId } = pair;
  const [first, second] = [await central.inbound(443, { nodeId }), await central.inbound(444, { nodeId })];
  const emails = Array.from({ length: 33 }, (_, at) => `moving-${at}`);
  await central.add({ email: 'staying' }, [first, second]);
  await central.done(
    '/clients/bulkCreate',
    emails.map((email) => ({ client: { email }, inboundIds: [first] })),
  );
  await pair.sync();
  const counts = async (lists: Promise<Inbound[]>) =>
    Object.fromEntries(
      (await lists).map(({ port, settings }) => [port, (settings as { clients: object[] }).clients.length]),
    );
  const everywhere = async () => {
    for (let at = 0; at < 3; at += 1) await pair.sync();
    return [await counts(central.read<Inbound[]>('/inbounds/list')), await counts(listThere())];
  };
  await central.done('/clients/bulkAttach', { emails, inboundIds: [second] });
  await central.done('/clients/bulkDetach', { emails, inboundIds: [first] });
  expect(await everywhere()).toEqual([
    { 443: 1, 444: 34 },
    { 443: 1, 444: 34 },
  ]);
  await central.done('/clients/bulkAttach', { emails, inboundIds: [first] });
  await pair.sync();
  await central.done('/clients/bulkDetach', { emails: ['staying', ...emails], inboundIds: [second] });
  expect(await everywhere()).toEqual([
    { 443: 34, 444: 0 },
    { 443: 34, 444: 0 },
  ]);
});

test('a change is staged with its transaction: one that fails leaves no mark and makes no call', async () => {
  const { central, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  await central.add({ email: 'alice' }, [id]);
  await pair.sync();
  const before = await nodeRow();
  pair.calls.length = 0;
  const refused = await central.post('/clients/add', { client: { email: 'alice', subId: 'other' }, inboundIds: [id] });
  await central.nodes.idle();
  expect(refused.success).toBe(false);
  expect(pair.calls).toEqual([]);
  expect(await nodeRow()).toMatchObject({ configDirty: 0, configDirtyAtMs: before.configDirtyAtMs });
});

test('online clients of the node are online here, as long as the node is reachable', async () => {
  const { central, node, nodeId } = pair;
  await pair.select([]);
  const [here, there] = [await central.inbound(441), await central.inbound(443, { nodeId })];
  await central.add({ email: 'alice' }, [here, there]);
  await central.add({ email: 'bob' }, [there]);
  await node.add({ email: 'its-own' }, [await node.inbound(445)]);
  node.core.move('users', 'its-own', 1, 0);
  await pair.useThere('bob', 1);
  expect(await central.done('/clients/onlines')).toEqual(['bob']);
  expect(central.nodes.online.byGuid()).toEqual({ 'guid-of-the-node': ['bob'] });
  central.core.move('users', 'alice', 1, 0);
  await central.tick();
  expect(await central.done('/clients/onlines')).toEqual(['alice', 'bob']);
  pair.setUp(false);
  await pair.sync();
  expect(await central.done('/clients/onlines')).toEqual(['alice']);
  expect(await nodeRow()).toMatchObject({ status: 'offline', guid: 'guid-of-the-node', panelVersion: PANEL_VERSION });
});

test('the token is stored sealed for its node: in the row of another it cannot be opened', async () => {
  const { central, nodeId } = pair;
  const { apiToken } = await nodeRow();
  expect(apiToken).toMatch(/^v1:/);
  const elsewhere = {
    scheme: 'http',
    address: '127.0.0.1',
    port: 1,
    apiToken: 'x',
    allowPrivateAddress: true,
  } as const;
  const copy = await central.nodes.add({ name: 'copy', ...elsewhere });
  expect(copy).not.toBe(nodeId);
  await central.store.write(async (trx) => {
    await trx.updateTable('nodes').set({ apiToken }).where('id', '=', copy).execute();
  });
  await central.nodes.setEnable(copy, true);
  await pair.sync();
  const row = await central.store.reader.selectFrom('nodes').selectAll().where('id', '=', copy).executeTakeFirst();
  expect(row).toMatchObject({ status: 'offline', lastError: expect.stringContaining('token decrypt failed') });
});

test('fallback rules are sent along, as the addresses they lead to', async () => {
  const { central, nodeId } = pair;
  const certificate = makeSelfSigned();
  const tls = {
    network: 'tcp',
    security: 'tls',
    tlsSettings: {
      certificates: [{ certificate: certificate.certPem.split('\n'), key: certificate.keyPem.split('\n') }],
    },
  };
  const master = await central.inbound(443, { nodeId, streamSettings: tls });
  const child = await central.inbound(8443, {
    nodeId,
    listen: '127.0.0.1',
    streamSettings: { network: 'ws', security: 'none', wsSettings: { path: '/ws' } },
  });
  await central.done(`/inbounds/${master}/fallbacks`, { fallbacks: [{ childId: child, path: '/ws' }, { dest: '80' }] });
  await pair.sync();
  const there = (await listThere()).find(({ port }) => port === 443);
  expect(there).toMatchObject({ settings: { fallbacks: [{ dest: '127.0.0.1:8443', path: '/ws' }, { dest: '80' }] } });
});

test('a panel reinstalled in place of a node gets everything; its counters start over', async () => {
  const { central, node, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  await central.add({ email: 'alice' }, [id]);
  await pair.useThere('alice', 10);
  for (const inbound of await listThere()) await node.done(`/inbounds/del/${inbound.id}`);
  await node.done('/clients/bulkDel', { emails: (await clientsThere()).map(({ email }) => email) });
  await pair.sync();
  expect(await listThere()).toEqual([]);
  pair.setGuid('set-up-anew');
  await pair.sync();
  expect(await clientsThere()).toMatchObject([{ email: 'alice' }]);
  await pair.useThere('alice', 4);
  expect(await central.state('alice')).toMatchObject({ upBytes: 14 });
  expect(await nodeRow()).toMatchObject({ guid: 'set-up-anew', configDirty: 0, syncError: '' });
});

test('nothing is overwritten on another panel in place of a node', async () => {
  const { central, node, nodeId } = pair;
  const id = await central.inbound(443, { nodeId, remark: 'ours' });
  await pair.sync();
  const [theirs] = await listThere();
  await node.done(`/inbounds/update/${theirs!.id}`, { ...theirs, remark: 'theirs' });
  pair.setGuid('somebody-else');
  await central.inbound(444, { nodeId });
  await central.done(`/inbounds/del/${id}`);
  await pair.sync();
  expect((await listThere()).map(({ remark, port }) => [port, remark])).toEqual([
    [443, 'theirs'],
    [444, ''],
  ]);
});
