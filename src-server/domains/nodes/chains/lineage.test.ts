import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manageNode } from '../../../testing/panels/managed-node.ts';
import { openPanel, type TestPanel } from '../../../testing/panels/open-panel.ts';
import type { Inbound } from '../../inbounds/contract.ts';
import type { Node } from '../contract.ts';

type Managed = Awaited<ReturnType<typeof manageNode>>;

let top: TestPanel;
const managed: Managed[] = [];
beforeEach(async () => {
  top = await openPanel({ panelGuid: 'top' });
});
afterEach(async () => {
  for (const each of managed.toReversed()) await each.node.nodes.idle();
  await top.nodes.idle();
  await top.close();
  for (const each of managed.splice(0)) await each.close();
});

/** Saves a panel that can manage others as a node without probing it first, as an earlier build did. */
async function manage(above: TestPanel, panelGuid: string, name = panelGuid): Promise<Managed> {
  const node = await manageNode(above, { panelGuid, name });
  managed.push(node);
  return node;
}
/** The same panel at another address, added manually. */
const asNode = ({ port, token }: Managed, name: string) => ({
  name,
  scheme: 'http',
  address: '127.0.0.1',
  port,
  apiToken: token,
  allowPrivateAddress: true,
});
async function poll(...panels: TestPanel[]): Promise<void> {
  for (const panel of panels) {
    await panel.tick();
    await panel.nodes.pollAll();
    await panel.nodes.idle();
  }
}
const inboundsOf = async (panel: TestPanel) => (await panel.read<Inbound[]>('/inbounds/list')).map(({ tag }) => tag);
const nodesOf = (panel: TestPanel) => panel.read<Node[]>('/nodes/list');
const refusal = async (panel: TestPanel, call: string, body: object) => {
  const { success, error } = await panel.post(call, body);
  return success ? 'taken' : error?.code;
};
const afterAMinute = async (...panels: TestPanel[]) => {
  for (let at = 0; at < 8; at += 1) await poll(...panels);
};

describe('a panel as its own node', () => {
  let self: Managed;
  beforeEach(async () => {
    self = await manage(top, 'lower');
  });

  it('is refused on test, add and replace', async () => {
    const { node } = self;
    const own = asNode(self, 'own');
    expect(await refusal(node, '/nodes/test', own)).toBe('node.isThisPanel');
    expect(await refusal(node, '/nodes/add', own)).toBe('node.isThisPanel');
    expect(await nodesOf(node)).toEqual([]);
    const other = await manage(node, 'other');
    await poll(node);
    expect(await refusal(node, `/nodes/update/${other.nodeId}`, { ...own, name: 'other' })).toBe('node.isThisPanel');
    expect(await nodesOf(node)).toMatchObject([{ guid: 'other', port: other.port, status: 'online' }]);
  });

  it('adopts nothing of itself when already saved, reports it, and can be removed', async () => {
    const { node } = self;
    await node.inbound(443);
    const id = await node.nodes.add(asNode(self, 'own') as never);
    await afterAMinute(node);
    expect(await inboundsOf(node)).toEqual(['in-443-tcp']);
    expect(await nodesOf(node)).toMatchObject([
      { status: 'offline', guid: '', lastRefusal: { code: 'node.isThisPanel' } },
    ]);
    await node.done(`/nodes/del/${id}`);
    expect(await inboundsOf(node)).toEqual(['in-443-tcp']);
  });
});

describe('two panels that are each other’s node', () => {
  let lower: Managed;
  let door: Managed;
  beforeEach(async () => {
    // A panel managed from below needs an address; a top panel has one.
    const outside = await openPanel({ panelGuid: 'outside' });
    door = await manage(outside, 'upper');
    managed.push({ ...door, node: outside, close: () => outside.close() });
    lower = await manage(door.node, 'lower');
    await door.node.inbound(441);
    await lower.node.inbound(442);
    await poll(door.node);
  });

  it('is refused by the second of them', async () => {
    expect(await refusal(lower.node, '/nodes/test', asNode(door, 'upper'))).toBe('node.isAbove');
    expect(await refusal(lower.node, '/nodes/add', asNode(door, 'upper'))).toBe('node.isAbove');
    expect(await nodesOf(lower.node)).toEqual([]);
  });

  it('returns no inbound to the panel it came from, and leaves the first relation unchanged', async () => {
    const back = await lower.node.nodes.add(asNode(door, 'upper') as never);
    await afterAMinute(lower.node, door.node);
    expect(await inboundsOf(lower.node)).toEqual(['in-442-tcp']);
    expect(await inboundsOf(door.node)).toEqual(['in-441-tcp', 'in-442-tcp']);
    expect((await nodesOf(lower.node))[0]).toMatchObject({ lastRefusal: { code: 'node.isAbove' } });
    // The first relation continues.
    expect((await nodesOf(door.node))[0]).toMatchObject({ status: 'online', lastRefusal: null });
    await lower.node.done(`/nodes/del/${back}`);
    await afterAMinute(lower.node, door.node);
    expect((await nodesOf(door.node))[0]).toMatchObject({ status: 'online', lastRefusal: null });
  });

  it('is detected across a panel in between, from both ends', async () => {
    const last = await manage(lower.node, 'last');
    await last.node.inbound(443);
    await afterAMinute(last.node, lower.node, door.node);
    // Upwards: the master is known. Downwards: its inbounds have arrived through another node.
    expect(await refusal(last.node, '/nodes/add', asNode(door, 'upper'))).toBe('node.isAbove');
    expect(await refusal(door.node, '/nodes/add', asNode(last, 'last'))).toBe('node.isBehind');
    await last.node.nodes.add(asNode(door, 'upper') as never);
    await afterAMinute(last.node, lower.node, door.node);
    expect(await inboundsOf(last.node)).toEqual(['in-443-tcp']);
    expect(await inboundsOf(lower.node)).toEqual(['in-442-tcp', 'in-443-tcp']);
  });
});

describe('a chain of three whose last panel adds the first', () => {
  it('is refused as soon as the panel in between is known to it', async () => {
    const outside = await openPanel({ panelGuid: 'outside' });
    const first = await manage(outside, 'first');
    managed.push({ ...first, node: outside, close: () => outside.close() });
    const middle = await manage(first.node, 'middle');
    const last = await manage(middle.node, 'last');
    await poll(first.node);
    last.node.nodes.noteMaster('middle', []);
    expect(await refusal(last.node, '/nodes/add', asNode(first, 'first'))).toBe('node.isAbove');
  });

  it('keeps its established part: reports of others take no node away', async () => {
    const middle = await manage(top, 'middle');
    await poll(top);
    top.nodes.noteMaster('last', ['middle']);
    await poll(top, top);
    expect(await nodesOf(top)).toMatchObject([{ name: 'middle', status: 'online', lastRefusal: null }]);
    expect(await refusal(top, '/nodes/test', asNode(middle, 'again'))).toBe('node.alreadyAdded');
  });
});

describe('one panel at two addresses', () => {
  it('is refused by its GUID, naming the node that it is already', async () => {
    const first = await manage(top, 'there', 'Amsterdam');
    await poll(top);
    const again = { ...asNode(first, 'again'), address: 'localhost' };
    const response = await top.post('/nodes/add', again);
    expect(response).toMatchObject({
      success: false,
      error: { code: 'node.alreadyAdded', params: { name: 'Amsterdam' } },
    });
    expect(await refusal(top, '/nodes/test', again)).toBe('node.alreadyAdded');
    expect(await nodesOf(top)).toMatchObject([{ name: 'Amsterdam' }]);
  });

  it('counts once where it stands in two rows, by the first', async () => {
    const first = await manage(top, 'there', 'Amsterdam');
    const own = await first.node.inbound(443);
    await first.node.add({ email: 'alice' }, [own]);
    await poll(top);
    await top.nodes.add({ ...asNode(first, 'again'), address: 'localhost' } as never);
    await poll(first.node, top, top);
    first.node.core.move('users', 'alice', 50, 0);
    await poll(first.node, top, top);
    expect(await inboundsOf(top)).toEqual(['in-443-tcp']);
    expect(await top.state('alice')).toMatchObject({ upBytes: 50 });
    expect(await nodesOf(top)).toMatchObject([
      { status: 'online' },
      { status: 'offline', lastRefusal: { code: 'node.alreadyAdded', params: { name: 'Amsterdam' } } },
    ]);
  });

  it('cannot replace another node by claiming its GUID', async () => {
    const [one, two] = [await manage(top, 'one'), await manage(top, 'two')];
    await poll(top);
    one.setGuid('two');
    await poll(top, top);
    expect(await nodesOf(top)).toMatchObject([
      { name: 'one', guid: 'one', lastRefusal: { code: 'node.alreadyAdded' } },
      { name: 'two', guid: 'two', status: 'online' },
    ]);
    expect(two.calls).toEqual([]);
  });
});

it('a panel that manages a node of this one is refused: what runs there would count twice', async () => {
  const middle = await manage(top, 'middle');
  const shared = await manage(top, 'shared');
  await poll(top);
  await middle.node.nodes.add(asNode(shared, 'shared') as never);
  await shared.node.inbound(443);
  await afterAMinute(shared.node, middle.node, top);
  expect((await nodesOf(top))[0]).toMatchObject({
    name: 'middle',
    lastRefusal: { code: 'node.managesNode', params: { name: 'shared' } },
  });
  expect(await inboundsOf(top)).toEqual(['in-443-tcp']);
});
