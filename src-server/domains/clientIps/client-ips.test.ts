import { beforeEach, describe, expect, it } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { PANEL_GUID, trafficPanel, type TrafficPanel } from '../../testing/panels/traffic-panel.ts';

const CLIENTS = '/clients';
const SERVER = '/server/clientIps';
let ips: TrafficPanel['parts']['engine']['clientIps'];
let inboundId: number;
const cut: string[] = [];

const panel = forEachTest(trafficPanel);
beforeEach(async () => {
  cut.length = 0;
  inboundId = await panel.addInbound('in-443-tcp');
  const { clientIps, traffic } = panel.parts.engine;
  ips = clientIps;
  traffic.sessions.cutAt = async (blocks) =>
    void cut.push(...blocks.map(({ email, address }) => `${address} ${email}`));
});

const nowSec = (): number => Math.floor(panel.clock() / 1000);
const SEC = 1_000;
async function addLimited(email: string, limitIp: number): Promise<number> {
  const id = await panel.addClient(email, { inboundIds: [inboundId] });
  await panel.store.write(async (trx) => {
    await trx.updateTable('clients').set({ limitIp }).where('id', '=', id).execute();
  });
  return id;
}
/** Sets who is connected from where; the last address has the newest connection. */
function connected(byEmail: Record<string, string[]>): void {
  panel.core.online = Object.entries(byEmail).map(([email, addresses]) => ({
    email,
    ips: addresses.map((ip, at) => ({ ip, lastSeenMs: panel.clock() - (addresses.length - at) * SEC })),
  }));
}
async function scanAfter(ms: number): Promise<void> {
  panel.jumpClock(ms);
  await ips.scan();
}
const log = async (email: string) => (await panel.post(`${CLIENTS}/ips/${email}`)).obj;
const table = async () => (await panel.get(SERVER)).obj;
const push = (rows: unknown) => panel.post(SERVER, rows as object);
const rows = () => panel.store.reader.selectFrom('clientAddresses').selectAll().execute();

describe('the address log', () => {
  it('shows an address whose stored time is none, and all others', async () => {
    await panel.addClient('alice');
    connected({ alice: ['192.0.2.1'] });
    await ips.scan();
    const [row] = await rows();
    await panel.store.write((trx) =>
      trx
        .insertInto('clientAddresses')
        .values({ ...row!, ip: '192.0.2.2', seenAtSec: 9e15 })
        .execute(),
    );
    expect(await log('alice')).toEqual(['192.0.2.2 (?)', expect.stringMatching(/^192\.0\.2\.1 \(20/) as string]);
  });

  it('shows where a client was, newest first, in local time, for half an hour', async () => {
    await panel.addClient('alice');
    panel.jumpClock(Date.UTC(2026, 0, 2, 23, 4, 5) - panel.clock());
    connected({ alice: ['192.0.2.1'] });
    await ips.scan();
    connected({ alice: ['2001:db8::7'], 'somebody else': ['192.0.2.9'] });
    await scanAfter(10 * SEC);
    expect(await log('ALICE')).toEqual(['2001:db8::7 (2026-01-02 23:04:15)', '192.0.2.1 (2026-01-02 23:04:05)']);
    await panel.set({ timeLocation: 'Asia/Tehran' });
    expect(await log('alice')).toEqual(['2001:db8::7 (2026-01-03 02:34:15)', '192.0.2.1 (2026-01-03 02:34:05)']);
    expect(await log('nobody')).toEqual([]);
    // Names that the core still has but no client uses have no owner.
    expect(await rows()).toHaveLength(2);
    panel.jumpClock(30 * 60 * SEC - 5 * SEC);
    expect(await log('alice')).toEqual(['2001:db8::7 (2026-01-03 02:34:15)']);
    await ips.expire();
    expect(await rows()).toHaveLength(1);
  });

  it('writes only changes, and the time of a long connection once a minute', async () => {
    await panel.addClient('alice');
    let writes = 0;
    const { store } = panel;
    const write = store.write.bind(store);
    store.write = (work) => {
      writes += 1;
      return write(work);
    };
    connected({ alice: ['192.0.2.1'] });
    for (let i = 0; i < 6; i++) await scanAfter(10 * SEC);
    expect(writes).toBe(1);
    await scanAfter(10 * SEC);
    expect(writes).toBe(2);
    expect((await rows())[0]!.seenAtSec).toBe(nowSec());
  });

  it('keeps the addresses of ending sessions, including those of a deleted client', async () => {
    const alice = await panel.addClient('alice');
    connected({ alice: ['192.0.2.1', '192.0.2.2'] });
    await ips.scan();
    await panel.deleteClient(alice);
    expect(ips.recentAddresses(['alice', 'bob'])).toEqual(
      new Map([
        ['alice', ['192.0.2.1', '192.0.2.2']],
        ['bob', []],
      ]),
    );
    panel.jumpClock(30 * 60 * SEC + 1);
    expect(ips.recentAddresses(['alice'])).toEqual(new Map([['alice', []]]));
  });

  it('keeps a limited number of addresses per client', async () => {
    await panel.addClient('alice');
    for (let round = 0; round < 3; round++) {
      connected({ alice: Array.from({ length: 60 }, (_, i) => `2001:db8:${round}::${i + 1}`) });
      await scanAfter(10 * SEC);
    }
    const kept = await rows();
    expect(kept).toHaveLength(64);
    expect(kept.filter(({ ip }) => ip.startsWith('2001:db8:2:'))).toHaveLength(60);
  });

  it("is cleared together with other panels' sightings, follows a rename and ends with its client", async () => {
    const alice = await panel.addClient('alice');
    connected({ alice: ['192.0.2.1'] });
    await ips.scan();
    await ips.mergeSeen('node-guid', { Alice: [{ ip: '192.0.2.2', timestamp: nowSec() }] });
    expect(await panel.post(`${CLIENTS}/clearIps/alice`)).toMatchObject({
      success: true,
      msg: 'The log has been cleared.',
    });
    expect(await rows()).toEqual([]);
    expect(panel.events.at(-1)).toMatchObject({ type: 'invalidate', resource: 'clients' });
    await ips.mergeSeen('node-guid', { bob: [{ ip: '192.0.2.3', timestamp: nowSec() }] });
    await ips.mergeSeen('node-guid', { alice: [{ ip: '192.0.2.2', timestamp: nowSec() }] });
    await panel.renameClient(alice, 'bob');
    expect(await log('alice')).toEqual([]);
    expect((await rows()).map(({ email, ip }) => [email, ip])).toEqual([['bob', '192.0.2.2']]);
    await panel.deleteClient(alice);
    expect(await rows()).toEqual([]);
  });
});

describe('exchange with other panels', () => {
  it("returns one row per client, and keeps each observer's sightings apart", async () => {
    const alice = await panel.addClient('alice');
    connected({ alice: ['192.0.2.1'] });
    await ips.scan();
    await ips.mergeSeen('node-guid', { alice: [{ ip: '192.0.2.2', timestamp: nowSec() - 5 }] });
    await push([{ clientEmail: 'later', ips: [{ ip: '192.0.2.3', timestamp: nowSec() - 9 }] }]);
    expect(await table()).toEqual([
      {
        id: alice,
        clientEmail: 'alice',
        ips: [
          { ip: '192.0.2.1', timestamp: nowSec() },
          { ip: '192.0.2.2', timestamp: nowSec() - 5 },
        ],
      },
      { id: 0, clientEmail: 'later', ips: [{ ip: '192.0.2.3', timestamp: nowSec() - 9 }] },
    ]);
    expect((await panel.post(`${CLIENTS}/clientIpsByGuid`)).obj).toEqual({
      [PANEL_GUID]: { alice: [{ ip: '192.0.2.1', timestamp: nowSec() }] },
      'node-guid': { alice: [{ ip: '192.0.2.2', timestamp: nowSec() - 5 }] },
    });
  });

  it.each([
    ['a bare array', (list: unknown) => [{ id: 9, clientEmail: 'alice', ips: list }]],
    ['an object', (list: unknown) => ({ ips: [{ clientEmail: 'alice', ips: list }] })],
    ['JSON text', (list: unknown) => ({ ips: [{ clientEmail: 'alice', ips: JSON.stringify(list) }] })],
  ])('takes %s: newer times win, old ones drop, future times count as now, repeats do nothing', async (_name, body) => {
    const alice = await panel.addClient('alice');
    await push([{ clientEmail: 'alice', ips: [{ ip: '192.0.2.1', timestamp: nowSec() - 100 }] }]);
    const sent = body([
      { ip: '192.0.2.1', timestamp: nowSec() - 50 },
      { ip: '[2001:db8::1]', timestamp: nowSec() + 9_999 },
      { ip: '192.0.2.3', timestamp: nowSec() - 1_801 },
      { ip: 'no address', timestamp: nowSec() },
    ]);
    for (let i = 0; i < 2; i++) expect(await push(sent)).toMatchObject({ success: true, msg: 'Client IPs merged' });
    await push([{ clientEmail: 'alice', ips: [{ ip: '192.0.2.1', timestamp: nowSec() - 70 }] }]);
    expect(await table()).toEqual([
      {
        id: alice,
        clientEmail: 'alice',
        ips: [
          { ip: '2001:db8::1', timestamp: nowSec() },
          { ip: '192.0.2.1', timestamp: nowSec() - 50 },
        ],
      },
    ]);
  });

  it('takes every spelling of an address and of a client as the same one', async () => {
    const alice = await panel.addClient('alice');
    await ips.mergeSeen('node-guid', { alice: [{ ip: '1.2.3.4', timestamp: nowSec() - 50 }] });
    const spelled = ['1.2.3.4', '::ffff:1.2.3.4', '::FFFF:102:304', '1:db8::', '0001:DB8::0', '[1:db8:0::0:0]'];
    await push([
      { clientEmail: 'ALICE', ips: spelled.map((ip, at) => ({ ip, timestamp: nowSec() - at })) },
      { clientEmail: 'Alice', ips: [{ ip: '1.2.3.4', timestamp: nowSec() }] },
    ]);
    await ips.mergeSeen('node-guid', { aLiCe: [{ ip: '::ffff:1.2.3.4', timestamp: nowSec() - 20 }] });
    expect(await table()).toEqual([
      {
        id: alice,
        clientEmail: 'alice',
        ips: [
          { ip: '1.2.3.4', timestamp: nowSec() },
          { ip: '1:db8::', timestamp: nowSec() - 3 },
        ],
      },
    ]);
    expect((await rows()).map(({ email }) => email)).toEqual(['alice', 'alice', 'alice']);
  });

  it('keeps the newest addresses of a long list, counting each spelling once', async () => {
    await panel.addClient('alice');
    const spellings = ['1::1', '1:0::1', '1:0:0::1', '1:0:0:0::1'].flatMap((ip) => [ip, ip.replace('1:', '01:')]);
    const again = Array.from({ length: 80 }, (_, at) => ({ ip: spellings[at % 8]!, timestamp: nowSec() }));
    await push([{ clientEmail: 'alice', ips: [...again, { ip: '192.0.2.9', timestamp: nowSec() - 9 }] }]);
    expect((await rows()).map(({ ip }) => ip).toSorted()).toEqual(['192.0.2.9', '1::1']);
  });

  it('ignores rows without content and creates none from stale data', async () => {
    const stale = [{ ip: '192.0.2.1', timestamp: nowSec() - 1_801 }];
    const list = [
      { clientEmail: 'unknown', ips: stale },
      { clientEmail: '', ips: [{ ip: '192.0.2.1', timestamp: nowSec() }] },
      { clientEmail: 'a', ips: null },
      { clientEmail: 'b', ips: ['192.0.2.1'] },
    ];
    expect(await push({ ips: list })).toMatchObject({ success: true });
    expect(await table()).toEqual([]);
  });

  it.each([
    { ips: 'text' },
    { ips: [{ clientEmail: 'a', ips: '{' }] },
    { ips: [{ clientEmail: 5, ips: [] }] },
    { ips: [{ clientEmail: 'a', ips: [{ ip: 'x'.repeat(65), timestamp: 1 }] }] },
    { ips: [{ clientEmail: 'a', ips: [{ ip: '192.0.2.1', timestamp: -1 }] }] },
    { ips: [{ clientEmail: 'a'.repeat(1025), ips: [] }] },
  ])('refuses all of %j', async (body) => {
    const response = await push(body);
    expect(response.success).toBe(false);
    expect(response.msg).toContain('invalid data');
    expect(await rows()).toEqual([]);
  });

  it('names the wrong row and field', async () => {
    const response = await push({ ips: [{ clientEmail: 'a', ips: null }, { clientEmail: 5 }] });
    expect(response.obj).toMatchObject({ issues: [{ field: 'ips[1].clientEmail', rule: 'type' }] });
  });

  it('accepts a large table without blocking anything else', async () => {
    const list = Array.from({ length: 30_000 }, (_, i) => ({
      clientEmail: `client-${i}`,
      ips: [{ ip: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, timestamp: nowSec() }],
    }));
    let turns = 0;
    const beforeWrite: number[] = [];
    const { store } = panel;
    const write = store.write.bind(store);
    store.write = (work) => {
      beforeWrite.push(turns);
      return write(work);
    };
    const timer = setInterval(() => (turns += 1), 1);
    await ips.mergeTable(list);
    clearInterval(timer);
    // Just reading the rows yielded to other work.
    expect(beforeWrite[0]).toBeGreaterThan(0);
    expect((await rows()).length).toBe(30_000);
  });

  it('survives names that are object properties', async () => {
    await push([{ clientEmail: '__proto__', ips: [{ ip: '192.0.2.1', timestamp: nowSec() }] }]);
    await ips.mergeSeen('node-guid', Object.fromEntries([['__proto__', [{ ip: '192.0.2.1', timestamp: nowSec() }]]]));
    expect(await table()).toMatchObject([{ clientEmail: '__proto__' }]);
    expect(JSON.stringify((await panel.post(`${CLIENTS}/clientIpsByGuid`)).obj)).toContain('__proto__');
  });

  it('lists who is online under this panel', async () => {
    await panel.addClient('alice');
    panel.core.move('users', 'alice', 1, 0);
    await panel.tick();
    expect((await panel.post(`${CLIENTS}/onlinesByGuid`)).obj).toEqual({ [PANEL_GUID]: ['alice'] });
  });
});

describe('IP limits', () => {
  it('keep the newest addresses, refuse the others and end their connections, for this client alone', async () => {
    await addLimited('alice', 2);
    await addLimited('bob', 0);
    connected({ alice: ['192.0.2.1', '192.0.2.2', '192.0.2.3'], bob: ['192.0.2.1', '192.0.2.5'] });
    await ips.scan();
    expect(panel.core.blocks).toEqual(['192.0.2.1 alice']);
    expect(cut).toEqual(['192.0.2.1 alice']);
    expect(panel.events).toContainEqual(
      expect.objectContaining({ type: 'happened', facts: { email: 'alice', address: '192.0.2.1', limit: 2 } }),
    );
    expect((await panel.get('/server/ipBanStatus')).obj).toMatchObject({ blocked: 1 });
  });

  it('do not let a refused address push out its replacement, and accept it when a slot is free', async () => {
    await addLimited('alice', 1);
    connected({ alice: ['192.0.2.1', '192.0.2.2'] });
    await ips.scan();
    expect(panel.core.blocks).toEqual(['192.0.2.1 alice']);
    // The refused one keeps trying and has the newest connection now.
    connected({ alice: ['192.0.2.2', '192.0.2.1'] });
    await scanAfter(10 * SEC);
    expect(panel.core.blocks).toEqual(['192.0.2.1 alice']);
    expect(cut).toEqual(['192.0.2.1 alice', '192.0.2.1 alice']);
    connected({ alice: [] });
    await scanAfter(60 * SEC);
    expect(panel.core.blocks).toEqual(['192.0.2.1 alice']);
    await scanAfter(61 * SEC);
    expect(panel.core.blocks).toEqual([]);
  });

  it('expire after half an hour, and a dead connection does not renew them', async () => {
    await addLimited('alice', 1);
    const dead = { ip: '192.0.2.1', lastSeenMs: panel.clock() - SEC };
    const online = () => [{ email: 'alice', ips: [dead, { ip: '192.0.2.2', lastSeenMs: panel.clock() }] }];
    for (let minute = 0; minute < 30; minute++) {
      panel.core.online = online();
      await scanAfter(60 * SEC);
    }
    expect(panel.core.blocks).toEqual(['192.0.2.1 alice']);
    panel.core.online = online();
    await scanAfter(60 * SEC);
    expect(panel.core.blocks).toEqual([]);
    dead.lastSeenMs = panel.clock() - 1;
    panel.core.online = online();
    await scanAfter(10 * SEC);
    expect(panel.core.blocks).toEqual(['192.0.2.1 alice']);
  });

  it('ignore allowed and old addresses, and are lifted with the limit, the allow-list and the log', async () => {
    const alice = await addLimited('alice', 1);
    await panel.set({ ipLimitAllowlist: '192.0.2.0/24' });
    connected({ alice: ['192.0.2.1', '198.51.100.1', '192.0.2.2'] });
    await ips.scan();
    expect(panel.core.blocks).toEqual([]);
    await panel.set({ ipLimitAllowlist: '192.0.2.2' });
    await scanAfter(10 * SEC);
    expect(panel.core.blocks).toEqual(['192.0.2.1 alice']);
    await panel.set({ ipLimitAllowlist: '192.0.2.0/24' });
    await scanAfter(10 * SEC);
    expect(panel.core.blocks).toEqual([]);

    await panel.set({ ipLimitAllowlist: '' });
    connected({ alice: ['203.0.113.1', '203.0.113.2'] });
    await scanAfter(10 * SEC);
    expect(panel.core.blocks).toEqual(['203.0.113.1 alice']);
    panel.core.move('users', 'alice', 1, 0);
    await panel.tick();
    await panel.post(`${CLIENTS}/clearIps/alice`);
    connected({ alice: ['203.0.113.1'] });
    await scanAfter(10 * SEC);
    expect(panel.core.blocks).toEqual([]);

    connected({ alice: ['203.0.113.1', '203.0.113.2'] });
    await scanAfter(10 * SEC);
    expect(panel.core.blocks).toEqual(['203.0.113.1 alice']);
    await panel.store.write(async (trx) => {
      await trx.updateTable('clients').set({ limitIp: 0 }).where('id', '=', alice).execute();
    });
    await scanAfter(10 * SEC);
    expect(panel.core.blocks).toEqual([]);
  });

  it('count addresses that other panels saw within two minutes', async () => {
    await addLimited('alice', 1);
    connected({ alice: ['192.0.2.1'] });
    await push([{ clientEmail: 'alice', ips: [{ ip: '192.0.2.9', timestamp: nowSec() - 121 }] }]);
    await ips.scan();
    expect(panel.core.blocks).toEqual([]);
    await push([{ clientEmail: 'alice', ips: [{ ip: '192.0.2.9', timestamp: nowSec() }] }]);
    await ips.scan();
    expect(panel.core.blocks).toEqual(['192.0.2.1 alice']);
  });

  it('forget what a clock that was ahead has noted', async () => {
    await addLimited('alice', 1);
    panel.jumpClock(24 * 3_600 * SEC);
    await push([{ clientEmail: 'alice', ips: [{ ip: '192.0.2.9', timestamp: nowSec() }] }]);
    connected({ alice: ['192.0.2.1', '192.0.2.2'] });
    await ips.scan();
    expect(panel.core.blocks.toSorted()).toEqual(['192.0.2.1 alice', '192.0.2.2 alice']);
    panel.jumpClock(-24 * 3_600 * SEC);
    await ips.expire();
    connected({ alice: ['192.0.2.1'] });
    await scanAfter(10 * SEC);
    expect(panel.core.blocks).toEqual([]);
    expect(await log('alice')).toEqual([expect.stringMatching(/^192\.0\.2\.1 /) as string]);
  });

  it('are applied again after a restart of the core', async () => {
    await addLimited('alice', 1);
    connected({ alice: ['192.0.2.1', '192.0.2.2'] });
    await ips.scan();
    await panel.core.restart();
    panel.core.blocks = [];
    await scanAfter(10 * SEC);
    expect(panel.core.blocks).toEqual(['192.0.2.1 alice']);
  });

  it('run automatically every ten seconds, and a failing look does not stop them', async () => {
    await addLimited('alice', 1);
    connected({ alice: ['192.0.2.1', '192.0.2.2'] });
    panel.core.blockAddresses = () => Promise.reject(new Error('the core is busy'));
    ips.start({ expires: true });
    await panel.advance(10 * SEC);
    expect(panel.log.lines).toContainEqual(expect.objectContaining({ level: 'error', event: 'clientIps.scanFailed' }));
    panel.core.blockAddresses = async () => true;
    connected({ alice: ['192.0.2.3'] });
    await panel.advance(10 * SEC);
    expect(JSON.stringify(await log('alice'))).toContain('192.0.2.3');
  });
});

describe('the state of IP limits', () => {
  const status = async () => (await panel.get('/server/ipBanStatus')).obj;

  it('reports what this system can do', async () => {
    expect(await status()).toEqual({
      enabled: true,
      installed: false,
      usable: true,
      windows: false,
      method: 'core',
      cutsConnections: false,
      blocked: 0,
      note: 'Addresses over the limit are refused by the core. Connections that are open already go on until they end: on Linux not on this machine.',
    });
    panel.core.canCut = true;
    expect(await status()).toMatchObject({
      cutsConnections: true,
      note: 'Addresses over the limit are refused by the core, and their open TCP connections are ended.',
    });
  });

  it('is unusable with a core that does not report connections, and unknown while the core is stopped', async () => {
    panel.core.crash();
    await ips.scan();
    expect(ips.isUsable()).toBe(true);
    panel.core.start();
    panel.core.online = null;
    await ips.scan();
    expect(await status()).toMatchObject({ usable: false });
    expect(ips.isUsable()).toBe(false);
    panel.core.online = [];
    await ips.scan();
    expect(ips.isUsable()).toBe(true);
  });
});
