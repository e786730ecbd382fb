import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '../../testing/client-panel.ts';
import { NODE_ID, startWholePanel, type WholePanel } from '../../testing/whole-panel.ts';

let panel: WholePanel;
let local: number;
let onNode: number;
beforeEach(async () => {
  panel = await startWholePanel();
  local = await panel.inbound(441);
  onNode = await panel.inbound(442, { nodeId: NODE_ID });
});
afterEach(() => panel.close());

async function use(email: string, up: number, down = 0): Promise<void> {
  panel.core.move('users', email, up, down);
  await panel.tick();
}

test('17.2 a client on a node first and here second is counted here too, by its e-mail', async () => {
  await panel.add({ email: 'alice' }, [onNode]);
  await panel.done('/clients/alice/attach', { inboundIds: [local] });
  await use('alice', 10, 20);
  expect(await panel.state('alice')).toMatchObject({ upBytes: 10, downBytes: 20 });
  expect(await panel.read('/clients/traffic/alice')).toMatchObject({
    up: 10,
    down: 20,
    inboundId: local,
  });
});

test('17.3 a quota used up elsewhere removes the user here within one tick and cuts connections if that is wanted', async () => {
  for (const isCut of [true, false]) {
    panel.settings.restartCoreOnClientDisable = isCut;
    const email = `cut-${isCut}`;
    await panel.add({ email, totalGB: 1_000 }, [local, onNode]);
    await use(email, 1, 1);
    panel.core.online = [{ email, ips: [] }];
    await panel.pushTotals({ email, up: 600, down: 400 });
    const before = panel.runtime.restarts.length;
    await panel.tick();
    expect(panel.runtime.users(local)).toEqual([]);
    expect(panel.runtime.staged.at(-1)?.users).toEqual([
      { inboundId: local, emails: [email] },
      { inboundId: onNode, emails: [email] },
    ]);
    expect(panel.runtime.restarts.length - before).toBe(isCut ? 1 : 0);
  }
});

test('17.6 a delayed start begins with the first byte, as one deadline everywhere, and a second one waits for new bytes', async () => {
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
  expect(panel.runtime.staged.at(-1)?.users).toContainEqual({ inboundId: onNode, emails: ['alice'] });
  await panel.done('/clients/update/alice', { email: 'alice', expiryTime: -period });
  await panel.tick();
  expect((await panel.state('alice'))?.expiresAtMs).toBe(-period);
  await use('alice', 1);
  expect((await panel.state('alice'))?.expiresAtMs).toBe(panel.clock() + period);
});

test('17.15 a restart between polls makes no negative or huge deltas, and a failed enforcement loses none', async () => {
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
