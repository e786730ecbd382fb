import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { DAY_MS } from '../../testing/panels/client-panel.ts';
import { startNodePair } from '../../testing/panels/node-pair.ts';
import { openPanel, type TestPanel } from '../../testing/panels/open-panel.ts';
import type { Group } from '../groups/contract.ts';
import type { ClientRecord, ClientRow } from './contract.ts';

let a: number;
let b: number;
/** Total usage of a client as reported by another panel. */
const pushTotals = (to: TestPanel, used: object) =>
  to.done('/inbounds/pushClientTraffics', { masterGuid: 'guid-of-a-peer', traffics: [used] });

const panel = forEachTest(openPanel);
beforeEach(async () => {
  a = await panel.inbound(441);
  b = await panel.inbound(442);
});

/** Lets the client move bytes and the panel count them. */
async function use(email: string, up: number, down = 0): Promise<void> {
  panel.core.move('users', email, up, down);
  await panel.tick();
}
const all = () => panel.read<ClientRow[]>('/clients/list');
const found = async (email: string) => (await panel.read<{ client: ClientRecord }>(`/clients/get/${email}`)).client;
const group = async (name: string) =>
  (await panel.read<Group[]>('/clients/groups')).find((each) => each.name === name)?.trafficUsed;

test('17.1 attaching a client with usage to two more inbounds in one bulkAttach keeps its usage in one row', async () => {
  const c = await panel.inbound(443);
  await panel.add({ email: 'alice' }, [a]);
  await use('alice', 10, 20);
  const result = await panel.done('/clients/bulkAttach', { emails: ['alice'], inboundIds: [b, c] });
  expect(result).toMatchObject({ attached: ['alice'], skipped: [], errors: [] });
  expect(await all()).toMatchObject([{ email: 'alice', inboundIds: [a, b, c], traffic: { up: 10, down: 20 } }]);
  await use('alice', 1, 2);
  expect(await panel.state('alice')).toMatchObject({ upBytes: 11, downBytes: 22 });
  expect([panel.core.users(b), panel.core.users(c)]).toEqual([['alice'], ['alice']]);
});

test('17.4 a traffic row survives deleting one of two inbounds and goes with the last; the record stays', async () => {
  await panel.add({ email: 'alice' }, [a, b]);
  await use('alice', 10, 20);
  await panel.done(`/inbounds/del/${a}`);
  expect(await all()).toMatchObject([{ inboundIds: [b], traffic: { up: 10, down: 20 } }]);
  await panel.done(`/inbounds/del/${b}`);
  expect(await all()).toMatchObject([{ email: 'alice', inboundIds: [], traffic: { up: 0, down: 0 } }]);
  expect(await panel.done('/clients/delOrphans')).toMatchObject({ deleted: 1 });
});

test("17.5 detaching from A while on B removes the core user at A's tag and leaves the one at B's", async () => {
  await panel.add({ email: 'alice' }, [a, b]);
  await panel.add({ email: 'bob' }, [a]);
  expect(panel.core.users(a)).toEqual(['alice', 'bob']);
  await panel.done('/clients/alice/detach', { inboundIds: [a] });
  expect(panel.core.users(a)).toEqual(['bob']);
  expect(panel.core.users(b)).toEqual(['alice']);
});

test('17.7 a group total survives the reset and the deletion of a member, and a group reset makes it 0', async () => {
  for (const email of ['alice', 'bob']) {
    await panel.add({ email, group: 'vip' }, [a]);
    await use(email, 50, 50);
  }
  await panel.done('/clients/groups/resetTraffic', { name: 'vip' });
  expect(await group('vip')).toBe(0);
  await use('alice', 5, 5);
  await use('bob', 20, 0);
  expect(await group('vip')).toBe(30);
  await panel.done('/clients/resetTraffic/alice');
  expect(await group('vip')).toBe(30);
  await panel.done('/clients/del/bob');
  expect(await group('vip')).toBe(30);
  await use('alice', 1, 0);
  expect(await group('vip')).toBe(31);
  await panel.done('/clients/groups/resetTraffic', { name: 'vip' });
  expect(await group('vip')).toBe(0);
});

test('17.8 a rename to another case works and leaves one record; one to a taken name changes nothing', async () => {
  await panel.add({ email: 'alice' }, [a]);
  await panel.add({ email: 'bob' }, [a]);
  await use('alice', 7, 0);
  await panel.done('/clients/update/alice', { email: 'ALICE' });
  expect((await all()).map(({ email, traffic }) => [email, traffic.up])).toEqual([
    ['ALICE', 7],
    ['bob', 0],
  ]);
  expect(panel.core.users(a)).toEqual(['ALICE', 'bob']);
  const before = await all();
  const refused = await panel.post('/clients/update/ALICE', { email: 'Bob', comment: 'x', totalGB: 5 });
  expect(refused).toMatchObject({ success: false, msg: 'Duplicate email: Bob' });
  expect(await all()).toEqual(before);
});

test('17.9 adding the same e-mail and subId again makes no UUID or second entry; another subId is refused', async () => {
  await panel.add({ email: 'alice', subId: 's-1' }, [a]);
  const { id } = await found('alice');
  await panel.add({ email: 'alice', subId: 's-1' }, [a, b]);
  expect((await found('alice')).id).toBe(id);
  expect(await panel.core.entries(a)).toMatchObject([{ entry: { id } }]);
  expect(await panel.core.entries(b)).toMatchObject([{ entry: { id } }]);
  const again = { client: { email: 'Alice', subId: 's-2' }, inboundIds: [b] };
  expect((await panel.post('/clients/add', again)).msg).toBe('email already in use: Alice');
});

test('17.10 a 2022 key of a wrong size is replaced, another cipher makes new ones; entries name no method', async () => {
  const settingsOf = (bits: number) => ({
    method: `2022-blake3-aes-${bits}-gcm`,
    password: Buffer.alloc(bits / 8, 1).toString('base64'),
    network: 'tcp',
  });
  const body = { port: 443, protocol: 'shadowsocks', streamSettings: { network: 'tcp' } };
  const ss = await panel.inbound(443, { ...body, settings: settingsOf(128) });
  await panel.add({ email: 'alice', password: 'far too short' }, [ss]);
  const keyBytes = async () => Buffer.from((await found('alice')).password, 'base64').length;
  expect(await keyBytes()).toBe(16);
  await panel.done(`/inbounds/update/${ss}`, { ...body, settings: settingsOf(256) });
  const [entry] = await panel.core.entries(ss);
  expect(Buffer.from(entry!.entry['password'] as string, 'base64')).toHaveLength(32);
  expect(Object.keys(entry!.entry)).not.toContain('method');
});

test('17.16 totals of a peer are shown and enforced, not in /inbounds/list, until a reset or a day without them', async () => {
  await panel.watch();
  await panel.add({ email: 'alice', totalGB: 1_000 }, [a]);
  await use('alice', 10, 10);
  const listed = async () =>
    (await panel.read<{ id: number; clientStats: { up: number; down: number; enable: boolean }[] }[]>('/inbounds/list'))
      .find(({ id }) => id === a)!
      .clientStats.map(({ up, down, enable }) => ({ up, down, enable }));
  await pushTotals(panel, { email: 'alice', up: 900, down: 50 });
  expect(await panel.read('/clients/traffic/alice')).toMatchObject({ up: 900, down: 50 });
  expect(await listed()).toEqual([{ up: 10, down: 10, enable: true }]);
  await use('alice', 1, 1);
  const stats = panel.events.flatMap((event) =>
    event.type === 'live' && event.message === 'client_stats' ? [event.data as { clients?: object[] }] : [],
  );
  expect(stats.at(-1)?.clients).toMatchObject([{ email: 'alice', up: 900, down: 50 }]);
  await pushTotals(panel, { email: 'alice', up: 900, down: 100 });
  await panel.tick();
  expect(await panel.state('alice')).toMatchObject({ enable: 0, disabledBy: 'loop' });
  expect(panel.core.users(a)).toEqual([]);
  await panel.done('/clients/resetTraffic/alice');
  expect(await panel.read('/clients/traffic/alice')).toMatchObject({ up: 0, down: 0, enable: true });
  await pushTotals(panel, { email: 'alice', up: 900, down: 50 });
  panel.jumpClock(DAY_MS + 1);
  await panel.parts.records.clients.peers.expire();
  expect(await panel.read('/clients/traffic/alice')).toMatchObject({ up: 0, down: 0 });
});

test('17.17 a deleted client is not restored by late counters, totals of a peer or an earlier report', async () => {
  const pair = await startNodePair();
  try {
    const { central, node, nodeId } = pair;
    const here = await central.inbound(441);
    const there = await central.inbound(443, { nodeId });
    await central.add({ email: 'alice' }, [here, there]);
    await pair.useThere('alice', 10);
    central.core.move('users', 'alice', 5, 0);
    node.core.move('users', 'alice', 20, 0);
    await node.tick();
    const held = pair.hold('inbounds/list');
    const late = pair.sync();
    await held.reached;
    await central.done('/clients/del/alice');
    await pushTotals(central, { email: 'alice', up: 1, down: 1 });
    held.release();
    await late;
    await central.tick();
    expect(await central.read('/clients/list')).toEqual([]);
    expect(await central.state('alice')).toBeUndefined();
    await pair.sync();
    expect(await node.read('/clients/list')).toEqual([]);

    // A new client with the name counts from zero, whatever is still reported for it.
    await central.add({ email: 'alice' }, [here, there]);
    await pair.useThere('alice', 4);
    expect(await central.state('alice')).toMatchObject({ upBytes: 4 });
    expect(await central.read('/inbounds/list')).toMatchObject([
      { id: here, settings: { clients: [{ email: 'alice' }] } },
      { id: there, settings: { clients: [{ email: 'alice' }] } },
    ]);
  } finally {
    await pair.close();
  }
});

test('17.19 a quota below zero is skipped, days still apply, and a client disabled by an admin stays so', async () => {
  const expiryTime = panel.clock() + 10 * DAY_MS;
  await panel.add({ email: 'alice', totalGB: 100, expiryTime, enable: false }, [a]);
  const result = await panel.done('/clients/bulkAdjust', { emails: ['alice'], addDays: 1, addBytes: -100 });
  expect(result).toMatchObject({
    adjusted: 1,
    skipped: [{ email: 'alice', reason: 'reduction exceeds remaining quota' }],
  });
  expect(await panel.state('alice')).toMatchObject({
    quotaBytes: 100,
    expiresAtMs: expiryTime + DAY_MS,
    enable: 0,
    disabledBy: 'admin',
  });
});
