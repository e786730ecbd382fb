import { beforeEach, describe, expect, it } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { trafficPanel } from '../../../testing/panels/traffic-panel.ts';

const DAY = 86_400_000;
let inboundId: number;
const panel = forEachTest(trafficPanel);
beforeEach(async () => {
  inboundId = await panel.addInbound('in-443-tcp');
});

/** Runs the loop as in the running panel. */
async function run(ms: number): Promise<void> {
  panel.service().start();
  await panel.advance(ms);
}

describe('quota', () => {
  it('disables a depleted client everywhere, notifies the runtime and restarts the core once', async () => {
    const { core, runtime } = panel;
    const other = await panel.addInbound('in-444-tcp');
    const alice = await panel.addClient('alice', { quotaBytes: 1_000, inboundIds: [inboundId, other] });
    const bob = await panel.addClient('bob', { quotaBytes: 1_000, inboundIds: [inboundId] });
    const carol = await panel.addClient('carol', { inboundIds: [inboundId] });
    core.move('users', 'alice', 500, 500);
    core.move('users', 'bob', 5_000, 0);
    core.move('users', 'carol', 5_000, 0);
    await panel.tick();
    expect(await panel.state(alice)).toMatchObject({ enable: 0, disabledBy: 'loop', upBytes: 500, downBytes: 500 });
    expect(await panel.state(bob)).toMatchObject({ enable: 0, disabledBy: 'loop' });
    expect(await panel.state(carol)).toMatchObject({ enable: 1, disabledBy: '' });
    const change = {
      users: [
        { inboundId, emails: ['alice', 'bob'] },
        { inboundId: other, emails: ['alice'] },
      ],
      inboundIds: [],
    };
    expect(runtime.staged).toEqual([change]);
    expect(runtime.applied).toEqual([change]);
    expect(runtime.restarts).toEqual(['2 client(s) reached their quota or expired']);
    const resources = panel.events.flatMap((event) => (event.type === 'invalidate' ? [event.resource] : []));
    expect(resources).toEqual(['clients', 'inbounds']);
    await panel.tick();
    expect(runtime.restarts).toHaveLength(1);
  });

  it('leaves open connections alone when the operator wants that', async () => {
    await panel.set({ restartCoreOnClientDisable: false });
    await panel.addClient('alice', { quotaBytes: 10, inboundIds: [inboundId] });
    panel.core.move('users', 'alice', 10, 0);
    await panel.tick();
    panel.core.move('users', 'alice', 10, 0);
    await panel.tick();
    expect(panel.runtime.applied).toHaveLength(1);
    expect(panel.runtime.restarts).toEqual([]);
  });

  it('counts what moves during the restart that cuts the connections', async () => {
    const alice = await panel.addClient('alice', { quotaBytes: 10, inboundIds: [inboundId] });
    panel.core.move('users', 'alice', 10, 0);
    panel.runtime.apply = async () => {
      panel.core.move('users', 'alice', 7, 0);
      return { core: { kind: 'live' }, nodePending: false };
    };
    await panel.tick();
    expect((await panel.state(alice)).upBytes).toBe(17);
  });

  it('reads every second while a client is about to reach its quota', async () => {
    const { core } = panel;
    const alice = await panel.addClient('alice', { quotaBytes: 15_000, inboundIds: [inboundId] });
    const bob = await panel.addClient('bob', { inboundIds: [inboundId] });
    panel.service().start();
    for (let second = 0; second < 20; second++) {
      core.move('users', 'alice', 1_000, 0);
      core.move('users', 'bob', 1_000, 0);
      await panel.advance(1_000);
      if (panel.runtime.restarts.length > 0) break;
    }
    const { upBytes, enable } = await panel.state(alice);
    expect(enable).toBe(0);
    expect(upBytes).toBe(15_000);
    await panel.tick();
    expect((await panel.state(bob)).upBytes).toBe(15_000);
  });

  it('reads everything every second, so that a killed core loses no more than a second', async () => {
    const { core } = panel;
    const alice = await panel.addClient('alice', { inboundIds: [inboundId] });
    panel.service().start();
    await panel.advance(5_000);
    for (let second = 0; second < 7; second++) {
      core.move('users', 'alice', 1_000, 0);
      await panel.advance(1_000);
    }
    core.move('users', 'alice', 900, 0);
    core.crash();
    await panel.advance(5_000);
    expect((await panel.state(alice)).upBytes).toBe(7_000);
    expect([...panel.service().onlineEmails()]).toEqual(['alice']);
  });

  it('leaves expensive readings to the tick', async () => {
    const readings: number[] = [];
    const dear = await trafficPanel();
    dear.reopen({ monotonic: () => dear.clock() + dear.core.reads * 300 });
    try {
      dear.service().start();
      await dear.advance(5_000);
      for (let second = 0; second < 10; second++) {
        const before = dear.core.reads;
        await dear.advance(1_000);
        readings.push(dear.core.reads - before);
      }
      expect(readings).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    } finally {
      await dear.close();
    }
  });

  it('cuts a connection that outlived the removal of its user', async () => {
    const alice = await panel.addClient('alice', { expiresAtMs: panel.clock() + 1_000, inboundIds: [inboundId] });
    await run(2_000);
    expect((await panel.state(alice)).enable).toBe(0);
    expect(panel.runtime.restarts).toEqual([]);
    panel.core.move('users', 'alice', 5, 5);
    await panel.advance(5_000);
    expect(panel.runtime.restarts).toEqual(['a client that was switched off still has an open connection']);
    await panel.advance(30_000);
    expect(panel.runtime.restarts).toHaveLength(1);
  });

  it('never restarts twice within five seconds and retries a failed restart', async () => {
    const { core, runtime } = panel;
    let refusals = 1;
    runtime.restartCore = async (reason) => {
      runtime.restarts.push(reason);
      if (refusals-- > 0) throw new Error('the config is invalid');
      await core.restart();
    };
    await panel.addClient('alice', { quotaBytes: 10, inboundIds: [inboundId] });
    core.move('users', 'alice', 10, 0);
    panel.service().start();
    while (runtime.restarts.length === 0) await panel.advance(1_000);
    await panel.advance(29_000);
    expect(runtime.restarts).toHaveLength(1);
    await panel.advance(2_000);
    expect(runtime.restarts).toHaveLength(2);
    await panel.advance(60_000);
    expect(runtime.restarts).toHaveLength(2);
  });

  it('does not start a core that is stopped', async () => {
    await panel.addClient('alice', { expiresAtMs: panel.clock() + 7_000, inboundIds: [inboundId] });
    panel.core.move('users', 'alice', 1, 0);
    await panel.tick();
    await panel.core.stop();
    await panel.tick();
    expect(panel.runtime.restarts).toEqual([]);
  });

  it('needs no restart for wireguard, which drops removed peers itself', async () => {
    const wireguard = await panel.addInbound('in-51820-udp', { protocol: 'wireguard' });
    await panel.addClient('alice', { quotaBytes: 10, inboundIds: [wireguard] });
    panel.core.move('users', 'alice', 10, 0);
    await panel.tick();
    expect(panel.runtime.applied).toHaveLength(1);
    expect(panel.runtime.restarts).toEqual([]);
  });
});

describe('expiry', () => {
  it('takes effect at the exact moment, not at the next tick', async () => {
    const expiresAtMs = panel.clock() + 61_350;
    const alice = await panel.addClient('alice', { expiresAtMs, inboundIds: [inboundId] });
    await run(61_349);
    expect((await panel.state(alice)).enable).toBe(1);
    await panel.advance(1);
    expect((await panel.state(alice)).enable).toBe(0);
  });

  it('follows a corrected clock within seconds', async () => {
    const alice = await panel.addClient('alice', { expiresAtMs: panel.clock() + 10 * DAY, inboundIds: [inboundId] });
    await run(10_000);
    panel.jumpClock(11 * DAY);
    await panel.advance(2_000);
    expect(await panel.state(alice)).toMatchObject({ enable: 0, disabledBy: 'loop' });
  });

  it('does not follow a clock that is ten years ahead for a minute', async () => {
    const alice = await panel.addClient('alice', { expiresAtMs: panel.clock() + 10 * DAY, inboundIds: [inboundId] });
    const expiresAtMs = panel.clock() + 5 * DAY;
    const bob = await panel.addClient('bob', { expiresAtMs, resetDays: 30, inboundIds: [inboundId] });
    const carol = await panel.addClient('carol', { expiresAtMs: -30 * DAY, inboundIds: [inboundId] });
    await run(10_000);
    panel.jumpClock(3_653 * DAY);
    panel.core.move('users', 'bob', 5, 5);
    panel.core.move('users', 'carol', 5, 5);
    await panel.advance(60_000);
    panel.jumpClock(-3_653 * DAY);
    await panel.advance(10_000);
    expect(await panel.state(alice)).toMatchObject({ enable: 1 });
    expect(await panel.state(bob)).toMatchObject({ enable: 1, expiresAtMs, upBytes: 5 });
    expect((await panel.state(carol)).expiresAtMs).toBeLessThan(panel.clock() + 31 * DAY);
    expect((await panel.state(carol)).lastOnlineAtMs).toBeLessThanOrEqual(panel.clock());
  });

  it('is taken back when the clock was ahead, unless the quota is used up or an admin ended the client', async () => {
    const expiresAtMs = panel.clock() + 10 * DAY;
    const alice = await panel.addClient('alice', { expiresAtMs, inboundIds: [inboundId] });
    const bob = await panel.addClient('bob', { expiresAtMs, quotaBytes: 10, inboundIds: [inboundId] });
    const carol = await panel.addClient('carol', { expiresAtMs: panel.clock() - DAY, inboundIds: [inboundId] });
    const inbound = await panel.addInbound('in-1-tcp', { expiresAtMs });
    await run(10_000);
    panel.jumpClock(11 * DAY);
    const dave = await panel.addClient('dave', { expiresAtMs, enable: false, disabledBy: 'admin' });
    await panel.advance(2_000);
    panel.core.move('users', 'bob', 10, 0);
    await panel.tick();
    expect((await panel.state(alice)).enable).toBe(0);
    expect((await panel.inbound(inbound)).enable).toBe(0);
    panel.jumpClock(-11 * DAY);
    panel.runtime.staged.length = 0;
    panel.runtime.applied.length = 0;
    await panel.advance(2_000);
    expect(await panel.state(alice)).toMatchObject({ enable: 1, disabledBy: '', expiresAtMs });
    expect(await panel.inbound(inbound)).toMatchObject({ enable: 1, disabledBy: '' });
    for (const other of [bob, carol, dave]) expect((await panel.state(other)).enable).toBe(0);
    const change = { users: [{ inboundId, emails: ['alice'] }], inboundIds: [inbound] };
    expect(panel.runtime.staged).toEqual([change]);
    expect(panel.runtime.applied).toEqual([change]);
    panel.jumpClock(10 * DAY);
    await panel.advance(2_000);
    expect(await panel.state(alice)).toMatchObject({ enable: 0, disabledBy: 'loop' });
  });

  it('works while the core is down and for a thousand at once', async () => {
    panel.core.crash();
    const ids: number[] = [];
    for (let i = 0; i < 1_100; i++)
      ids.push(await panel.addClient(`client-${i}`, { expiresAtMs: panel.clock() - 1, inboundIds: [inboundId] }));
    await panel.service().enforce();
    const left = await panel.store.reader
      .selectFrom('clientStates')
      .select('clientId')
      .where('enable', '=', 1)
      .execute();
    expect(left).toEqual([]);
    expect(panel.runtime.applied).toHaveLength(1);
    expect(panel.runtime.applied[0]?.users?.[0]?.emails).toHaveLength(ids.length);
  });
});

describe('renewal', () => {
  it('renews before it disables, keeps the phase and the group total, and explains the drop in the ledger', async () => {
    const expiresAtMs = panel.clock() - 2.5 * 7 * DAY;
    const alice = await panel.addClient('alice', {
      expiresAtMs,
      resetDays: 7,
      quotaBytes: 100,
      groupName: 'vip',
      inboundIds: [inboundId],
      enable: false,
      disabledBy: 'loop',
    });
    panel.core.move('users', 'alice', 60, 50);
    await panel.tick();
    expect(await panel.state(alice)).toMatchObject({
      enable: 1,
      disabledBy: '',
      upBytes: 0,
      downBytes: 0,
      expiresAtMs: expiresAtMs + 3 * 7 * DAY,
    });
    expect(await panel.ledgerSum(alice)).toEqual({ up: 0, down: 0 });
    expect(await panel.ledgerSum(alice, 'reset')).toEqual({ up: -60, down: -50 });
    expect(panel.runtime.applied).toEqual([{ users: [{ inboundId, emails: ['alice'] }], inboundIds: [] }]);
    const group = await panel.store.reader.selectFrom('clientGroups').selectAll().executeTakeFirstOrThrow();
    expect(group).toMatchObject({ name: 'vip', upBaselineBytes: -60, downBaselineBytes: -50 });
  });

  it('skips clients that were disabled manually or exist only on nodes', async () => {
    const node = await panel.addInbound('n1-in-443-tcp', { nodeId: 1 });
    const past = panel.clock() - 1;
    const byHand = await panel.addClient('by-hand', {
      expiresAtMs: past,
      resetDays: 30,
      enable: false,
      disabledBy: 'admin',
      inboundIds: [inboundId],
    });
    const elsewhere = await panel.addClient('elsewhere', { expiresAtMs: past, resetDays: 30, inboundIds: [node] });
    await panel.tick();
    expect(await panel.state(byHand)).toMatchObject({ enable: 0, disabledBy: 'admin', expiresAtMs: past });
    expect(await panel.state(elsewhere)).toMatchObject({ enable: 0, disabledBy: 'loop', expiresAtMs: past });
    expect(panel.runtime.restarts).toEqual([]);
  });
});

describe('delayed start', () => {
  it('begins with the client’s own first byte, once, wherever the client is served', async () => {
    const alice = await panel.addClient('alice', { inboundIds: [inboundId] });
    panel.core.move('users', 'alice', 5, 0);
    await panel.tick();
    await panel.store.write((trx) =>
      trx
        .updateTable('clientStates')
        .set({ expiresAtMs: -30 * DAY })
        .where('clientId', '=', alice)
        .execute(),
    );
    await panel.tick();
    expect((await panel.state(alice)).expiresAtMs).toBe(-30 * DAY);
    panel.core.move('users', 'alice', 0, 1);
    await panel.tick();
    const startedAtMs = panel.clock();
    panel.core.move('users', 'alice', 0, 1);
    await panel.tick();
    expect((await panel.state(alice)).expiresAtMs).toBe(startedAtMs + 30 * DAY);
    expect(panel.runtime.staged).toEqual([{ users: [{ inboundId, emails: ['alice'] }] }]);
  });

  it('does not begin while the clock is in 1970', async () => {
    const alice = await panel.addClient('alice', { inboundIds: [inboundId], expiresAtMs: -30 * DAY });
    const nowMs = panel.clock();
    panel.jumpClock(-nowMs);
    panel.core.move('users', 'alice', 5, 0);
    await panel.tick();
    expect(await panel.state(alice)).toMatchObject({ upBytes: 5, expiresAtMs: -30 * DAY });
    panel.jumpClock(nowMs);
    panel.core.move('users', 'alice', 5, 0);
    await panel.tick();
    expect((await panel.state(alice)).expiresAtMs).toBe(panel.clock() + 30 * DAY);
  });

  it('does not begin at a time before a long sleep while the clock is not followed yet', async () => {
    const alice = await panel.addClient('alice', { inboundIds: [inboundId], expiresAtMs: -30 * DAY });
    panel.jumpClock(40 * DAY);
    panel.core.move('users', 'alice', 5, 0);
    await panel.tick();
    expect((await panel.state(alice)).expiresAtMs).toBe(-30 * DAY);
    await panel.advance(10 * 60_000);
    panel.core.move('users', 'alice', 5, 0);
    await panel.tick();
    expect((await panel.state(alice)).expiresAtMs).toBe(panel.clock() + 30 * DAY);
  });

  it('of the longest term ends at the latest time that a date can hold', async () => {
    const latestMs = 8_640_000_000_000_000;
    const alice = await panel.addClient('alice', { inboundIds: [inboundId], expiresAtMs: -latestMs });
    panel.core.move('users', 'alice', 5, 0);
    await panel.tick();
    expect((await panel.state(alice)).expiresAtMs).toBe(latestMs);
  });
});

describe('inbounds', () => {
  it('disables depleted or expired ones, and leaves their clients alone', async () => {
    const spent = await panel.addInbound('in-1-tcp', { quotaBytes: 100 });
    const expired = await panel.addInbound('in-2-tcp', { expiresAtMs: panel.clock() + 1_000 });
    const remote = await panel.addInbound('n1-in-1-tcp', { quotaBytes: 1, expiresAtMs: 1, nodeId: 1 });
    const alice = await panel.addClient('alice', { inboundIds: [spent] });
    panel.core.move('inbounds', 'in-1-tcp', 50, 50);
    await panel.tick();
    expect(await panel.inbound(spent)).toMatchObject({ enable: 0, disabledBy: 'loop' });
    expect(await panel.inbound(expired)).toMatchObject({ enable: 0, disabledBy: 'loop' });
    expect((await panel.inbound(remote)).enable).toBe(1);
    expect((await panel.inbound(inboundId)).enable).toBe(1);
    expect((await panel.state(alice)).enable).toBe(1);
    expect(panel.runtime.applied).toEqual([{ users: [], inboundIds: [spent, expired] }]);
    expect(panel.runtime.restarts).toEqual([]);
  });

  it('continues with an inbound that was recreated under its tag, or got another tag', async () => {
    panel.core.move('inbounds', 'in-443-tcp', 10, 0);
    await panel.tick();
    await panel.store.write((trx) => trx.deleteFrom('inbounds').where('id', '=', inboundId).execute());
    const again = await panel.addInbound('in-443-tcp');
    panel.core.move('inbounds', 'in-443-tcp', 5, 0);
    await panel.tick();
    expect((await panel.inbound(again)).upBytes).toBe(5);
    await panel.store.write((trx) =>
      trx.updateTable('inbounds').set({ tag: 'in-8443-tcp' }).where('id', '=', again).execute(),
    );
    panel.core.move('inbounds', 'in-443-tcp', 1, 0);
    panel.core.move('inbounds', 'in-8443-tcp', 2, 0);
    await panel.tick();
    expect((await panel.inbound(again)).upBytes).toBe(8);
  });
});

it('keeps what was counted when enforcement fails, and enforces at the next tick', async () => {
  const alice = await panel.addClient('alice', { quotaBytes: 10, inboundIds: [inboundId] });
  panel.core.move('users', 'alice', 10, 0);
  let isBroken = true;
  panel.runtime.stage = async () => {
    if (isBroken) throw new Error('broken');
  };
  await panel.tick();
  expect(await panel.state(alice)).toMatchObject({ upBytes: 10, enable: 1 });
  isBroken = false;
  await panel.tick();
  expect(await panel.state(alice)).toMatchObject({ upBytes: 10, enable: 0 });
});

it('removes from the core what it has disabled before it fails', async () => {
  for (let at = 0; at < 501; at++)
    await panel.addClient(`client-${at}`, { expiresAtMs: panel.clock() - 1, inboundIds: [inboundId] });
  let steps = 0;
  panel.runtime.stage = async () => {
    steps += 1;
    if (steps === 2) throw new Error('disk full');
  };
  await panel
    .service()
    .enforce()
    .catch(() => undefined);
  await panel.service().enforce();
  const removed = panel.runtime.applied.flatMap(({ users = [] }) => users.flatMap(({ emails }) => emails));
  expect(new Set(removed).size).toBe(501);
});
