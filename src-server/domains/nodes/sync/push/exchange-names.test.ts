import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../../../testing/for-each-test.ts';
import { startNodePair } from '../../../../testing/panels/node-pair.ts';
import type { ClientRow } from '../../../clients/contract.ts';

/* Names that move from one client to another while the node is away; more than 32 changes go with their inbound. */

const MANY = Array.from({ length: 34 }, (_, at) => `other-${at}`);

let inboundId: number;
const pair = forEachTest(startNodePair);
beforeEach(async () => {
  const { central, nodeId } = pair;
  inboundId = await central.inbound(443, { nodeId });
  const emails = ['alice', 'bob', ...MANY];
  const created = emails.map((email) => ({ client: { email, totalGB: 1_000_000 }, inboundIds: [inboundId] }));
  await central.done('/clients/bulkCreate', created);
  await pair.useThere('alice', 1_000);
  await pair.useThere('bob', 20);
  pair.setUp(false);
  await pair.sync();
});

const rename = (from: string, email: string) => pair.central.done(`/clients/update/${from}`, { email });

/** The node is back, and so many others have changed too. */
async function comeBack(others: number): Promise<void> {
  if (others > 0) await pair.central.done('/clients/bulkAdjust', { emails: MANY.slice(0, others), addBytes: 100 });
  pair.setUp(true);
  await pair.sync();
}

/** Usage on both panels agrees. */
async function expectUsed(used: Record<string, number>): Promise<void> {
  const { central } = pair;
  const row = await central.store.reader.selectFrom('nodes').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ configDirty: 0, syncError: '' });
  const rows = await central.read<ClientRow[]>('/clients/list');
  const here = rows.filter(({ email }) => email in used).map(({ email, traffic }) => [email, traffic.up]);
  expect(Object.fromEntries(here)).toEqual(used);
  const there = await pair.node.read<ClientRow[]>('/clients/list');
  const subIds = (list: readonly ClientRow[]) => Object.fromEntries(list.map(({ email, subId }) => [email, subId]));
  expect(subIds(there)).toEqual(subIds(rows));
}

test.each([0, 34])(
  'a name given to a new client after a rename counts for each its own (%i others)',
  async (others) => {
    await rename('alice', 'carol');
    await pair.central.add({ email: 'alice' }, [inboundId]);
    await comeBack(others);
    pair.node.core.move('users', 'carol', 900, 0);
    await pair.useThere('alice', 50);
    await expectUsed({ carol: 1_900, alice: 50, bob: 20 });
  },
);

test.each([0, 34])('exchanged names are exchanged there too, and each counter goes on (%i others)', async (others) => {
  await rename('alice', 'third');
  await rename('bob', 'alice');
  await rename('third', 'bob');
  await comeBack(others);
  await pair.useThere('bob', 3);
  await expectUsed({ bob: 1_003, alice: 20 });
});

test.each([0, 34])('a name whose next bearer is sent first is free in time (%i others)', async (others) => {
  await rename('bob', 'carol');
  await rename('alice', 'bob');
  await comeBack(others);
  await pair.useThere('bob', 3);
  await expectUsed({ bob: 1_003, carol: 20 });
});

test.each([0, 34])('a client added again under its name counts from its first byte (%i others)', async (others) => {
  await pair.central.done('/clients/del/alice');
  await pair.central.add({ email: 'alice' }, [inboundId]);
  await comeBack(others);
  await pair.useThere('alice', 900);
  await expectUsed({ alice: 900 });
});

test.each(['on an inbound of its own', 'without an inbound'])(
  'a name that a client of the node has %s stops none of many new clients',
  async (where) => {
    const { central, node } = pair;
    await pair.select([]);
    const own = await node.inbound(8443);
    await node.add({ email: 'carol' }, [own]);
    if (where === 'without an inbound') await node.done('/clients/carol/detach', { inboundIds: [own] });
    const theirs = await node.read<ClientRow>('/clients/get/carol');
    const emails = ['carol', ...Array.from({ length: 40 }, (_, at) => `new-${at}`)];
    const created = emails.map((email) => ({ client: { email }, inboundIds: [inboundId] }));
    await central.done('/clients/bulkCreate', created);
    await comeBack(0);
    await pair.useThere('new-39', 5);
    expect(await central.state('new-39')).toMatchObject({ upBytes: 5 });
    expect(await node.read<ClientRow>('/clients/get/carol')).toEqual(theirs);
    const { syncError } = await central.store.reader.selectFrom('nodes').selectAll().executeTakeFirstOrThrow();
    expect(syncError).toBe('the node has a client carol of its own; rename one of the two');
  },
);

test('a name that the node has for another client of its own stops no other client', async () => {
  await pair.node.inbound(8443);
  const list = await pair.node.read<{ id: number; port: number }[]>('/inbounds/list');
  await pair.node.add({ email: 'carol' }, [list.find(({ port }) => port === 8443)!.id]);
  await rename('alice', 'carol');
  await comeBack(34);
  expect(await pair.node.state(MANY[0]!)).toMatchObject({ quotaBytes: 1_000_100 });
  await rename('carol', 'dora');
  await pair.sync();
  await pair.useThere('dora', 5);
  expect(await pair.central.state('dora')).toMatchObject({ upBytes: 1_005 });
});
