import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { startNodePair } from '../../../testing/panels/node-pair.ts';
import type { TestPanel } from '../../../testing/panels/open-panel.ts';
import { createMerge } from '../../clientIps/merge.ts';

const pair = forEachTest(startNodePair);
beforeEach(async () => {
  const id = await pair.central.inbound(443, { nodeId: pair.nodeId });
  await pair.central.add({ email: 'alice', limitIp: 2 }, [id]);
  await pair.central.add({ email: 'bob' }, [id]);
  await pair.sync();
});

const seenBy = async (panel: TestPanel) =>
  (
    await panel.store.reader
      .selectFrom('clientAddresses')
      .select(['email', 'guid', 'ip'])
      .orderBy('email')
      .orderBy('ip')
      .execute()
  ).map(({ email, guid, ip }) => `${email} ${ip} ${guid}`);
/** The next exchange; addresses are exchanged every ten seconds. */
async function exchange(): Promise<void> {
  pair.central.jumpClock(10_000);
  await pair.sync();
}

test('addresses seen by a node arrive under its GUID; those seen elsewhere are sent to it where limited', async () => {
  const { central, node, nodeId } = pair;
  const connection = (ip: string) => [{ ip, lastSeenMs: node.clock() }];
  node.core.online = [
    { email: 'alice', ips: connection('192.0.2.1') },
    { email: 'bob', ips: connection('192.0.2.2') },
  ];
  await pair.addresses.scan();
  await exchange();
  const there = ['alice 192.0.2.1 guid-of-the-node', 'bob 192.0.2.2 guid-of-the-node'];
  expect(await seenBy(central)).toEqual(there);

  const here = createMerge(central.store, central.clock);
  const seen = (ip: string) => [{ ip, timestamp: Math.floor(central.clock() / 1000) }];
  await here.mergeSeen(central.panelGuid, { alice: seen('198.51.100.1'), bob: seen('198.51.100.2') });
  await exchange();
  expect(await seenBy(node)).toEqual([
    'alice 192.0.2.1 guid-of-the-node',
    'alice 198.51.100.1 ',
    'bob 192.0.2.2 guid-of-the-node',
  ]);
  // Addresses sent to the node do not come back as seen there.
  await exchange();
  const own = [`alice 198.51.100.1 ${central.panelGuid}`, `bob 198.51.100.2 ${central.panelGuid}`];
  expect(await seenBy(central)).toEqual([there[0], own[0], there[1], own[1]]);

  await central.nodes.setEnable(nodeId, false);
  for (const { id } of await central.read<{ id: number }[]>('/inbounds/list'))
    await central.done(`/inbounds/del/${id}`);
  await central.nodes.remove(nodeId);
  // When a client loses its last inbound, its addresses are dropped for every observer.
  expect(await seenBy(central)).toEqual([]);
});

test('sightings that are old, of unknown clients or of this panel itself are ignored; renames keep sightings', async () => {
  const { central, node } = pair;
  node.core.online = [
    { email: 'alice', ips: [{ ip: '192.0.2.1', lastSeenMs: node.clock() }] },
    { email: 'bob', ips: [{ ip: '192.0.2.2', lastSeenMs: node.clock() }] },
  ];
  await pair.addresses.scan();
  pair.respondOnce('clients/clientIpsByGuid', {
    'guid-of-the-node': { bob: [{ ip: '192.0.2.2', timestamp: 1 }], stranger: [{ ip: '192.0.2.9', timestamp: 2e9 }] },
    [central.panelGuid]: { alice: [{ ip: '192.0.2.8', timestamp: 2e9 }] },
  });
  await exchange();
  // Too old, unknown client, and this panel's own sightings coming back.
  expect(await seenBy(central)).toEqual([]);
  await central.done('/clients/update/alice', { email: 'carol' });
  await central.nodes.idle();
  await exchange();
  expect(await seenBy(central)).toEqual(['bob 192.0.2.2 guid-of-the-node', 'carol 192.0.2.1 guid-of-the-node']);
});
