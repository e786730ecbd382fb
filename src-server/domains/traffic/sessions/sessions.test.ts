import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { trafficPanel, type TrafficPanel } from '../../../testing/panels/traffic-panel.ts';

const SESSIONS = '/clients/sessions';
let panel: TrafficPanel;
let inboundId: number;
beforeEach(async () => {
  panel = await trafficPanel();
  panel.core.canCut = true;
  inboundId = await panel.addInbound('in-443-tcp');
});
afterEach(async () => {
  await panel.close();
});

/** The client has a connection from the address, which the core reports. */
function connect(email: string, address: string, port: number | null = 443): void {
  const { core } = panel;
  core.online = [...(core.online ?? []), { email, ips: [{ ip: address, lastSeenMs: panel.clock() }] }];
  if (port !== null) core.connections.add(`${port} ${address}`);
}
const end = async (emails: string[], how: string) => (await panel.post(`${SESSIONS}/end`, { emails, how })).obj;
const left = (email: string, reason: string) => ({ email, reason });

describe('ending sessions manually', () => {
  it('ends exactly the connections of the client', async () => {
    await panel.addClient('alice', { inboundIds: [inboundId] });
    await panel.addClient('bob', { inboundIds: [inboundId] });
    connect('alice', '192.0.2.1');
    connect('bob', '192.0.2.2');
    expect(await end(['alice'], 'cut')).toEqual({
      step: 'cut',
      connections: 1,
      left: [],
      leftCount: 0,
      offers: [],
      note: '',
    });
    expect(panel.core.cuts).toEqual([{ port: 443, addresses: ['192.0.2.1'] }]);
    expect([...panel.core.connections]).toEqual(['443 192.0.2.2']);
    expect((await panel.get(SESSIONS)).obj).toMatchObject({
      canCut: true,
      reason: '',
      recent: [{ step: 'cut', connections: 1, cause: 'ended by hand', at: panel.clock() }],
    });
  });

  it('never touches an address that another client uses on the same port', async () => {
    await panel.addClient('alice', { inboundIds: [inboundId] });
    await panel.addClient('bob', { inboundIds: [inboundId] });
    connect('alice', '192.0.2.1');
    connect('bob', '192.0.2.1');
    expect(await end(['alice'], 'cut')).toMatchObject({
      step: 'left',
      left: [left('alice', 'shared')],
      offers: ['restart'],
    });
    expect(panel.core.cuts).toEqual([]);
    expect(await end(['alice', 'bob'], 'cut')).toMatchObject({ step: 'cut', left: [] });
  });

  it('is not hindered by another port, a disabled client or an unknown name at the address', async () => {
    const other = await panel.addInbound('in-444-tcp', { port: 444 });
    await panel.addClient('alice', { inboundIds: [inboundId] });
    await panel.addClient('elsewhere', { inboundIds: [other] });
    await panel.addClient('off', { inboundIds: [inboundId], enable: false, disabledBy: 'admin' });
    connect('alice', '192.0.2.1');
    connect('elsewhere', '192.0.2.1', 444);
    connect('off', '192.0.2.1', null);
    connect('nobody', '192.0.2.1', null);
    expect(await end(['alice'], 'cut')).toMatchObject({ step: 'cut', connections: 1, left: [] });
    expect([...panel.core.connections]).toEqual(['444 192.0.2.1']);
  });

  it('recognises a renamed client by the old name of its connections', async () => {
    const bob = await panel.addClient('bob', { inboundIds: [inboundId] });
    await panel.addClient('alice', { inboundIds: [inboundId] });
    panel.core.move('users', 'bob', 1, 1);
    await panel.tick();
    await panel.renameClient(bob, 'robert');
    connect('alice', '192.0.2.1');
    connect('bob', '192.0.2.1', null);
    expect(await end(['alice'], 'cut')).toMatchObject({ step: 'left', left: [left('alice', 'shared')] });
  });

  it('checks the port of the inbound that falls back to it', async () => {
    const master = await panel.addInbound('in-8443-tcp', { port: 8443 });
    await panel.store.write(async (trx) => {
      await trx
        .insertInto('inboundFallbacks')
        .values({
          masterId: master,
          childId: inboundId,
          name: '',
          alpn: '',
          path: '/',
          dest: '',
          xver: 1,
          sortOrder: 0,
        })
        .execute();
    });
    await panel.addClient('alice', { inboundIds: [inboundId] });
    connect('alice', '192.0.2.1', 8443);
    expect(await end(['alice'], 'cut')).toMatchObject({ step: 'cut', connections: 1, left: [] });
  });

  it('ends an idle multiplexed connection the core does not report where the client was last seen', async () => {
    await panel.addClient('alice', { inboundIds: [inboundId] });
    await panel.addClient('bob', { inboundIds: [inboundId] });
    panel.parts.engine.clientIps.recentAddresses = () => new Map([['alice', ['192.0.2.1', '192.0.2.2']]]);
    panel.core.connections.add('443 192.0.2.1').add('443 192.0.2.2');
    connect('bob', '192.0.2.2');
    expect(await end(['alice'], 'cut')).toMatchObject({ step: 'cut', connections: 1, left: [] });
    expect([...panel.core.connections]).toEqual(['443 192.0.2.2']);
  });

  it('reports connections that come from an address other than the one the core shows', async () => {
    await panel.addClient('alice', { inboundIds: [inboundId] });
    connect('alice', '192.0.2.1', null);
    panel.core.connections.add('443 10.0.0.1');
    expect(await end(['alice'], 'cut')).toMatchObject({ step: 'left', left: [left('alice', 'unreachable')] });
  });

  it('adds a QUIC inbound again on request', async () => {
    const quic = await panel.addInbound('in-444-udp', { port: 444, protocol: 'hysteria' });
    await panel.addClient('alice', { inboundIds: [quic, inboundId] });
    connect('alice', '192.0.2.1', null);
    expect(await end(['alice'], 'cut')).toMatchObject({
      step: 'left',
      left: [left('alice', 'udp')],
      offers: ['readd', 'restart'],
    });
    expect(panel.core.replaced).toEqual([]);
    expect(await end(['alice'], 'readd')).toMatchObject({ step: 'readded', left: [], offers: [] });
    expect(panel.core.replaced).toEqual([[quic]]);
    expect(panel.runtime.restarts).toEqual([]);
  });

  it('leaves sessions on request, and restarts the core on request', async () => {
    await panel.addClient('alice', { inboundIds: [inboundId] });
    connect('alice', '192.0.2.1');
    expect(await end(['alice'], 'leave')).toMatchObject({
      step: 'left',
      left: [left('alice', 'chosen')],
      offers: ['cut', 'restart'],
    });
    expect(panel.core.cuts).toEqual([]);
    expect(await end(['alice'], 'restart')).toMatchObject({ step: 'restarted', left: [] });
    expect(panel.runtime.restarts).toEqual(['ended by hand']);
  });

  it('reports why single connections cannot be ended, and which clients the core cannot see', async () => {
    await panel.addClient('alice', { inboundIds: [inboundId] });
    panel.core.canCut = false;
    connect('alice', '192.0.2.1');
    expect(await end(['alice'], 'cut')).toMatchObject({
      step: 'left',
      left: [left('alice', 'unable')],
      offers: ['restart'],
      note: 'not on this machine',
    });
    panel.core.canCut = true;
    panel.core.online = null;
    expect(await end(['alice'], 'cut')).toMatchObject({ step: 'left', left: [left('alice', 'unknown')] });
  });

  it('remembers where a deleted client was', async () => {
    const alice = await panel.addClient('alice', { inboundIds: [inboundId] });
    connect('alice', '192.0.2.1');
    await end(['alice'], 'leave');
    await panel.deleteClient(alice);
    expect(await end(['alice'], 'cut')).toMatchObject({ step: 'cut', connections: 1 });
  });

  it('does not read all users for a few clients without connections', async () => {
    await panel.addClient('alice', { inboundIds: [inboundId] });
    connect('bob', '192.0.2.1');
    expect(await end(['alice'], 'cut')).toMatchObject({ step: 'none' });
    expect(panel.core.onlineReads).toBe(0);
    connect('alice', '192.0.2.2');
    expect(await end(['alice'], 'cut')).toMatchObject({ step: 'cut' });
    expect(panel.core.onlineReads).toBe(1);
  });

  it('does nothing for unknown names, idle clients and a stopped core', async () => {
    await panel.addClient('alice', { inboundIds: [inboundId] });
    const nothing = { step: 'none', connections: 0, left: [] };
    expect(await end(['nobody'], 'cut')).toMatchObject(nothing);
    expect(await end(['alice'], 'restart')).toMatchObject({ step: 'restarted' });
    expect(await end(['alice'], 'cut')).toMatchObject(nothing);
    connect('alice', '192.0.2.1');
    await panel.core.stop();
    expect(await end(['alice'], 'restart')).toMatchObject(nothing);
    expect(panel.runtime.restarts).toHaveLength(1);
  });

  it.each([{}, { emails: [], how: 'cut' }, { emails: ['a'], how: 'burn' }, { emails: ['a'.repeat(1025)], how: 'cut' }])(
    'refuses %j',
    async (body) => {
      expect(await panel.post(`${SESSIONS}/end`, body)).toMatchObject({ success: false });
      expect(panel.core.cuts).toEqual([]);
    },
  );
});

describe('the accounting loop', () => {
  const spend = async (email: string): Promise<void> => {
    panel.core.move('users', email, 1_000, 0);
    await panel.tick();
  };

  it('cuts a depleted client and leaves the core running', async () => {
    const alice = await panel.addClient('alice', { quotaBytes: 1_000, inboundIds: [inboundId] });
    connect('alice', '192.0.2.1');
    panel.service().start();
    await panel.tick();
    panel.core.move('users', 'alice', 1_000, 0);
    await panel.advance(1_000);
    expect((await panel.state(alice)).enable).toBe(0);
    expect(panel.core.cuts).toEqual([{ port: 443, addresses: ['192.0.2.1'] }]);
    // Bytes on their way when the connection ended are counted, and do not indicate another connection.
    panel.core.online = [];
    panel.core.move('users', 'alice', 5, 0);
    await panel.advance(60_000);
    expect((await panel.state(alice)).upBytes).toBe(1_005);
    expect(panel.runtime.restarts).toEqual([]);
    expect(panel.service().sessions.recent()).toMatchObject([
      { step: 'cut', connections: 1, cause: '1 client(s) reached their quota or expired' },
    ]);
  });

  it('restarts the core for a connection that cannot be distinguished, and only if that is enabled', async () => {
    await panel.addClient('alice', { quotaBytes: 1_000, inboundIds: [inboundId] });
    await panel.addClient('bob', { quotaBytes: 1_000, inboundIds: [inboundId] });
    await panel.addClient('neighbour', { inboundIds: [inboundId] });
    for (const email of ['alice', 'bob', 'neighbour']) connect(email, '192.0.2.1', email === 'alice' ? 443 : null);
    await panel.set({ restartCoreOnClientDisable: false });
    await spend('alice');
    expect(panel.runtime.restarts).toEqual([]);
    await panel.set({ restartCoreOnClientDisable: true });
    await spend('bob');
    expect(panel.runtime.restarts).toEqual(['1 client(s) reached their quota or expired']);
  });

  it('adds a QUIC inbound again instead of restarting the core', async () => {
    const quic = await panel.addInbound('in-444-udp', { port: 444, protocol: 'hysteria' });
    await panel.addClient('alice', { quotaBytes: 1_000, inboundIds: [quic] });
    connect('alice', '192.0.2.1', null);
    await spend('alice');
    expect(panel.core.replaced).toEqual([[quic]]);
    expect(panel.runtime.restarts).toEqual([]);
  });

  it('restarts the core for a client the core does not show if it still moves bytes', async () => {
    await panel.addClient('alice', { quotaBytes: 1_000, inboundIds: [inboundId] });
    panel.service().start();
    await spend('alice');
    await panel.advance(400);
    expect(panel.runtime.restarts).toEqual([]);
    panel.core.move('users', 'alice', 5, 0);
    await panel.advance(2_000);
    expect(panel.runtime.restarts).toEqual(['a client that was switched off still has an open connection']);
  });

  it('cuts a connection opened at the moment of the removal', async () => {
    await panel.addClient('alice', { quotaBytes: 1_000, inboundIds: [inboundId] });
    panel.service().start();
    await spend('alice');
    await panel.advance(400);
    connect('alice', '192.0.2.9');
    panel.core.move('users', 'alice', 5, 0);
    await panel.advance(2_000);
    expect(panel.core.cuts).toContainEqual({ port: 443, addresses: ['192.0.2.9'] });
    expect(panel.runtime.restarts).toEqual([]);
  });
});
