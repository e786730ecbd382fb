import { afterEach, beforeEach, expect, test } from 'vitest';
import { startNodePair, type NodePair } from '../../testing/node-pair.ts';
import type { ClientRow } from '../clients/contract.ts';
import type { Inbound } from '../inbounds/contract.ts';

let pair: NodePair;
beforeEach(async () => {
  pair = await startNodePair();
});
afterEach(() => pair.close());

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
