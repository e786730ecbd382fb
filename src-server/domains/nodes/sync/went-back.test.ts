import { beforeEach, describe, expect, test } from 'vitest';
import { API_TOKEN } from '../../../testing/credentials.ts';
import { afterTest, forEachTest } from '../../../testing/for-each-test.ts';
import { manageNode } from '../../../testing/panels/managed-node.ts';
import { startNodePair } from '../../../testing/panels/node-pair.ts';
import { inFiles } from '../../../testing/postgres/databases.ts';
import type { ClientRow } from '../../clients/contract.ts';
import type { Inbound } from '../../inbounds/contract.ts';

/* A node that is restored from an older backup knows less than this panel: nothing here goes back with it. */

const pair = forEachTest(startNodePair);

async function backupThere(): Promise<ArrayBuffer> {
  const headers = { authorization: `Bearer ${API_TOKEN}` };
  return (await fetch(new URL('panel/api/server/getDb', pair.node.app.panel.url), { headers })).arrayBuffer();
}
async function settle(): Promise<void> {
  for (let at = 0; at < 8; at += 1) await pair.tick();
}
const nodeRow = () => pair.central.store.reader.selectFrom('nodes').selectAll().executeTakeFirstOrThrow();
const clientsThere = async () => (await pair.node.read<ClientRow[]>('/clients/list')).map(({ email }) => email).sort();

test.each(['127.0.0.1', 'localhost'])(
  'what was changed here since a backup is sent to the node restored from it, at %s',
  async (address) => {
    const { central, nodeId, port } = pair;
    const id = await central.inbound(443, { nodeId });
    for (const email of ['alice', 'bob', 'carol', 'dave', 'frank']) await central.add({ email, totalGB: 1_000 }, [id]);
    await central.done('/clients/bulkDisable', { emails: ['dave'] });
    for (const email of ['alice', 'bob', 'carol']) await pair.useThere(email, 100);
    const backup = await backupThere();

    await central.done('/clients/update/alice', { email: 'alice', totalGB: 5_000 });
    await central.done('/clients/update/frank', { email: 'francis', totalGB: 1_000 });
    await central.done('/clients/del/bob');
    await central.add({ email: 'erin' }, [id]);
    await central.done('/clients/bulkEnable', { emails: ['dave'] });
    const [inbound] = await central.read<Inbound[]>('/inbounds/list');
    await central.done(`/inbounds/update/${id}`, { ...inbound, remark: 'newer' });
    await pair.useThere('alice', 300);
    await pair.useThere('carol', 50);
    await central.done('/clients/resetTraffic/carol');
    await pair.useThere('carol', 20);
    await pair.useThere('erin', 5);

    await pair.restoreNode(backup);
    const reached = { scheme: 'http', address, port, tlsVerifyMode: 'skip', allowPrivateAddress: true };
    await central.done(`/nodes/update/${nodeId}`, { name: 'node', ...reached });
    await settle();
    expect(await nodeRow()).toMatchObject({ configDirty: 0, syncError: '', status: 'online' });
    expect(await clientsThere()).toEqual(['alice', 'carol', 'dave', 'erin', 'francis']);
    for (const panel of [central, pair.node]) {
      expect(await panel.state('alice')).toMatchObject({ quotaBytes: 5_000 });
      expect(await panel.state('dave')).toMatchObject({ enable: 1 });
      expect(await panel.state('bob')).toBeUndefined();
      expect((await panel.read<Inbound[]>('/inbounds/list'))[0]).toMatchObject({ remark: 'newer' });
    }
    await pair.useThere('alice', 7);
    await pair.useThere('carol', 3);
    await pair.useThere('erin', 1);
    expect(await central.state('alice')).toMatchObject({ upBytes: 407 });
    expect(await central.state('carol')).toMatchObject({ upBytes: 23 });
    expect(await central.state('erin')).toMatchObject({ upBytes: 6 });
    expect(await pair.node.state('carol')).toMatchObject({ upBytes: 3 });
  },
);

test('what a restored node counts again, as from a core that went on, counts once', async () => {
  const { central, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  await central.add({ email: 'alice' }, [id]);
  await pair.useThere('alice', 100);
  const backup = await backupThere();
  await pair.useThere('alice', 300);
  await pair.restoreNode(backup);
  await pair.tick();
  await pair.useThere('alice', 300);
  await settle();
  await pair.useThere('alice', 7);
  expect(await pair.node.state('alice')).toMatchObject({ upBytes: 407 });
  expect(await central.state('alice')).toMatchObject({ upBytes: 407 });
});

test('a client that was deleted and added again on a node that then started anew is no older database', async () => {
  const { central, node, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  for (const email of ['alice', 'bob', 'carol']) await central.add({ email }, [id]);
  for (const email of ['alice', 'bob', 'carol']) await pair.useThere(email, 100);
  pair.setUp(false);
  const [there] = await node.read<Inbound[]>('/inbounds/list');
  const before = await node.read<ClientRow[]>('/clients/list');
  await node.done('/clients/del/alice');
  await node.add({ ...before.find(({ email }) => email === 'alice') }, [there!.id]);
  await node.done('/clients/update/bob', { email: 'bob', totalGB: 5_000 });
  for (const email of ['bob', 'carol']) await pair.useThere(email, 7);
  await pair.restoreNode(await backupThere());
  pair.setUp(true);
  await settle();
  expect(await central.state('bob')).toMatchObject({ quotaBytes: 5_000, upBytes: 107 });
});

test('a reset of an inbound since the backup is made there again, and what it had used before counts once', async () => {
  const { central, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  await central.add({ email: 'alice' }, [id]);
  const use = (bytes: number): Promise<void> => {
    pair.node.core.move('inbounds', 'in-443-tcp', bytes, 0);
    return pair.useThere('alice', bytes);
  };
  const counted = async (): Promise<number> => {
    const rows = await central.store.reader
      .selectFrom('trafficTotals')
      .select('upBytes')
      .where('kind', '=', 'inbound')
      .execute();
    return rows.reduce((sum, { upBytes }) => sum + upBytes, 0);
  };
  const up = async (panel: typeof central) => (await panel.read<Inbound[]>('/inbounds/list'))[0]!.up;
  await use(1_000);
  const backup = await backupThere();
  central.jumpClock(1_000);
  pair.node.jumpClock(1_000);
  await central.done(`/inbounds/${id}/resetTraffic`);
  await use(30);
  expect([await counted(), await up(central), await up(pair.node)]).toEqual([1_030, 30, 30]);
  await pair.restoreNode(backup);
  await settle();
  await use(4);
  expect([await counted(), await up(central), await up(pair.node)]).toEqual([1_034, 4, 4]);
});

inFiles(test)(
  'what was deleted since stays deleted when the panel fails in the middle, as on a full disk',
  async () => {
    const { central, nodeId } = pair;
    const id = await central.inbound(443, { nodeId });
    for (const email of ['alice', 'bob']) await central.add({ email }, [id]);
    await pair.useThere('alice', 100);
    const backup = await backupThere();
    await central.done('/clients/del/bob');
    await pair.useThere('alice', 50);
    await pair.restoreNode(backup);
    central.write(`CREATE TRIGGER full BEFORE INSERT ON nodeClients BEGIN SELECT raise(ABORT, 'disk full'); END`);
    await settle();
    central.write('DROP TRIGGER full');
    await settle();
    expect(await central.state('bob')).toBeUndefined();
    expect(await clientsThere()).toEqual(['alice']);
  },
);

test('a client added anew under its name since the backup gets none of what the older one had used', async () => {
  const { central, nodeId } = pair;
  const id = await central.inbound(443, { nodeId });
  for (const email of ['alice', 'bob', 'carol']) await central.add({ email }, [id]);
  for (const email of ['alice', 'bob', 'carol']) await pair.useThere(email, 100);
  const backup = await backupThere();
  for (const email of ['bob', 'carol']) await pair.useThere(email, 50);
  await central.done('/clients/del/alice');
  await settle();
  await central.add({ email: 'alice' }, [id]);
  await pair.useThere('alice', 5);
  expect(await central.state('alice')).toMatchObject({ upBytes: 5 });

  await pair.restoreNode(backup);
  await settle();
  expect(await nodeRow()).toMatchObject({ configDirty: 0, syncError: '' });
  expect(await central.state('alice')).toMatchObject({ upBytes: 5 });
  await pair.useThere('alice', 7);
  expect(await central.state('alice')).toMatchObject({ upBytes: 12 });
  expect(await central.state('bob')).toMatchObject({ upBytes: 150 });
});

describe('a node with a node of its own', () => {
  let leaf: Awaited<ReturnType<typeof manageNode>>;
  beforeEach(async () => {
    leaf = await manageNode(pair.node, { panelGuid: 'guid-of-the-leaf', name: 'leaf' });
    afterTest(() => leaf.close());
    await leaf.node.inbound(443);
    for (const email of ['alice', 'bob']) await leaf.node.add({ email }, [1]);
    await rounds(2);
  });

  /** 5 s on every panel, the farthest first. */
  async function rounds(count: number): Promise<void> {
    for (let at = 0; at < count; at += 1) {
      await leaf.node.tick();
      await pair.node.tick();
      await pair.node.nodes.pollAll();
      await pair.node.nodes.idle();
      await pair.central.tick();
      await pair.sync();
    }
  }
  async function use(email: string, bytes: number): Promise<void> {
    leaf.node.core.move('inbounds', 'in-443-tcp', bytes, 0);
    leaf.node.core.move('users', email, bytes, 0);
    await rounds(1);
  }
  async function useOnNode(email: string, bytes: number): Promise<void> {
    pair.node.core.move('users', email, bytes, 0);
    await rounds(1);
  }
  const panels = () => [leaf.node, pair.node, pair.central];
  const counted = async (email: string) =>
    Promise.all(panels().map(async (panel) => (await panel.state(email))?.upBytes));
  /** Sums of the charts of inbounds. */
  const charted = async () =>
    Promise.all(
      panels().map(async ({ store }) => {
        const rows = store.reader.selectFrom('trafficTotals').select('upBytes').where('kind', '=', 'inbound');
        return (await rows.execute()).reduce((sum, { upBytes }) => sum + upBytes, 0);
      }),
    );

  test('is restored while that node is away: its bytes count once when it is back', async () => {
    for (const email of ['alice', 'bob']) await use(email, 100);
    const backup = await backupThere();
    await use('alice', 300);
    leaf.setUp(false);
    await pair.restoreNode(backup);
    await rounds(8);
    await use('alice', 20);
    leaf.setUp(true);
    await rounds(8);
    await use('alice', 7);
    expect(await counted('alice')).toEqual([427, 427, 427]);
    expect(await counted('bob')).toEqual([100, 100, 100]);
    expect(await charted()).toEqual([527, 527, 527]);
  });

  test('is restored, and both panels start again, while that node is away', async () => {
    const own = await pair.node.inbound(444);
    for (const email of ['carol', 'dave']) await pair.node.add({ email }, [own]);
    await rounds(2);
    for (const email of ['alice', 'bob']) await use(email, 100);
    const backup = await backupThere();
    await use('alice', 300);
    await use('bob', 300);
    leaf.setUp(false);
    await pair.restoreNode(backup);
    await rounds(8);
    await pair.restoreNode(await backupThere());
    await pair.restartCentral();
    await useOnNode('carol', 5);
    expect(await counted('carol')).toEqual([undefined, 5, 5]);
    await rounds(8);
    await use('alice', 20);
    leaf.setUp(true);
    await rounds(8);
    expect(await counted('alice')).toEqual([420, 420, 420]);
    expect(await counted('bob')).toEqual([400, 400, 400]);
    expect(await charted()).toEqual([820, 820, 820]);
  });

  test('is restored and manages that node no more: what is used on it from then on counts', async () => {
    const own = await pair.node.inbound(444);
    await rounds(2);
    await pair.node.done('/clients/alice/attach', { inboundIds: [own] });
    await use('alice', 100);
    const backup = await backupThere();
    await use('alice', 300);
    leaf.setUp(false);
    await pair.restoreNode(backup);
    await rounds(8);
    const far = (await pair.node.read<Inbound[]>('/inbounds/list')).find(({ nodeId }) => nodeId !== null);
    await pair.node.done(`/inbounds/del/${far!.id}`);
    await pair.node.nodes.remove(leaf.nodeId);
    await rounds(8);
    await useOnNode('alice', 7);
    expect(await counted('alice')).toEqual([400, 107, 407]);
  });

  test('has a reset lost: it is made there again, and nothing from before or since counts twice', async () => {
    for (const email of ['alice', 'bob']) await use(email, 100);
    const backup = await backupThere();
    await pair.central.done('/clients/resetTraffic/alice');
    await rounds(2);
    await use('alice', 300);
    await use('bob', 300);
    expect(await counted('alice')).toEqual([300, 300, 300]);
    leaf.setUp(false);
    await pair.restoreNode(backup);
    await rounds(8);
    leaf.setUp(true);
    await rounds(8);
    await use('alice', 7);
    expect(await counted('alice')).toEqual([7, 7, 307]);
    expect(await counted('bob')).toEqual([400, 400, 400]);
  });

  test('is restored while it reaches that node: what it forgot is read there, a client added since as well', async () => {
    for (const email of ['alice', 'bob']) await use(email, 100);
    const backup = await backupThere();
    const [far] = await pair.central.read<Inbound[]>('/inbounds/list');
    await pair.central.add({ email: 'erin' }, [far!.id]);
    await rounds(2);
    await use('alice', 300);
    await use('erin', 5);
    await pair.restoreNode(backup);
    await rounds(8);
    await use('erin', 20);
    expect(await counted('alice')).toEqual([400, 400, 400]);
    expect(await counted('erin')).toEqual([25, 25, 25]);
  });
});
