import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CoreApiError } from '../api/api-error.ts';
import type { InboundSource, JsonObject } from '../config/source.ts';
import { benchForTest } from '../../testing/core/bench-for-test.ts';
import type { Bench } from '../../testing/core/core-bench.ts';
import { client, inbound, makeCertificate, until } from '../../testing/core/core-bench.ts';
import { freePort } from '../../testing/free-port.ts';
import { listening, shut } from '../../testing/peers/local-server.ts';
import { listUsers } from '../../testing/core/list-users.ts';
import { productBuilder } from '../process/product-builder.ts';

const pidOf = ({ core }: Bench): number => core.status().pid ?? -1;
const emailsOf = async (b: Bench, tag: string): Promise<string[]> =>
  (await listUsers(b.dataDir, tag)).map(({ email }) => email).sort();

function edit(b: Bench, id: number, change: Partial<InboundSource>): void {
  b.wanted.inbounds = b.wanted.inbounds.map((stored) => (stored.id === id ? { ...stored, ...change } : stored));
}

function editTemplate(b: Bench, change: JsonObject): void {
  b.wanted.template = { ...b.wanted.template, ...change };
}

test('a change that meets an unexpected error is made later', async () => {
  let isBroken = false;
  const b = benchForTest({
    builder: {
      ...productBuilder,
      inbound: (...given) => (isBroken ? Promise.reject(new Error('no space left')) : productBuilder.inbound(...given)),
    },
  });
  await b.core.boot();
  const running = pidOf(b);
  b.wanted.inbounds.push(inbound(await freePort(), { id: 1, clients: [client('a@x')] }));
  isBroken = true;
  await expect(b.core.apply({ inboundIds: [1] })).rejects.toThrow('no space left');
  expect(b.timers.armed()).toEqual([30_000]);
  isBroken = false;
  await b.timers.fire();
  expect((await b.core.readCounters())?.inbounds.names).toEqual(['in-1']);
  expect([pidOf(b), b.timers.armed()]).toEqual([running, []]);
});

interface Kind {
  name: string;
  given: (b: Bench) => Partial<InboundSource>;
  /** Credentials of a client, by generation: another number means another credential. */
  users: (emails: readonly [email: string, generation: number][]) => Partial<InboundSource>;
}

const key = (bytes: number, email: string, generation: number): string =>
  Buffer.alloc(bytes, `${email}${generation}`).toString('base64');
const byClients =
  (credentials: (email: string, generation: number) => Parameters<typeof client>[1]): Kind['users'] =>
  (emails) => ({ clients: emails.map(([email, generation]) => client(email, credentials(email, generation))) });
const uuid = (email: string, generation: number): string =>
  `${Buffer.from(email.padEnd(4, '0').slice(0, 4)).toString('hex')}-0000-4000-8000-${String(generation).padStart(12, '0')}`;
const WIREGUARD = { secretKey: 'SMs6XQlqxCMYARw9Nh+e8EzXmKL1pyJpl06YQE91nXU=', mtu: 1420 };

const KINDS: Kind[] = [
  { name: 'vless', given: () => ({}), users: byClients((email, n) => ({ id: uuid(email, n) })) },
  {
    name: 'vmess',
    given: () => ({ protocol: 'vmess', settings: {} }),
    users: byClients((email, n) => ({ id: uuid(email, n) })),
  },
  {
    name: 'trojan',
    given: () => ({ protocol: 'trojan', settings: {} }),
    users: byClients((email, n) => ({ password: `${email}${n}` })),
  },
  {
    name: 'shadowsocks',
    given: () => ({ protocol: 'shadowsocks', settings: { method: 'chacha20-ietf-poly1305', network: 'tcp,udp' } }),
    users: byClients((email, n) => ({ password: `${email}${n}` })),
  },
  {
    name: 'shadowsocks 2022',
    given: () => ({
      protocol: 'shadowsocks',
      settings: { method: '2022-blake3-aes-128-gcm', password: key(16, 'server', 0), network: 'tcp,udp' },
    }),
    users: byClients((email, n) => ({ password: key(16, email, n) })),
  },
  {
    name: 'hysteria',
    given: (b) => ({
      protocol: 'hysteria',
      settings: { version: 2 },
      streamSettings: {
        network: 'hysteria',
        hysteriaSettings: { version: 2 },
        security: 'tls',
        tlsSettings: { certificates: [makeCertificate(b.dataDir)] },
      },
    }),
    users: byClients((email, n) => ({ auth: `${email}${n}` })),
  },
  {
    name: 'wireguard',
    given: () => ({ protocol: 'wireguard', settings: WIREGUARD }),
    users: (emails) => ({
      settings: {
        ...WIREGUARD,
        peers: emails.map(([email, n], at) => ({
          email,
          publicKey: key(32, email, n),
          allowedIPs: [`10.0.0.${at + 2}/32`],
        })),
      },
    }),
  },
];

test.each(KINDS)(
  'users of $name come, change and go live, through every way of reporting them',
  async ({ given, users }) => {
    const b = benchForTest();
    b.wanted.inbounds.push(inbound(await freePort(), { id: 1, ...given(b), ...users([['stay', 1]]) }));
    await b.core.boot();
    expect(b.core.status()).toMatchObject({ state: 'running', leftOut: [] });
    const pid = pidOf(b);
    const report = (...emails: string[]) => b.core.apply({ users: [{ inboundId: 1, emails }] });

    edit(
      b,
      1,
      users([
        ['stay', 1],
        ['new', 1],
      ]),
    );
    expect(await report('new')).toEqual({ kind: 'live' });
    expect(await emailsOf(b, 'in-1')).toEqual(['new', 'stay']);
    expect(await report('new', 'stay')).toEqual({ kind: 'unchanged' });

    const before = await listUsers(b.dataDir, 'in-1');
    edit(
      b,
      1,
      users([
        ['stay', 1],
        ['new', 2],
      ]),
    );
    expect(await report('new')).toEqual({ kind: 'live' });
    const after = await listUsers(b.dataDir, 'in-1');
    expect(await emailsOf(b, 'in-1')).toEqual(['new', 'stay']);
    const accountOf = (list: typeof before, name: string) => list.find(({ email }) => email === name)?.account;
    expect(accountOf(after, 'new')).not.toEqual(accountOf(before, 'new'));
    expect(accountOf(after, 'stay')).toEqual(accountOf(before, 'stay'));

    // The same through the inbound, and through the whole config.
    edit(
      b,
      1,
      users([
        ['stay', 1],
        ['more', 1],
      ]),
    );
    expect(await b.core.apply({ inboundIds: [1] })).toEqual({ kind: 'live' });
    expect(await emailsOf(b, 'in-1')).toEqual(['more', 'stay']);
    edit(
      b,
      1,
      users([
        ['stay', 1],
        ['last', 1],
      ]),
    );
    expect(await b.core.apply({ everything: true })).toEqual({ kind: 'live' });
    expect(await emailsOf(b, 'in-1')).toEqual(['last', 'stay']);

    edit(b, 1, users([['stay', 1]]));
    expect(await report('last', 'never was')).toEqual({ kind: 'live' });
    expect(await report('last')).toEqual({ kind: 'unchanged' });
    expect(await emailsOf(b, 'in-1')).toEqual(['stay']);
    expect(await b.core.apply({ everything: true })).toEqual({ kind: 'unchanged' });

    // Down to no clients and up again: a 2022 inbound changes its kind in between.
    edit(b, 1, users([]));
    expect(await report('stay')).toEqual({ kind: 'live' });
    edit(b, 1, users([['stay', 3]]));
    expect(await report('stay')).toEqual({ kind: 'live' });
    expect(await emailsOf(b, 'in-1')).toEqual(['stay']);
    expect(await b.core.apply({ everything: true })).toEqual({ kind: 'unchanged' });
    expect(pidOf(b)).toBe(pid);
    expect(b.logs.filter(({ event }) => event === 'core.applyFailed')).toEqual([]);
  },
);

test('the only user of a cipher that serves one changes with the inbound', async () => {
  const b = benchForTest();
  const settings = { method: '2022-blake3-chacha20-poly1305', password: key(32, 'server', 0) };
  const clients = ['first', 'second'].map((email) => client(email, { password: key(32, email, 0) }));
  b.wanted.inbounds.push(inbound(await freePort(), { id: 1, protocol: 'shadowsocks', settings, clients }));
  await b.core.boot();
  const report = async (email: string) => {
    expect(await b.core.apply({ users: [{ inboundId: 1, emails: [email] }] })).toEqual({ kind: 'live' });
    expect(await b.core.apply({ everything: true })).toEqual({ kind: 'unchanged' });
    return (await b.core.readCounters())?.inbounds.names ?? [];
  };
  edit(b, 1, { clients: clients.slice(1) });
  expect(await report('first')).toEqual(['in-1']);
  edit(b, 1, { clients: [] });
  await report('second');
  await expect(emailsOf(b, 'in-1')).rejects.toThrow('in-1');
  edit(b, 1, { clients });
  expect(await report('first')).toEqual(['in-1']);
});

test('many changes at once form one batch, and each caller gets his result when it is live', async () => {
  const b = benchForTest();
  b.wanted.inbounds.push(inbound(await freePort(), { id: 1 }), inbound(await freePort(), { id: 2 }));
  await b.core.boot();
  const emails = Array.from({ length: 300 }, (_, i) => `u${i}@x`);
  for (const id of [1, 2])
    edit(b, id, { clients: emails.map((email) => client(email, { id: uuid(email, Number(email.slice(1, -2))) })) });
  const results = await Promise.all(
    emails.flatMap((email) => [1, 2].map((inboundId) => b.core.apply({ users: [{ inboundId, emails: [email] }] }))),
  );
  expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['live']));
  expect(await emailsOf(b, 'in-1')).toEqual([...emails].sort());
  expect(await emailsOf(b, 'in-2')).toEqual([...emails].sort());
});

test('a renamed client keeps his credential', async () => {
  const b = benchForTest();
  b.wanted.inbounds.push(
    inbound(await freePort(), {
      id: 1,
      protocol: 'trojan',
      settings: {},
      clients: [client('Old@x', { password: 'p' })],
    }),
  );
  await b.core.boot();
  edit(b, 1, { clients: [client('new@x', { password: 'p' })] });
  expect(await b.core.apply({ users: [{ inboundId: 1, emails: ['Old@x', 'new@x'] }] })).toEqual({ kind: 'live' });
  expect(await emailsOf(b, 'in-1')).toEqual(['new@x']);
  edit(b, 1, { clients: [client('NEW@x', { password: 'p' })] });
  expect(await b.core.apply({ users: [{ inboundId: 1, emails: ['NEW@x'] }] })).toEqual({ kind: 'live' });
  expect(await emailsOf(b, 'in-1')).toEqual(['NEW@x']);
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'unchanged' });
});

test('inbounds come, change, move and go live', async () => {
  const b = benchForTest();
  await b.core.boot();
  const pid = pidOf(b);
  b.wanted.inbounds.push(inbound(await freePort(), { id: 7, clients: [client('a@x')] }));
  expect(await b.core.apply({ inboundIds: [7] })).toEqual({ kind: 'live' });
  expect(await b.core.apply({ inboundIds: [7, 8] })).toEqual({ kind: 'unchanged' });
  expect(await emailsOf(b, 'in-7')).toEqual(['a@x']);
  edit(b, 7, { port: await freePort() });
  expect(await b.core.apply({ inboundIds: [7] })).toEqual({ kind: 'live' });
  edit(b, 7, { tag: 'moved', streamSettings: { network: 'ws', wsSettings: { path: '/w' } } });
  expect(await b.core.apply({ inboundIds: [7] })).toEqual({ kind: 'live' });
  expect(await emailsOf(b, 'moved')).toEqual(['a@x']);
  await expect(emailsOf(b, 'in-7')).rejects.toThrow('in-7');
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'unchanged' });
  b.wanted.inbounds = [];
  expect(await b.core.apply({ inboundIds: [7] })).toEqual({ kind: 'live' });
  await expect(emailsOf(b, 'moved')).rejects.toThrow('moved');
  expect(pidOf(b)).toBe(pid);
});

test('swapped tags are sorted out from the whole config', async () => {
  const b = benchForTest();
  b.wanted.inbounds.push(
    inbound(await freePort(), { id: 1, tag: 'a' }),
    inbound(await freePort(), { id: 2, tag: 'b' }),
  );
  await b.core.boot();
  edit(b, 1, { tag: 'b' });
  edit(b, 2, { tag: 'a' });
  expect(await b.core.apply({ inboundIds: [1] })).toEqual({ kind: 'live' });
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'unchanged' });
});

const REALITY = {
  target: '127.0.0.1:1',
  serverNames: ['test.local'],
  privateKey: 'GBUKMBrvNDzCz59z0S2yska2gNwV2RhdMgTiUKHv5Ws',
  shortIds: ['abcd'],
};

test('REALITY: users change live, everything else with a new process', async () => {
  const b = benchForTest();
  const stream = (shortId: string): JsonObject => ({
    network: 'tcp',
    security: 'reality',
    realitySettings: { ...REALITY, shortIds: [shortId] },
  });
  b.wanted.inbounds.push(
    inbound(await freePort(), { id: 1, streamSettings: stream('abcd'), clients: [client('a@x')] }),
  );
  await b.core.boot();
  let pid = pidOf(b);
  edit(b, 1, { clients: [client('a@x'), client('b@x')] });
  expect(await b.core.apply({ users: [{ inboundId: 1, emails: ['b@x'] }] })).toEqual({ kind: 'live' });
  expect(pidOf(b)).toBe(pid);
  edit(b, 1, { streamSettings: stream('ef01') });
  expect(await b.core.apply({ inboundIds: [1] })).toEqual({ kind: 'restarted' });
  expect(pidOf(b)).not.toBe(pid);
  pid = pidOf(b);
  edit(b, 1, { tag: 'moved', port: await freePort() });
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'restarted' });
  expect(await emailsOf(b, 'moved')).toEqual(['a@x', 'b@x']);
});

test('a client with a reverse proxy changes with a new process only', async () => {
  const b = benchForTest();
  b.wanted.inbounds.push(inbound(await freePort(), { id: 1, clients: [client('a@x')] }));
  await b.core.boot();
  edit(b, 1, { clients: [client('a@x'), client('r@x', { reverseTag: 'r' })] });
  expect(await b.core.apply({ users: [{ inboundId: 1, emails: ['r@x'] }] })).toEqual({ kind: 'restarted' });
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'unchanged' });
});

test('outbounds: the second changes live, the first with a new process, formatting changes nothing', async () => {
  const b = benchForTest();
  await b.core.boot();
  const pid = pidOf(b);
  const [direct, blocked] = b.wanted.template.outbounds as [JsonObject, JsonObject];
  editTemplate(b, {
    outbounds: [direct, { ...blocked, settings: { response: { type: 'http' } } }, { tag: 'more', protocol: 'freedom' }],
  });
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'live' });
  const shuffled = JSON.parse(JSON.stringify(b.wanted.template), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toReversed())
      : value,
  ) as JsonObject;
  b.wanted.template = { ...shuffled, dns: null };
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'unchanged' });
  expect(pidOf(b)).toBe(pid);
  editTemplate(b, { outbounds: [{ ...direct, settings: {} }, blocked] });
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'restarted' });
  expect(pidOf(b)).not.toBe(pid);
});

test('rules are replaced live; a list that the API refuses ends in a new process, never in an empty router', async () => {
  // Two rules of one name load from a file, but not through the API.
  const b = benchForTest({
    builder: {
      ...productBuilder,
      full: async (source, options) => {
        const built = await productBuilder.full(source, options);
        return { ...built, config: { ...built.config, routing: source.template.routing ?? null } };
      },
    },
  });
  await b.core.boot();
  let pid = pidOf(b);
  const rule = (port: number): JsonObject => ({ ruleTag: 'same', port, outboundTag: 'blocked' });
  const routeOf = (port: number) =>
    b.core
      .api()
      ?.testRoute({ inboundTag: 'x', network: 'tcp', domain: 'a.test', ip: null, port, protocol: '', user: '' });
  editTemplate(b, { routing: { rules: [rule(81)] } });
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'live' });
  expect(pidOf(b)).toBe(pid);
  expect(await routeOf(81)).toMatchObject({ outboundTag: 'blocked' });
  expect(await routeOf(80)).toBeNull();
  editTemplate(b, { routing: { rules: [rule(82), rule(83)] } });
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'restarted' });
  expect(pidOf(b)).not.toBe(pid);
  expect(await routeOf(83)).toMatchObject({ outboundTag: 'blocked' });
  // A change that the core refuses altogether changes nothing.
  pid = pidOf(b);
  editTemplate(b, { routing: { rules: [{ port: 84, balancerTag: 'none' }] } });
  expect(await b.core.apply({ everything: true })).toEqual({
    kind: 'failed',
    text: expect.stringContaining('balancer none'),
  });
  expect(pidOf(b)).toBe(pid);
  expect(await routeOf(83)).toMatchObject({ outboundTag: 'blocked' });
  expect(b.timers.armed()).toEqual([30_000]);
  editTemplate(b, { routing: { rules: [rule(85)] } });
  await b.timers.fire();
  expect(await routeOf(85)).toMatchObject({ outboundTag: 'blocked' });
  expect(b.timers.armed()).toEqual([]);
});

test('a changed inbound that the core refuses leaves the running one in place and is tried again', async () => {
  const b = benchForTest();
  const { certificateFile, keyFile } = makeCertificate(b.dataDir);
  const certificate = readFileSync(certificateFile);
  rmSync(certificateFile);
  b.wanted.inbounds.push(inbound(await freePort(), { id: 1, clients: [client('a@x')] }));
  await b.core.boot();
  const pid = pidOf(b);
  edit(b, 1, {
    streamSettings: { network: 'tcp', security: 'tls', tlsSettings: { certificates: [{ certificateFile, keyFile }] } },
  });
  expect(await b.core.apply({ inboundIds: [1] })).toEqual({
    kind: 'failed',
    text: expect.stringContaining('cert.pem'),
  });
  expect(b.core.status().leftOut).toEqual([
    { kind: 'inbound', name: 'in-1', reason: expect.stringContaining('cert.pem') },
  ]);
  expect(await emailsOf(b, 'in-1')).toEqual(['a@x']);
  await b.timers.fire();
  await b.timers.fire();
  await b.timers.fire();
  expect(pidOf(b)).toBe(pid);
  writeFileSync(certificateFile, certificate);
  await b.timers.fire();
  expect(b.timers.armed()).toEqual([]);
  expect(b.core.status().leftOut).toEqual([]);
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'unchanged' });
  expect(pidOf(b)).toBe(pid);
});

test('a busy port keeps only its own inbound down, until it is free', async () => {
  const b = benchForTest();
  await b.core.boot();
  const holder = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => holder.once('listening', done));
  const address = holder.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  b.wanted.inbounds.push(
    inbound(await freePort(), { id: 1, clients: [client('a@x')] }),
    inbound(port, { id: 2, clients: [client('a@x')] }),
  );
  const result = await b.core.apply({ inboundIds: [1, 2] });
  expect(result).toEqual({ kind: 'failed', text: expect.stringContaining('address already in use') });
  // The others keep running.
  expect(b.core.status().state).toBe('running');
  expect(await emailsOf(b, 'in-1')).toEqual(['a@x']);
  await new Promise((done) => holder.close(done));
  await b.timers.fire();
  expect(await emailsOf(b, 'in-2')).toEqual(['a@x']);
  expect(b.timers.armed()).toEqual([]);
});

/** A port that another program holds until the returned function is called. */
async function heldPort(): Promise<[port: number, free: () => Promise<void>]> {
  const holder = createServer();
  const port = await listening(holder);
  return [port, () => shut(holder)];
}

test('while its port is taken, neither a change of a client nor a new try builds an inbound, and it is right afterwards', async () => {
  let most = 0;
  const note = (...inbounds: readonly InboundSource[]): void => {
    most = Math.max(most, ...inbounds.map(({ clients }) => clients.length));
  };
  const b = benchForTest({
    builder: {
      ...productBuilder,
      full(source, options) {
        note(...source.inbounds);
        return productBuilder.full(source, options);
      },
      inbound(source, version) {
        note(source);
        return productBuilder.inbound(source, version);
      },
    },
  });
  const [port, free] = await heldPort();
  const others = ['a@x', 'b@x', 'c@x'].map((email) => client(email));
  b.wanted.inbounds.push(inbound(port, { id: 1, clients: others }), inbound(await freePort(), { id: 2 }));
  const report = (email: string) => b.core.apply({ users: [{ inboundId: 1, emails: [email] }] });
  const taken = { kind: 'failed', text: expect.stringContaining('address already in use') };
  await b.core.boot();
  const pid = pidOf(b);
  edit(b, 1, { clients: [...others, client('new@x')] });
  expect(await report('new@x')).toEqual(taken);
  // The same after a change of the inbound, and after one of everything.
  for (const change of [{ inboundIds: [1] }, { everything: true }]) {
    expect(await b.core.apply(change)).toEqual(taken);
    most = 0;
    edit(b, 1, { clients: [client('b@x', { id: uuid('b@x', 2) }), client('c@x'), client('new@x')] });
    expect([await report('a@x'), await report('b@x')]).toEqual([taken, taken]);
    await b.timers.fire();
    expect([b.timers.armed(), most]).toEqual([[30_000], 0]);
    expect(b.core.status().leftOut).toMatchObject([{ kind: 'inbound', name: 'in-1', reason: taken.text }]);
  }
  await free();
  await b.timers.fire();
  expect([b.timers.armed(), b.core.status().leftOut]).toEqual([[], []]);
  expect(await emailsOf(b, 'in-1')).toEqual(['b@x', 'c@x', 'new@x']);
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'unchanged' });
  edit(b, 1, { clients: [client('c@x')] });
  expect(await report('b@x')).toEqual({ kind: 'live' });
  expect(await emailsOf(b, 'in-1')).toEqual(['c@x', 'new@x']);
  expect(pidOf(b)).toBe(pid);
});

/** Clients whose passwords make their trojan inbound too large for one message of the core's API. */
const manyClients = (count = 900) =>
  Array.from({ length: count }, (_, at) => client(`${at}@x`, { password: `${at}`.padEnd(5_000, 'x') }));

/** A running core with a small inbound and one that is too large for one message. */
async function withLargeInbound(overrides: Parameters<typeof benchForTest>[0] = {}) {
  const b = benchForTest(overrides);
  const large = { id: 2, protocol: 'trojan', settings: {}, clients: manyClients() };
  b.wanted.inbounds.push(
    inbound(await freePort(), { id: 1, clients: [client('a@x')] }),
    inbound(await freePort(), large),
  );
  await b.core.boot();
  return { b, pid: pidOf(b) };
}

test('an inbound too large for one message changes without a new process', async () => {
  const { b, pid } = await withLargeInbound();
  const usersOf = async (tag: string) =>
    (await listUsers(b.dataDir, tag)).toSorted((one, other) => one.email.localeCompare(other.email));
  const before = await usersOf('in-2');
  edit(b, 2, { port: await freePort() });
  expect(await b.core.apply({ inboundIds: [2] })).toEqual({ kind: 'live' });
  expect(await usersOf('in-2')).toEqual(before);
  edit(b, 2, { tag: 'moved', port: await freePort() });
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'live' });
  expect(await usersOf('moved')).toEqual(before);
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'unchanged' });
  edit(b, 2, { clients: manyClients(898) });
  expect(await b.core.apply({ users: [{ inboundId: 2, emails: ['898@x', '899@x'] }] })).toEqual({ kind: 'live' });
  expect(await usersOf('moved')).toHaveLength(898);
  expect(pidOf(b)).toBe(pid);
});

test('clients that change while a large inbound is added are right afterwards', async () => {
  const { b, pid } = await withLargeInbound();
  const api = b.core.api()!;
  const { addUser } = api;
  const meanwhile: Promise<unknown>[] = [];
  api.addUser = (...user) => {
    if (meanwhile.length === 0) {
      edit(b, 2, { clients: [...manyClients().slice(2), client('new@x', { password: 'p' })] });
      meanwhile.push(b.core.apply({ users: [{ inboundId: 2, emails: ['0@x', '1@x', 'new@x'] }] }));
    }
    return addUser(...user);
  };
  edit(b, 2, { port: await freePort() });
  expect(await b.core.apply({ inboundIds: [2] })).toEqual({ kind: 'live' });
  expect(await Promise.all(meanwhile)).toEqual([{ kind: 'live' }]);
  const emails = await emailsOf(b, 'in-2');
  expect([emails.length, emails.includes('0@x'), emails.includes('new@x')]).toEqual([899, false, true]);
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'unchanged' });
  expect(pidOf(b)).toBe(pid);
});

test('a core that refuses a client of a large inbound, or dies meanwhile, is started with all of them', async () => {
  const { b, pid } = await withLargeInbound();
  let calls = 0;
  b.core.api()!.addUser = async () => {
    calls += 1;
    throw new CoreApiError('refused', 'not this one');
  };
  edit(b, 2, { port: await freePort() });
  expect(await b.core.apply({ inboundIds: [2] })).toEqual({ kind: 'restarted' });
  // Only those that were under way: one that hangs would be waited for again and again.
  expect(calls).toBe(24);
  const second = pidOf(b);
  expect(second).not.toBe(pid);
  expect(await emailsOf(b, 'in-2')).toHaveLength(900);

  const api = b.core.api()!;
  const { addUser } = api;
  api.addUser = (...user) => {
    process.kill(second, 'SIGKILL');
    return addUser(...user);
  };
  edit(b, 2, { port: await freePort() });
  expect(['failed', 'notRunning']).toContain((await b.core.apply({ inboundIds: [2] })).kind);
  await until(() => b.core.status().state === 'error', 'crash noticed');
  await b.timers.fire();
  expect(await emailsOf(b, 'in-2')).toHaveLength(900);
  expect(b.timers.armed()).toEqual([]);
});

test('a panel that closes does not wait until a large inbound has all its clients', async () => {
  const { b } = await withLargeInbound();
  const api = b.core.api()!;
  const { addUser } = api;
  let calls = 0;
  const closed: Promise<void>[] = [];
  api.addUser = (...user) => {
    calls += 1;
    if (closed.length === 0) closed.push(b.core.close());
    return addUser(...user);
  };
  edit(b, 2, { port: await freePort() });
  expect(await b.core.apply({ inboundIds: [2] })).toMatchObject({ kind: 'failed' });
  await Promise.all(closed);
  expect(calls).toBe(1);
});

test('a large inbound that failed half-way does not stay behind when no restart is possible', async () => {
  let isBroken = false;
  const { b, pid } = await withLargeInbound({
    builder: {
      ...productBuilder,
      full: (...given) => (isBroken ? Promise.reject(new Error('no space left')) : productBuilder.full(...given)),
    },
  });
  const api = b.core.api()!;
  const { addUser } = api;
  api.addUser = () => Promise.reject(new CoreApiError('refused', 'not this one'));
  isBroken = true;
  const before = b.wanted.inbounds;
  edit(b, 2, { port: await freePort() });
  await expect(b.core.apply({ inboundIds: [2] })).rejects.toThrow('no space left');
  await expect(emailsOf(b, 'in-2')).rejects.toThrow('in-2');
  // Taken back meanwhile: it has to come again all the same.
  b.wanted.inbounds = before;
  Object.assign(api, { addUser });
  isBroken = false;
  expect(await b.core.apply({ inboundIds: [2] })).toEqual({ kind: 'live' });
  expect(await emailsOf(b, 'in-2')).toHaveLength(900);
  expect(pidOf(b)).toBe(pid);
});

test.each([
  { name: 'trojan', restarts: false, given: { protocol: 'trojan', settings: {}, clients: manyClients() } },
  {
    // The core takes longer and longer for each of its users.
    name: 'shadowsocks 2022',
    restarts: true,
    given: {
      protocol: 'shadowsocks',
      settings: { method: '2022-blake3-aes-128-gcm', password: key(16, 'server', 0) },
      clients: manyClients().map(({ email, password }) =>
        client(`${email}${password}`, { password: key(16, email, 0) }),
      ),
    },
  },
])('a large $name inbound restarts nothing while its port is taken', async ({ restarts, given }) => {
  const b = benchForTest();
  const [port, free] = await heldPort();
  b.wanted.inbounds.push(inbound(await freePort(), { id: 1, clients: [client('a@x')] }));
  await b.core.boot();
  const pid = pidOf(b);
  b.wanted.inbounds.push(inbound(port, { id: 2, ...given }));
  const taken = { kind: 'failed', text: expect.stringContaining('address already in use') };
  expect(await b.core.apply({ inboundIds: [2] })).toEqual(taken);
  expect(await b.core.apply({ everything: true })).toEqual(taken);
  await b.timers.fire();
  expect([pidOf(b), b.timers.armed()]).toEqual([pid, [30_000]]);
  await free();
  await b.timers.fire();
  expect(pidOf(b) !== pid).toBe(restarts);
  expect([b.timers.armed(), b.core.status().leftOut]).toEqual([[], []]);
  expect(await emailsOf(b, 'in-2')).toHaveLength(900);
});

test('a core that dies during a change is started with the whole state', async () => {
  const b = benchForTest();
  b.wanted.inbounds.push(inbound(await freePort(), { id: 1, clients: [client('a@x')] }));
  await b.core.boot();
  const pid = pidOf(b);
  edit(b, 1, { clients: [client('a@x'), client('b@x')] });
  process.kill(pid, 'SIGKILL');
  const result = await b.core.apply({ users: [{ inboundId: 1, emails: ['b@x'] }] });
  expect(['failed', 'notRunning']).toContain(result.kind);
  await until(() => b.core.status().state === 'error', 'crash noticed');
  await b.timers.fire();
  expect(await emailsOf(b, 'in-1')).toEqual(['a@x', 'b@x']);
  expect(b.timers.armed()).toEqual([]);
});

test('the shown config is the one that runs', async () => {
  const b = benchForTest();
  b.wanted.inbounds.push(inbound(await freePort(), { id: 1, clients: [client('a@x')] }));
  await b.core.boot();
  expect(await b.core.assembled()).toEqual(JSON.parse(readFileSync(join(b.dataDir, 'core-config.json'), 'utf8')));
});
