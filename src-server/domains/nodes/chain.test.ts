import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manageNode } from '../../testing/managed-node.ts';
import { startWholePanel, type WholePanel } from '../../testing/whole-panel.ts';
import type { ClientRow } from '../clients/contract.ts';
import type { Inbound } from '../inbounds/contract.ts';
import type { Node } from './contract.ts';

type Managed = Awaited<ReturnType<typeof manageNode>>;

let top: WholePanel;
const managed: Managed[] = [];
beforeEach(async () => {
  top = await startWholePanel({ managesNodes: true, panelGuid: 'guid-of-the-top' });
});
afterEach(async () => {
  for (const each of managed.toReversed()) await each.node.nodes.idle();
  await top.nodes.idle();
  await top.close();
  for (const each of managed.splice(0)) await each.close();
});

async function manage(above: WholePanel, panelGuid: string, managesNodes = false): Promise<Managed> {
  const name = managed.some(({ node }) => node.panelGuid === panelGuid) ? `another ${panelGuid}` : panelGuid;
  const node = await manageNode(above, { panelGuid, name, managesNodes });
  managed.push(node);
  return node;
}
async function visit(panel: WholePanel): Promise<void> {
  await panel.nodes.visitAll();
  await panel.nodes.idle();
}
const nodes = () => top.read<Node[]>('/nodes/list');
const inbounds = () => top.read<Inbound[]>('/inbounds/list');

describe('a panel behind a node', () => {
  let middle: Managed;
  let last: Managed;
  beforeEach(async () => {
    middle = await manage(top, 'middle', true);
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
    await visit(middle.node);
    await top.tick();
    await visit(top);
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

  it('takes a client and its quota from the top, and its bytes count there exactly', async () => {
    const far = (await inbounds()).find(({ remark }) => remark === 'far away')!;
    await top.add({ email: 'carol', totalGB: 100 }, [far.id]);
    await visit(top);
    await visit(middle.node);
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
    // A port that several hosts of a chain have is no clash when one of them is edited.
    await top.done(`/inbounds/update/${far.id}`, { ...far, remark: 'very far away' });
    await visit(top);
    await visit(middle.node);
    expect(await last.node.read('/inbounds/list')).toMatchObject([{ remark: 'very far away', port: 443 }]);
  });

  it('is forgotten when the node in between is gone, with whoever is online on it', async () => {
    last.node.core.move('users', 'alice', 7, 0);
    await everyone();
    expect(await top.done('/clients/onlines')).toEqual(['alice']);
    middle.setUp(false);
    await visit(top);
    expect(await nodes()).toMatchObject([{ name: 'middle', status: 'offline' }]);
    expect(await top.done('/clients/onlines')).toEqual([]);
  });
});

describe('panels with one identity', () => {
  it('are told apart: inbounds, clients online and bytes of each are its own', async () => {
    const [one, two] = [await manage(top, 'copied'), await manage(top, 'copied')];
    await visit(top);
    for (const [at, { nodeId }] of [one, two].entries()) {
      const id = await top.inbound(443, { nodeId });
      await top.add({ email: `client-${at}` }, [id]);
    }
    await top.nodes.idle();
    one.node.core.move('users', 'client-0', 5, 0);
    for (const panel of [one.node, two.node, top]) await panel.tick();
    await visit(top);
    expect(await nodes()).toMatchObject([
      { inboundCount: 1, clientCount: 1, onlineCount: 1 },
      { inboundCount: 1, clientCount: 1, onlineCount: 0 },
    ]);
    expect(top.nodes.online.byGuid()).toMatchObject({ [`node:${one.nodeId}`]: ['client-0'] });
    expect((await inbounds()).map(({ originNodeGuid }) => originNodeGuid)).toEqual([
      `node:${one.nodeId}`,
      `node:${two.nodeId}`,
    ]);
  });

  it('are told apart from the panel that manages them', async () => {
    const copy = await manage(top, 'guid-of-the-top');
    await visit(top);
    const id = await top.inbound(443, { nodeId: copy.nodeId });
    await top.add({ email: 'alice' }, [id]);
    await top.nodes.idle();
    copy.node.core.move('users', 'alice', 5, 0);
    await copy.node.tick();
    await top.tick();
    await visit(top);
    expect(await top.state('alice')).toMatchObject({ upBytes: 5 });
    expect(await inbounds()).toMatchObject([{ originNodeGuid: `node:${copy.nodeId}` }]);
    expect(await nodes()).toMatchObject([{ inboundCount: 1, onlineCount: 1 }]);
  });
});
