import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { DAY_MS } from '../../testing/panels/client-panel.ts';
import { startNodePair } from '../../testing/panels/node-pair.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';
import type { Inbound } from '../inbounds/contract.ts';

let local: number;
let onNode: number;
const panel = forEachTest(openPanel);
beforeEach(async () => {
  local = await panel.inbound(441);
  onNode = await panel.inbound(442, { nodeId: await panel.unreachableNode() });
});

async function use(email: string, up: number, down = 0): Promise<void> {
  panel.core.move('users', email, up, down);
  await panel.tick();
}

test('17.2 a client added on a node first and here second counts in both places, in one row', async () => {
  const pair = await startNodePair();
  try {
    const { central, nodeId } = pair;
    const there = await central.inbound(442, { nodeId });
    await central.add({ email: 'alice' }, [there]);
    await pair.sync();
    const here = await central.inbound(441);
    await central.done('/clients/alice/attach', { inboundIds: [here] });
    central.core.move('users', 'alice', 10, 20);
    await pair.useThere('alice', 100, 200);
    expect(await central.state('alice')).toMatchObject({ upBytes: 110, downBytes: 220 });
    expect(await central.read('/clients/traffic/alice')).toMatchObject({ up: 110, down: 220 });
    expect(await pair.node.state('alice')).toMatchObject({ upBytes: 100, downBytes: 200 });
    const { rows } = await sql<{ kind: string; up: number }>`SELECT source.kind, sum(entry.upBytes) AS up
      FROM trafficLedger AS entry JOIN trafficSources AS source ON source.id = entry.sourceId
      GROUP BY source.kind ORDER BY source.kind`.execute(central.store.reader);
    expect(rows).toEqual([
      { kind: 'core', up: 10 },
      { kind: 'node', up: 100 },
    ]);
  } finally {
    await pair.close();
  }
});

test('17.3 a quota used up on a node removes the user in both places within a tick and cuts connections if set', async () => {
  const pair = await startNodePair();
  try {
    const { central, node, nodeId } = pair;
    const here = await central.inbound(441);
    const there = await central.inbound(442, { nodeId });
    for (const isCut of [true, false]) {
      await central.set({ restartCoreOnClientDisable: isCut });
      const email = `cut-${isCut}`;
      await central.add({ email, totalGB: 1_000 }, [here, there]);
      await pair.sync();
      const [onNode] = await node.read<Inbound[]>('/inbounds/list');
      expect(node.core.users(onNode!.id)).toEqual([email]);
      central.core.move('users', email, 300, 0);
      central.core.online = [{ email, ips: [] }];
      const before = central.core.restarts.length;
      // Neither place alone has reached the quota.
      await pair.useThere(email, 400, 300);
      expect(await central.state(email)).toMatchObject({ enable: 0, disabledBy: 'loop' });
      expect(central.core.users(here)).toEqual([]);
      expect(central.core.restarts.length - before).toBe(isCut ? 1 : 0);
      expect(node.core.users(onNode!.id)).toEqual([]);
      expect(await node.state(email)).toMatchObject({ enable: 0 });
    }
  } finally {
    await pair.close();
  }
});

test('17.6 a delayed start begins with the first byte, everywhere at once; a second one waits for new bytes', async () => {
  const period = 3 * DAY_MS;
  await panel.add({ email: 'alice', expiryTime: -period }, [local, onNode]);
  await panel.tick();
  expect((await panel.state('alice'))?.expiresAtMs).toBe(-period);
  await use('alice', 1);
  const deadline = panel.clock() + period;
  expect((await panel.state('alice'))?.expiresAtMs).toBe(deadline);
  expect(await panel.read('/clients/get/alice')).toMatchObject({ client: { expiryTime: deadline } });
  const inbounds = await panel.read<{ settings: { clients: { expiryTime: number }[] } }[]>('/inbounds/list');
  expect(inbounds.map(({ settings }) => settings.clients[0]?.expiryTime)).toEqual([deadline, deadline]);
  expect(panel.core.applied.at(-1)?.users).toContainEqual({ inboundId: onNode, emails: ['alice'] });
  await panel.done('/clients/update/alice', { email: 'alice', expiryTime: -period });
  await panel.tick();
  expect((await panel.state('alice'))?.expiresAtMs).toBe(-period);
  await use('alice', 1);
  expect((await panel.state('alice'))?.expiresAtMs).toBe(panel.clock() + period);
});

test('17.6 on a node: its first bytes begin one deadline everywhere; a late report undoes nothing', async () => {
  const pair = await startNodePair();
  try {
    const { central, node, nodeId } = pair;
    const period = 3 * DAY_MS;
    const here = await central.inbound(441);
    const there = await central.inbound(442, { nodeId });
    await central.add({ email: 'alice', expiryTime: -period }, [here, there]);
    await pair.tick();
    expect((await central.state('alice'))?.expiresAtMs).toBe(-period);
    expect((await node.state('alice'))?.expiresAtMs).toBe(-period);

    // Begins here while the node cannot be notified; it keeps reporting the duration.
    const held = pair.hold('inbounds/list');
    const late = pair.sync();
    await held.reached;
    central.core.move('users', 'alice', 1, 0);
    await central.tick();
    const deadline = central.clock() + period;
    held.release();
    await late;
    expect((await central.state('alice'))?.expiresAtMs).toBe(deadline);
    await pair.tick();
    expect((await node.state('alice'))?.expiresAtMs).toBe(deadline);

    // A second delayed start begins with bytes on the node alone, and has the node's deadline in both places.
    await central.done('/clients/update/alice', { email: 'alice', expiryTime: -period });
    await pair.sync();
    await pair.tick();
    expect((await central.state('alice'))?.expiresAtMs).toBe(-period);
    await pair.useThere('alice', 5);
    const second = (await node.state('alice'))?.expiresAtMs;
    expect(second).toBe(node.clock() + period);
    expect((await central.state('alice'))?.expiresAtMs).toBe(second);
    const [shown] = await central.read<Inbound[]>('/inbounds/list');
    expect(shown).toMatchObject({ settings: { clients: [{ expiryTime: second }] } });
  } finally {
    await pair.close();
  }
});

test('17.15 a restart between polls causes no negative or huge delta; a failed enforcement loses none', async () => {
  await panel.add({ email: 'alice', totalGB: 100 }, [local]);
  await use('alice', 40, 0);
  panel.core.move('users', 'alice', 5, 0);
  panel.core.crash();
  panel.core.start();
  await use('alice', 3, 0);
  expect((await panel.state('alice'))?.upBytes).toBe(43);
  await panel.store.write((trx) =>
    trx.schema.alterTable('clients').renameColumn('updatedAtMs', 'updatedAtMs_').execute(),
  );
  await use('alice', 60, 0);
  expect(await panel.state('alice')).toMatchObject({ upBytes: 103, enable: 1 });
  await panel.store.write((trx) =>
    trx.schema.alterTable('clients').renameColumn('updatedAtMs_', 'updatedAtMs').execute(),
  );
  await panel.tick();
  expect(await panel.state('alice')).toMatchObject({ upBytes: 103, enable: 0, disabledBy: 'loop' });
});
