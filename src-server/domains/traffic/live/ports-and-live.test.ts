import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { PANEL_GUID, trafficPanel } from '../../../testing/panels/traffic-panel.ts';

let inboundId: number;
const panel = forEachTest(trafficPanel);
beforeEach(async () => {
  inboundId = await panel.addInbound('in-443-tcp');
});

const upBytes = async (id: number): Promise<number> => (await panel.state(id)).upBytes;

describe('ownership of a counter', () => {
  it('gives a new client with a known name its own first byte and nothing older', async () => {
    const { core } = panel;
    const first = await panel.addClient('alice');
    core.move('users', 'alice', 100, 0);
    await panel.tick();
    core.move('users', 'alice', 10, 0);
    await panel.deleteClient(first);
    core.move('users', 'alice', 5, 0);
    await panel.service().port.settleSubjects(['alice']);
    const second = await panel.addClient('alice');
    core.move('users', 'alice', 1, 0);
    await panel.tick();
    expect(await upBytes(second)).toBe(1);
  });

  it('reads before a name is reassigned only when the core may count under it', async () => {
    const { core } = panel;
    core.move('users', 'alice', 1, 0);
    await panel.tick();
    const { reads } = core;
    await panel.service().port.settleSubjects(['nobody', 'bob']);
    expect(core.reads).toBe(reads);
    await panel.service().port.settleSubjects(['alice']);
    expect(core.reads).toBe(reads + 1);
  });

  it('credits both names of a renamed client and shows it under the current one', async () => {
    const { core } = panel;
    await panel.tick();
    const alice = await panel.addClient('alice');
    core.move('users', 'alice', 1, 0);
    await panel.renameClient(alice, 'bob');
    core.move('users', 'alice', 10, 0);
    core.move('users', 'bob', 100, 0);
    await panel.tick();
    expect(await upBytes(alice)).toBe(111);
    expect(await panel.ledgerSum(alice)).toEqual({ up: 111, down: 0 });
    expect([...panel.service().onlineEmails()]).toEqual(['bob']);
  });

  it('has no owner after a deletion', async () => {
    const alice = await panel.addClient('alice');
    panel.core.move('users', 'alice', 1, 0);
    await panel.deleteClient(alice);
    await panel.tick();
    expect(await panel.ledgerSum(alice)).toEqual({ up: 0, down: 0 });
    expect([...panel.service().onlineEmails()]).toEqual([]);
  });

  it('changes nothing when the transaction is rolled back', async () => {
    const alice = await panel.addClient('alice');
    await panel.tick();
    const failed = panel.store.write(async (trx) => {
      await panel.service().port.releaseSubjects(trx, [alice]);
      await panel.service().port.setCounters(trx, [alice], { upBytes: 9, downBytes: 9 }, 'manual', panel.clock());
      throw new Error('refused');
    });
    await expect(failed).rejects.toThrow('refused');
    panel.core.move('users', 'alice', 3, 0);
    await panel.tick();
    expect(await upBytes(alice)).toBe(3);
    expect([...panel.service().onlineEmails()]).toEqual(['alice']);
  });
});

it('resets the clients of an inbound and enables those that only lacked quota', async () => {
  const other = await panel.addInbound('in-444-tcp');
  const spent = { quotaBytes: 100, enable: false, groupName: 'vip', inboundIds: [inboundId, other] };
  const spentByLoop = await panel.addClient('spent', { ...spent, disabledBy: 'loop' });
  const byHand = await panel.addClient('by-hand', { ...spent, disabledBy: 'admin' });
  const expired = await panel.addClient('expired', { ...spent, disabledBy: 'loop', expiresAtMs: panel.clock() - 1 });
  const outside = await panel.addClient('outside', { inboundIds: [other] });
  // Depleted according to a panel above.
  const pushed = await panel.addClient('pushed', { ...spent, groupName: '', disabledBy: 'loop' });
  const all = [spentByLoop, byHand, expired, outside];
  const { port } = panel.service();
  const nowMs = panel.clock();
  await panel.store.write((trx) =>
    port.openCounters(
      trx,
      all.map((clientId) => ({ clientId, upBytes: 60, downBytes: 50 })),
      nowMs,
    ),
  );
  const { users } = await panel.store.write((trx) => port.resetClientsOfInbound(trx, inboundId, nowMs));
  expect(users).toEqual([
    { inboundId, emails: ['spent', 'pushed'] },
    { inboundId: other, emails: ['spent', 'pushed'] },
  ]);
  expect(await panel.state(pushed)).toMatchObject({ enable: 1, disabledBy: '' });
  expect(await panel.state(spentByLoop)).toMatchObject({ enable: 1, disabledBy: '', upBytes: 0, downBytes: 0 });
  expect(await panel.state(byHand)).toMatchObject({ enable: 0, disabledBy: 'admin', upBytes: 0 });
  expect(await panel.state(expired)).toMatchObject({ enable: 0, upBytes: 0 });
  expect(await panel.state(outside)).toMatchObject({ upBytes: 60 });
  expect(await panel.ledgerSum(spentByLoop)).toEqual({ up: 0, down: 0 });
  expect(await panel.ledgerSum(spentByLoop, 'opening')).toEqual({ up: 60, down: 50 });
  const group = await panel.store.reader.selectFrom('clientGroups').selectAll().executeTakeFirstOrThrow();
  expect(group).toMatchObject({ upBaselineBytes: -180, downBaselineBytes: -150 });
  await panel.store.write((trx) => port.resetInbound(trx, inboundId, nowMs + 5));
  expect(await panel.inbound(inboundId)).toMatchObject({ upBytes: 0, lastTrafficResetAtMs: nowMs + 5 });
});

it('quarantines impossible jumps, reports them and disables no client', async () => {
  const alice = await panel.addClient('alice', { quotaBytes: 1e13, inboundIds: [inboundId] });
  panel.core.move('users', 'alice', 1, 0);
  await panel.tick();
  panel.core.move('users', 'alice', 1e13, 0);
  await panel.tick();
  panel.core.move('users', 'alice', 100_000_000_000, 0);
  await panel.tick();
  expect(await panel.state(alice)).toMatchObject({ enable: 1, upBytes: 100_000_000_001 });
  expect(await panel.store.reader.selectFrom('quarantinedDeltas').selectAll().execute()).toMatchObject([
    { kind: 'user', subject: 'alice', upBytes: 1e13, downBytes: 0, intervalMs: 5_000 },
  ]);
  expect(panel.log.lines).toContainEqual({
    level: 'warn',
    event: 'traffic.quarantined',
    fields: { kind: 'user', subject: 'alice', upDelta: 1e13, downDelta: 0 },
  });
  expect(panel.events).toContainEqual(expect.objectContaining({ type: 'notification', severity: 'warning' }));
});

describe('online', () => {
  it('lasts 20 s after the last byte, and as long as a connection is open', async () => {
    const { core } = panel;
    await panel.addClient('alice');
    const idle = await panel.addClient('idle');
    core.move('users', 'alice', 1, 0);
    core.move('users', 'http account', 1, 0);
    core.move('inbounds', 'in-443-tcp', 1, 0);
    core.online = [{ email: 'idle', ips: [] }];
    const online = () => [...panel.service().onlineEmails()].sort();
    await panel.tick();
    const same = panel.service().onlineEmails();
    for (let i = 0; i < 3; i++) await panel.tick();
    expect(online()).toEqual(['alice', 'idle']);
    expect(panel.service().onlineEmails()).toBe(same);
    expect([...panel.service().activeTags()]).toEqual(['in-443-tcp']);
    await panel.tick();
    expect(online()).toEqual(['idle']);
    expect([...panel.service().activeTags()]).toEqual([]);
    for (let i = 0; i < 3; i++) await panel.tick();
    expect(panel.clock() - (await panel.state(idle)).lastOnlineAtMs).toBeLessThanOrEqual(30_000);
    core.online = [];
    core.crash();
    for (let i = 0; i < 4; i++) await panel.tick();
    expect(online()).toEqual([]);
  });
});

describe('live messages', () => {
  it('carry what moved since the last ones, in their wire format', async () => {
    const { core } = panel;
    const alice = await panel.addClient('alice', { inboundIds: [inboundId], quotaBytes: 1_000 });
    await panel.addClient('bob');
    await panel.tick();
    panel.events.length = 0;
    core.move('users', 'alice', 3, 0);
    await panel.service().finalRead();
    core.move('users', 'alice', 1, 2);
    core.move('inbounds', 'in-443-tcp', 5, 6);
    core.move('outbounds', 'direct', 7, 8);
    await panel.tick();
    const lastOnline = panel.clock();
    expect(panel.live('traffic')).toEqual([
      {
        traffics: [
          { isInbound: true, isOutbound: false, tag: 'in-443-tcp', up: 5, down: 6 },
          { isInbound: false, isOutbound: true, tag: 'direct', up: 7, down: 8 },
        ],
        clientTraffics: [{ email: 'alice', up: 4, down: 2 }],
        onlineClients: ['alice'],
        onlineByGuid: { [PANEL_GUID]: ['alice'] },
        activeInbounds: { [PANEL_GUID]: ['in-443-tcp'] },
        lastOnlineMap: { alice: lastOnline },
        nodeTraffics: null,
      },
    ]);
    const client = { id: alice, inboundId, email: 'alice', enable: true, up: 4, down: 2, total: 1_000 };
    expect(panel.live('client_stats')).toEqual([
      {
        snapshot: false,
        clients: [{ ...client, expiryTime: 0, reset: 0, resetDay: 0, lastOnline }],
        inbounds: [{ id: inboundId, up: 5, down: 6, total: 0, enable: true }],
      },
    ]);
    expect(panel.live('outbounds')).toEqual([[{ id: 1, tag: 'direct', up: 7, down: 8, total: 15 }]]);
  });

  it('carry no row without traffic, however few there are', async () => {
    await panel.addInbound('in-444-tcp', { port: 444 });
    for (const email of ['alice', 'bob', 'carol']) await panel.addClient(email);
    panel.core.move('outbounds', 'direct', 1, 0);
    panel.core.move('outbounds', 'blocked', 1, 0);
    await panel.tick();
    panel.events.length = 0;
    panel.core.online = [{ email: 'carol', ips: [] }];
    panel.core.move('users', 'bob', 1, 0);
    panel.core.move('inbounds', 'in-444-tcp', 2, 0);
    panel.core.move('outbounds', 'direct', 3, 0);
    await panel.tick();
    const [stats] = panel.live('client_stats') as { clients: { email: string }[]; inbounds: { up: number }[] }[];
    expect(stats?.clients.map(({ email }) => email)).toEqual(['bob']);
    expect(stats?.inbounds).toEqual([{ id: inboundId + 1, up: 2, down: 0, total: 0, enable: true }]);
    expect(panel.live('outbounds')).toEqual([[{ id: 2, tag: 'direct', up: 4, down: 0, total: 4 }]]);
    panel.events.length = 0;
    await panel.tick();
    expect(panel.live('client_stats')).toEqual([]);
    expect(panel.live('outbounds')).toEqual([]);
    expect(panel.live('traffic')).toMatchObject([
      { traffics: [], clientTraffics: [], onlineClients: ['bob', 'carol'] },
    ]);
  });

  it('tell pages to reload when more clients moved bytes than a message may hold', async () => {
    const emails = Array.from({ length: 5_001 }, (_, i) => `c${i}`);
    await panel.store.write(async (trx) => {
      for (let id = 1; id <= emails.length; id++)
        await sql`INSERT INTO clients (email, emailKey, subId, uuid, password, auth, flow, security, reverse, limitIp, tgId,
          groupName, comment, createdAtMs, updatedAtMs) VALUES (${emails[id - 1]}, ${emails[id - 1]}, ${`s${id}`}, '', '', '', '', '', '', 0, 0, '', '', 0, 0)`.execute(
          trx,
        );
      await sql`INSERT INTO clientStates (clientId, enable, disabledBy, quotaBytes, expiresAtMs, resetDays, upBytes, downBytes,
        lastOnlineAtMs) SELECT id, 1, '', 0, 0, 0, 0, 0, 0 FROM clients`.execute(trx);
    });
    for (const email of emails) panel.core.move('users', email, 1, 0);
    panel.events.length = 0;
    await panel.tick();
    expect(panel.events).toContainEqual({ type: 'invalidate', resource: 'clients' });
    expect(panel.live('client_stats')).toEqual([]);
    const [traffic] = panel.live('traffic') as { clientTraffics: unknown[]; onlineClients: string[] }[];
    expect(traffic?.clientTraffics).toEqual([]);
    expect(traffic?.onlineClients).toHaveLength(5_001);
  });

  it('are not created while nobody listens, and earlier traffic is not sent afterwards', async () => {
    const deaf = await trafficPanel();
    deaf.shown.isListening = false;
    try {
      await deaf.addClient('alice');
      deaf.core.move('users', 'alice', 3, 0);
      await deaf.tick();
      expect(deaf.events.filter(({ type }) => type === 'live')).toEqual([]);
      deaf.shown.isListening = true;
      await deaf.tick();
      expect(deaf.live('client_stats')).toEqual([]);
      deaf.core.move('users', 'alice', 4, 0);
      await deaf.tick();
      expect(deaf.live('client_stats')).toMatchObject([{ clients: [{ email: 'alice', up: 7 }] }]);
    } finally {
      await deaf.close();
    }
  });
});
