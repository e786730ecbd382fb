import { expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { startNodePair } from '../../../testing/panels/node-pair.ts';
import type { ClientRow } from '../../clients/contract.ts';
import type { Inbound } from '../../inbounds/contract.ts';

const pair = forEachTest(startNodePair);

const there = () => pair.node.read<Inbound[]>('/inbounds/list');
const clientsThere = () => pair.node.read<ClientRow[]>('/clients/list');
const nodeRow = () => pair.central.store.reader.selectFrom('nodes').selectAll().executeTakeFirstOrThrow();
const clientsOf = ({ settings }: Inbound) => (settings as { clients: { email: string; id: string }[] }).clients;

test('a node that has renewed its GUID keeps its inbounds and clients, and their traffic counts on', async () => {
  const { central, node, nodeId } = pair;
  const id = await central.inbound(443, { nodeId, remark: 'ours' });
  await central.add({ email: 'alice' }, [id]);
  await central.add({ email: 'off', enable: false }, [id]);
  await pair.useThere('alice', 10);
  const before = clientsOf((await there())[0]!);
  pair.setGuid('renewed');
  for (let poll = 0; poll < 3; poll += 1) await pair.sync();
  expect(await nodeRow()).toMatchObject({ guid: 'renewed', configDirty: 0, syncError: '' });
  expect(clientsOf((await there())[0]!).map(({ email, id: uuid }) => [email, uuid])).toEqual(
    before.map(({ email, id: uuid }) => [email, uuid]),
  );
  await pair.useThere('alice', 4);
  expect(await central.state('alice')).toMatchObject({ upBytes: 14 });
  await central.done('/clients/update/alice', { email: 'alice', totalGB: 77 });
  await central.done(`/inbounds/update/${id}`, {
    ...(await central.read<Inbound>(`/inbounds/get/${id}`)),
    remark: 'renamed',
  });
  await pair.sync();
  expect(await there()).toMatchObject([{ remark: 'renamed', tag: 'in-443-tcp' }]);
  expect(await clientsThere()).toMatchObject([
    { email: 'alice', totalGB: 77, enable: true },
    { email: 'off', enable: false },
  ]);
  await central.done(`/inbounds/del/${id}`);
  for (let poll = 0; poll < 3; poll += 1) await pair.sync();
  expect(await there()).toEqual([]);
  expect(node.panelGuid).not.toBe('renewed');
});

test('what was deleted here while a node renewed its GUID is deleted there, and not taken over again', async () => {
  const { central, node, nodeId } = pair;
  const kept = await central.inbound(443, { nodeId });
  const gone = await central.inbound(444, { nodeId });
  await central.add({ email: 'alice' }, [kept, gone]);
  await central.add({ email: 'bob' }, [kept, gone]);
  await central.add({ email: 'carol' }, [kept]);
  await pair.sync();
  await node.add({ email: 'theirs' }, [await node.inbound(445)]);
  await pair.sync();
  await central.done(`/nodes/setEnable/${nodeId}`, { enable: false });
  await central.done('/clients/bulkDel', { emails: ['bob', 'carol'] });
  await central.done(`/inbounds/del/${gone}`);
  // A new client with the name of a deleted one.
  const uuid = '0e3b4f0c-94a8-4d0e-9f0a-3f2b6f5f9a11';
  await central.add({ email: 'carol', id: uuid }, [kept]);
  pair.setGuid('renewed');
  await central.done(`/nodes/setEnable/${nodeId}`, { enable: true });
  for (let poll = 0; poll < 3; poll += 1) await pair.sync();
  expect(await nodeRow()).toMatchObject({ guid: 'renewed', configDirty: 0, syncError: '' });
  for (const panel of [central, node]) {
    expect((await panel.read<Inbound[]>('/inbounds/list')).map(({ port }) => port)).toEqual([443, 445]);
    expect((await panel.read<ClientRow[]>('/clients/list')).map(({ email }) => email).toSorted()).toEqual([
      'alice',
      'carol',
      'theirs',
    ]);
  }
  expect(clientsOf((await there())[0]!).find(({ email }) => email === 'carol')?.id).toBe(uuid);
});

test('an inbound of another panel is not taken for ours, even where tag and client names are the same', async () => {
  const { central, node, nodeId } = pair;
  const id = await central.inbound(443, { nodeId, remark: 'ours' });
  await central.add({ email: 'alice' }, [id]);
  await pair.sync();
  // Another panel has the same names with credentials of its own.
  for (const inbound of await there()) await node.done(`/inbounds/del/${inbound.id}`);
  await node.done('/clients/bulkDel', { emails: ['alice'] });
  const theirs = await node.inbound(443, { remark: 'theirs' });
  await node.add({ email: 'alice' }, [theirs]);
  const before = await there();
  pair.setGuid('another-panel');
  for (let poll = 0; poll < 3; poll += 1) await pair.sync();
  expect(await there()).toEqual(before);
  expect((await nodeRow()).syncError).toContain('the node has an inbound in-443-tcp of its own');
});
