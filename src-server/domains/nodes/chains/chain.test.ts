import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manageNode } from '../../../testing/panels/managed-node.ts';
import { openPanel, type TestPanel } from '../../../testing/panels/open-panel.ts';
import type { ClientRow } from '../../clients/contract.ts';
import type { Inbound } from '../../inbounds/contract.ts';
import type { Node } from '../contract.ts';

type Managed = Awaited<ReturnType<typeof manageNode>>;

let top: TestPanel;
const managed: Managed[] = [];
beforeEach(async () => {
  top = await openPanel({ panelGuid: 'guid-of-the-top' });
});
afterEach(async () => {
  for (const each of managed.toReversed()) await each.node.nodes.idle();
  await top.nodes.idle();
  await top.close();
  for (const each of managed.splice(0)) await each.close();
});

async function manage(above: TestPanel, panelGuid: string): Promise<Managed> {
  const name = managed.some(({ node }) => node.panelGuid === panelGuid) ? `another ${panelGuid}` : panelGuid;
  const node = await manageNode(above, { panelGuid, name });
  managed.push(node);
  return node;
}
async function poll(panel: TestPanel): Promise<void> {
  await panel.nodes.pollAll();
  await panel.nodes.idle();
}
const nodes = () => top.read<Node[]>('/nodes/list');
const inbounds = () => top.read<Inbound[]>('/inbounds/list');

describe('a panel behind a node', () => {
  let middle: Managed;
  let last: Managed;
  beforeEach(async () => {
    middle = await manage(top, 'middle');
    last = await manage(middle.node, 'last');
    await last.node.inbound(443, { remark: 'far away' });
    await last.node.add({ email: 'alice' }, [1]);
    await middle.node.inbound(443, { remark: 'half way' });
    await middle.node.add({ email: 'bob' }, [1]);
    await everyone();
    await everyone();
  });

  /** 5 s on every panel, the farthest first. */
  async function everyone(): Promise<void> {
    await last.node.tick();
    await middle.node.tick();
    await poll(middle.node);
    await top.tick();
    await poll(top);
  }

  it('is shown through whom it is known, with what runs there and not on the way', async () => {
    last.node.core.move('users', 'alice', 7, 0);
    await everyone();
    expect(await nodes()).toMatchObject([
      {
        id: middle.nodeId,
        name: 'middle',
        parentGuid: 'guid-of-the-top',
        inboundCount: 1,
        onlineCount: 0,
        clientCount: 2,
      },
      { id: 0, guid: 'last', transitive: true, parentGuid: 'middle', inboundCount: 1, onlineCount: 1, activeCount: 1 },
    ]);
    expect(
      (await inbounds())
        .map(({ remark, nodeId, originNodeGuid }) => [remark, nodeId, originNodeGuid])
        .sort(([a], [b]) => String(a).localeCompare(String(b))),
    ).toEqual([
      ['far away', middle.nodeId, 'last'],
      ['half way', middle.nodeId, 'middle'],
    ]);
    expect(await top.state('alice')).toMatchObject({ upBytes: 7 });
  });

  it('gets a client and its quota from the top panel, which counts its bytes exactly', async () => {
    const far = (await inbounds()).find(({ remark }) => remark === 'far away')!;
    await top.add({ email: 'carol', totalGB: 100 }, [far.id]);
    await poll(top);
    await poll(middle.node);
    expect((await last.node.read<ClientRow[]>('/clients/list')).map(({ email, totalGB }) => [email, totalGB])).toEqual([
      ['alice', 0],
      ['carol', 100],
    ]);
    last.node.core.move('users', 'carol', 40, 2);
    await everyone();
    expect(await top.state('carol')).toMatchObject({ upBytes: 40, downBytes: 2, enable: 1 });
    last.node.core.move('users', 'carol', 60, 0);
    await everyone();
    expect(await top.state('carol')).toMatchObject({ upBytes: 100, downBytes: 2, enable: 0 });
    // Several hosts of a chain may use the same port: editing one of them is no conflict.
    await top.done(`/inbounds/update/${far.id}`, { ...far, remark: 'very far away' });
    await poll(top);
    await poll(middle.node);
    expect(await last.node.read('/inbounds/list')).toMatchObject([{ remark: 'very far away', port: 443 }]);
  });

  it('has an inbound deleted in between: it is not made anew on the node in between', async () => {
    await last.node.inbound(444, { remark: 'farther' });
    await last.node.add({ email: 'carol' }, [2]);
    await everyone();
    await everyone();
    const [far] = (await middle.node.read<Inbound[]>('/inbounds/list')).filter(({ remark }) => remark === 'farther');
    await middle.node.done(`/inbounds/del/${far!.id}`);
    for (let round = 0; round < 4; round += 1) await everyone();
    expect((await middle.node.read<Inbound[]>('/inbounds/list')).map(({ remark }) => remark).sort()).toEqual([
      'far away',
      'half way',
    ]);
    const [here] = (await inbounds()).filter(({ remark }) => remark === 'farther');
    expect(await top.store.reader.selectFrom('nodes').select('syncError').executeTakeFirst()).toMatchObject({
      syncError: expect.stringContaining(`inbound ${here!.tag} was served by a panel behind the node`),
    });
    // Deleted here as well, nothing is left to settle.
    await top.done(`/inbounds/del/${here!.id}`);
    for (let round = 0; round < 3; round += 1) await everyone();
    expect(await top.store.reader.selectFrom('nodes').select('syncError').executeTakeFirst()).toEqual({
      syncError: '',
    });
  });

  it('is not called online while the node in between does not ask it', async () => {
    expect(await nodes()).toMatchObject([{ name: 'middle' }, { guid: 'last', status: 'online' }]);
    await middle.node.done(`/nodes/setEnable/${last.nodeId}`, { enable: false });
    for (let at = 0; at < 3; at += 1) await everyone();
    expect(await nodes()).toMatchObject([
      { name: 'middle', status: 'online' },
      { guid: 'last', status: 'unknown' },
    ]);
  });

  it('is forgotten with its online clients when the node in between is gone', async () => {
    last.node.core.move('users', 'alice', 7, 0);
    await everyone();
    expect(await top.done('/clients/onlines')).toEqual(['alice']);
    middle.setUp(false);
    await poll(top);
    expect(await nodes()).toMatchObject([{ name: 'middle', status: 'offline' }]);
    expect(await top.done('/clients/onlines')).toEqual([]);
  });
});
