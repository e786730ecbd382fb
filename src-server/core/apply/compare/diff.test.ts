import { expect, test } from 'vitest';
import type { JsonObject } from '../../config/source.ts';
import type { Difference } from './diff.ts';
import { difference } from './diff.ts';
import { snapshotOf } from './snapshot.ts';

const user = (email: string, id = email): JsonObject => ({ email, id });
const vless = (tag: string, clients: JsonObject[], more: JsonObject = {}): JsonObject => ({
  tag,
  listen: '0.0.0.0',
  port: 443,
  protocol: 'vless',
  settings: { decryption: 'none', clients },
  ...more,
});
const reality = { streamSettings: { network: 'tcp', security: 'reality', realitySettings: { shortIds: ['ab'] } } };
const base = (more: JsonObject = {}): JsonObject => ({
  log: { loglevel: 'warning' },
  api: { tag: 'api', listen: '/s' },
  inbounds: [vless('a', [user('u@x')])],
  outbounds: [
    { tag: 'direct', protocol: 'freedom' },
    { tag: 'second', protocol: 'blackhole' },
  ],
  routing: { domainStrategy: 'AsIs', rules: [{ port: 1, outboundTag: 'second' }] },
  ...more,
});

async function compare(now: JsonObject, next: JsonObject): Promise<Difference> {
  return difference(await snapshotOf(now), next, await snapshotOf(next));
}
const live = async (now: JsonObject, next: JsonObject) => {
  const found = await compare(now, next);
  return found.kind === 'live' ? found.change : found;
};

test('formatting, key order and null members are no difference', async () => {
  const next = JSON.parse(
    '{"stats":null,"outbounds":[{"protocol":"freedom","tag":"direct"},{"protocol":"blackhole","tag":"second"}],"routing":{"rules":[{"outboundTag":"second","port":1}],"domainStrategy":"AsIs"},"inbounds":[{"protocol":"vless","sniffing":null,"settings":{"clients":[{"id":"u@x","email":"u@x"}],"decryption":"none"},"port":443,"listen":"0.0.0.0","tag":"a"}],"api":{"listen":"/s","tag":"api"},"log":{"loglevel":"warning"}}',
  ) as JsonObject;
  expect(await compare(base(), next)).toEqual({ kind: 'none' });
});

test('users: added, changed, removed; nothing for those that stay', async () => {
  const now = base({ inbounds: [vless('a', [user('stay'), user('Gone@x'), user('new key')])] });
  const next = base({ inbounds: [vless('a', [user('stay'), user('new key', '2'), user('more')])] });
  expect(await live(now, next)).toMatchObject({
    users: [{ tag: 'a', remove: ['Gone@x', 'new key'], add: [user('new key', '2'), user('more')] }],
    removeInbounds: [],
    addInbounds: [],
  });
});

test('another spelling of an e-mail is removed in the spelling that runs', async () => {
  const now = base({ inbounds: [vless('a', [user('A@x', '1')])] });
  const next = base({ inbounds: [vless('a', [user('a@x', '1')])] });
  expect(await live(now, next)).toMatchObject({ users: [{ tag: 'a', remove: ['A@x'], add: [user('a@x', '1')] }] });
});

test.each<[string, JsonObject, JsonObject]>([
  ['port', vless('a', [user('u')]), vless('a', [user('u')], { port: 444 })],
  ['a user without e-mail', vless('a', [{ id: '1' }]), vless('a', [{ id: '2' }])],
  ['the same e-mail twice', vless('a', [user('u'), user('U', '2')]), vless('a', [user('u')])],
])('%s replaces the inbound', async (_name, before, after) => {
  expect(await live(base({ inbounds: [before] }), base({ inbounds: [after] }))).toMatchObject({
    users: [],
    removeInbounds: ['a'],
    addInbounds: [after],
  });
});

test('2022 shadowsocks without users is another kind of inbound', async () => {
  const ss = (clients: JsonObject[]): JsonObject => ({
    tag: 's',
    protocol: 'shadowsocks',
    settings: { method: '2022-blake3-aes-128-gcm', clients },
  });
  const one = [{ email: 'u', password: 'AgICAgICAgICAgICAgICAg==' }];
  expect(await live(base({ inbounds: [ss([])] }), base({ inbounds: [ss(one)] }))).toMatchObject({
    removeInbounds: ['s'],
    users: [],
  });
  expect(await live(base({ inbounds: [ss(one)] }), base({ inbounds: [ss([])] }))).toMatchObject({
    removeInbounds: ['s'],
    users: [],
  });
});

test('accounts of mixed inbounds are part of their settings', async () => {
  const mixed = (pass: string): JsonObject => ({
    tag: 'm',
    protocol: 'mixed',
    settings: { accounts: [{ user: 'u', pass }] },
  });
  expect(await live(base({ inbounds: [mixed('1')] }), base({ inbounds: [mixed('2')] }))).toMatchObject({
    removeInbounds: ['m'],
  });
});

test('outbounds: only the position of the first matters, changed ones are replaced', async () => {
  const [direct, second, third] = [
    { tag: 'direct', protocol: 'freedom' },
    { tag: 'second', protocol: 'blackhole' },
    { tag: 'third', protocol: 'freedom' },
  ];
  const three = base({ outbounds: [direct, second, third] });
  expect(await compare(three, base({ outbounds: [direct, third, second] }))).toEqual({ kind: 'none' });
  const changed = { ...second, settings: { response: { type: 'http' } } };
  expect(await live(three, base({ outbounds: [direct, changed] }))).toMatchObject({
    removeOutbounds: ['second', 'third'],
    addOutbounds: [changed],
  });
});

test('changed rules send the whole section again', async () => {
  const routing = { domainStrategy: 'AsIs', rules: [], balancers: [] };
  expect(await live(base(), base({ routing }))).toMatchObject({ routing });
});

test.each<[string, JsonObject, JsonObject]>([
  ['log', base(), base({ log: { loglevel: 'debug' } })],
  ['a section that appears', base(), base({ dns: { servers: ['1.1.1.1'] } })],
  [
    'routing options',
    base(),
    base({ routing: { domainStrategy: 'IPIfNonMatch', rules: [{ port: 1, outboundTag: 'second' }] } }),
  ],
  ['routing that disappears', base(), base({ routing: null })],
  [
    'the first outbound',
    base(),
    base({
      outbounds: [
        { tag: 'direct', protocol: 'blackhole' },
        { tag: 'second', protocol: 'blackhole' },
      ],
    }),
  ],
  [
    'another first outbound',
    base(),
    base({
      outbounds: [
        { tag: 'second', protocol: 'blackhole' },
        { tag: 'direct', protocol: 'freedom' },
      ],
    }),
  ],
  ['a tag used twice', base(), base({ inbounds: [vless('a', []), vless('a', [])] })],
  ['an empty tag', base(), base({ outbounds: [{ tag: 'direct', protocol: 'freedom' }, { protocol: 'blackhole' }] })],
  [
    'REALITY',
    base({ inbounds: [vless('a', [], reality)] }),
    base({ inbounds: [vless('a', [], { ...reality, port: 444 })] }),
  ],
  ['becoming REALITY', base({ inbounds: [vless('a', [])] }), base({ inbounds: [vless('a', [], reality)] })],
  [
    'a reverse proxy',
    base({ inbounds: [vless('a', [{ ...user('u'), reverse: { tag: 'r' } }])] }),
    base({ inbounds: [vless('a', [])] }),
  ],
  ['a new reverse proxy', base(), base({ inbounds: [vless('a', [{ ...user('u'), reverse: { tag: 'r' } }])] })],
  [
    'a socket',
    base({ inbounds: [vless('a', [], { listen: '/run/x' })] }),
    base({ inbounds: [vless('a', [], { listen: '/run/y' })] }),
  ],
  ['the API inbound', base(), base({ inbounds: [vless('a', [user('u@x')]), { tag: 'api', protocol: 'tunnel' }] })],
])('%s needs a restart', async (_name, now, next) => {
  expect((await compare(now, next)).kind).toBe('restart');
});

test('users of a REALITY inbound are changed live', async () => {
  const change = await live(
    base({ inbounds: [vless('a', [user('u')], reality)] }),
    base({ inbounds: [vless('a', [user('v')], reality)] }),
  );
  expect(change).toMatchObject({ users: [{ remove: ['u'], add: [user('v')] }] });
});

test('fallbacks of a running inbound change with the process', async () => {
  const withFallback = (dest: number): JsonObject =>
    base({ inbounds: [vless('a', [user('u')], { settings: { decryption: 'none', fallbacks: [{ dest }] } })] });
  expect(await compare(withFallback(80), withFallback(81))).toEqual({
    kind: 'restart',
    reason: 'a: fallbacks changed',
  });
});
