import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as base from '../../../testing/core-config/base.ts';
import { BROKEN_CLIENTS } from '../../../testing/core-config/broken-clients.ts';
import { GOOD_INBOUNDS } from '../../../testing/core-config/good-inbounds.ts';
import { buildInbound, buildUsers, userListKey } from './inbound-config.ts';
import type { FallbackSource, JsonObject } from '../source.ts';

function built(overrides: Parameters<typeof base.source>[0]) {
  const { inbound, leftOut } = buildInbound(base.source(overrides));
  return { inbound: inbound as { settings: JsonObject; streamSettings: JsonObject } | null, leftOut };
}

describe('clients the core would refuse or mix up', () => {
  it.each(BROKEN_CLIENTS)('are left out with a reason: $name', ({ inbound, clients, says }) => {
    const good = base.client({ ...inbound.good, email: 'good@x' });
    const result = built({ ...inbound.draft, clients: [good, ...clients] });
    expect(result.leftOut).toEqual([
      { kind: 'client', name: clients[0]?.email, reason: expect.stringContaining(says) as string },
    ]);
    const users = buildUsers(base.source({ ...inbound.draft, clients: [good, ...clients] }));
    const isSingle = inbound.draft.settings?.['method'] === '2022-blake3-chacha20-poly1305';
    expect(users.map((user) => user.email)).toEqual(isSingle ? [] : ['good@x']);
  });

  it('give way to the first with the same identity, in the given order', () => {
    const clients = ['a@x', 'b@x', 'c@x'].map((email) => base.client({ email }));
    const result = built({ clients });
    expect(result.inbound?.settings['clients']).toEqual([{ email: 'a@x', id: base.UUID }]);
    expect(result.leftOut.map((entry) => entry.name)).toEqual(['b@x', 'c@x']);
  });
});

describe('flow', () => {
  const flowing = base.client({ flow: 'xtls-rprx-vision-udp443' });
  const entryOf = (overrides: Parameters<typeof base.source>[0]) =>
    buildUsers(base.source({ clients: [flowing], ...overrides }))[0]?.entry;

  it("in its client form becomes the server's form", () => {
    expect(entryOf({ streamSettings: { network: 'tcp', ...base.TLS } })).toHaveProperty('flow', 'xtls-rprx-vision');
  });

  it.each([
    ['ws with tls', { streamSettings: { network: 'ws', ...base.TLS } }],
    ['plain tcp', { streamSettings: { network: 'tcp' } }],
    ['no stream at all', {}],
  ])('is omitted where every connection would be refused: %s', (_, overrides) => {
    expect(entryOf(overrides)).not.toHaveProperty('flow');
  });

  it('is never emitted for trojan', () => {
    const trojan = { protocol: 'trojan', settings: {}, streamSettings: { network: 'tcp', ...base.TLS } };
    expect(entryOf(trojan)).toEqual({ email: 'u@x', password: 'pw' });
  });
});

describe('shadowsocks 2022', () => {
  it.each(['2022-blake3-aes-128-gcm', '2022-blake3-aes-256-gcm', '2022-blake3-chacha20-poly1305'])(
    'with %s and no enabled client is not emitted: it would be open to its own password',
    (method) => {
      const password = method.includes('128') ? base.KEY_16 : base.KEY_32;
      const result = built({ protocol: 'shadowsocks', settings: { method, password }, clients: [] });
      expect(result).toMatchObject({ inbound: null, leftOut: [{ kind: 'inbound', name: 'in-1' }] });
      expect(result.leftOut[0]?.reason).toContain('no enabled client');
    },
  );
});

describe('fallbacks', () => {
  const row = (change: Partial<FallbackSource> = {}): FallbackSource => {
    return { name: '', alpn: '', path: '', dest: '', xver: 0, child: { listen: '', port: 81 }, ...change };
  };
  const host = { settings: { decryption: 'none' }, streamSettings: { network: 'tcp', ...base.TLS } };

  it.each(['', '0.0.0.0', '::', '::0'])('reach a child that listens on %j through loopback', (listen) => {
    const result = built({ ...host, fallbacks: [row({ child: { listen, port: 81 } })] });
    expect(result.inbound?.settings['fallbacks']).toEqual([{ dest: '127.0.0.1:81' }]);
  });

  it('replace the hand-written ones', () => {
    const settings = { decryption: 'none', fallbacks: [{ dest: 99 }] };
    const result = built({ ...host, settings, fallbacks: [row({ dest: '80' })] });
    expect(result.inbound?.settings['fallbacks']).toEqual([{ dest: '80' }]);
  });

  it('without child and destination are skipped, the others stay', () => {
    const result = built({ ...host, fallbacks: [row({ child: null }), row({ dest: '80' })] });
    expect(result.inbound?.settings['fallbacks']).toEqual([{ dest: '80' }]);
    expect(result.leftOut).toMatchObject([{ kind: 'fallback', name: 'in-1' }]);
  });

  it.each([
    ['a bad path', row({ path: 'a' })],
    ['a bad xver', row({ xver: 3 })],
    ['a destination without port', row({ dest: 'example.com' })],
  ])('with %s are left out', (_, bad) => {
    const result = built({ ...host, fallbacks: [bad] });
    expect(result.inbound?.settings).not.toHaveProperty('fallbacks');
    expect(result.leftOut).toMatchObject([{ kind: 'fallback' }]);
  });

  it.each([
    ['on ws', { ...host, streamSettings: { network: 'ws', ...base.TLS } }],
    ['without tls', { ...host, streamSettings: { network: 'tcp' } }],
    ['with encryption', { ...host, settings: { decryption: base.DECRYPTION } }],
  ])('of a master that cannot host them (%s) are not emitted', (_, master) => {
    const result = built({ ...master, fallbacks: [row()] });
    expect(result.inbound?.settings).not.toHaveProperty('fallbacks');
    expect(result.leftOut).toMatchObject([{ kind: 'fallback' }]);
  });
});

describe('masks', () => {
  it('on TCP under REALITY are removed as a whole, and the operator is told', () => {
    const finalmask = { tcp: [{ type: 'fragment', settings: { length: '5' } }], udp: [{ type: 'xdns' }] };
    const security = { security: 'reality', realitySettings: base.REALITY };
    const result = built({ streamSettings: { network: 'tcp', ...security, finalmask } });
    expect(result.inbound?.streamSettings).not.toHaveProperty('finalmask');
    expect(result.leftOut).toMatchObject([{ kind: 'mask', name: 'in-1' }]);
  });

  it('without complete Minecraft profiles are removed alone', () => {
    const sudoku = { type: 'sudoku', settings: { password: 'p' } };
    const finalmask = { tcp: [{ type: 'xmc', settings: { password: 'p' } }, sudoku] };
    const result = built({ streamSettings: { network: 'tcp', finalmask } });
    expect(result.inbound?.streamSettings['finalmask']).toEqual({ tcp: [sudoku] });
    expect(result.leftOut).toMatchObject([{ kind: 'mask', name: 'in-1' }]);
  });
});

describe('peers of wireguard', () => {
  const peers: JsonObject[] = [
    { email: 'a@x', publicKey: base.WG_PEER, allowedIPs: ['10.0.0.2/24'] },
    { email: 'b@x', publicKey: base.WG_OTHER_PEER, allowedIPs: ['10.0.0.9/24'] },
    { comment: 'phone', publicKey: 'short' },
    { publicKey: base.WG_SECRET },
  ];
  const wireguard = { protocol: 'wireguard', settings: { secretKey: base.WG_SECRET, peers } };

  it('that share a network, or would not load, are left out one by one', () => {
    const result = built(wireguard);
    expect(result.inbound?.settings['peers']).toEqual([
      { email: 'a@x', level: 0, publicKey: base.WG_PEER, allowedIPs: ['10.0.0.2/24'] },
      { publicKey: base.WG_SECRET },
    ]);
    expect(result.leftOut.map(({ kind, name }) => [kind, name])).toEqual([
      ['client', 'b@x'],
      ['client', 'phone'],
    ]);
    expect(result.leftOut[0]?.reason).toContain('10.0.0.0/24');
  });

  it('are its users by e-mail; nameless ones can only change with their inbound', () => {
    expect(buildUsers(base.source(wireguard)).map((user) => user.email)).toEqual(['a@x']);
  });
});

describe('tunnel on an older core', () => {
  it('gets the names that this core knows', () => {
    const settings = { rewriteAddress: 'a.b', rewritePort: 1, allowedNetwork: 'udp' };
    const old = buildInbound(base.source({ protocol: 'tunnel', settings }), { coreVersion: '26.4.25' });
    expect(old.inbound?.['settings']).toEqual({ address: 'a.b', port: 1, network: 'udp' });
    const current = buildInbound(base.source({ protocol: 'tunnel', settings }), { coreVersion: '26.5.9' });
    expect(current.inbound?.['settings']).toEqual(settings);
  });
});

describe('users', () => {
  it.each(GOOD_INBOUNDS)('are the entries of the rendered inbound: $name', ({ inbound }) => {
    const key = userListKey(inbound.protocol);
    const settings = (buildInbound(inbound).inbound?.['settings'] ?? {}) as JsonObject;
    const listed = key === null ? [] : ((settings[key] ?? []) as JsonObject[]);
    const named = listed.filter((entry) => entry['email'] !== undefined);
    expect(buildUsers(inbound).map((user) => user.entry)).toEqual(named);
  });

  it.each([
    ['vless', 'clients'],
    ['hysteria2', 'clients'],
    ['wireguard', 'peers'],
    ['mixed', null],
    ['tunnel', null],
    ['foo', null],
  ])('of %s are in settings.%s', (protocol, key) => {
    expect(userListKey(protocol)).toBe(key);
  });
});

describe('rendering', () => {
  it('never throws and never mutates, whatever the stored row holds', () => {
    const protocols = [
      'vless',
      'vmess',
      'trojan',
      'shadowsocks',
      'hysteria2',
      'wireguard',
      'http',
      'mixed',
      'tunnel',
      'tun',
      '?',
    ];
    const json = fc.jsonValue({ maxDepth: 3 });
    const object = fc.dictionary(
      fc.oneof(
        fc.constantFrom(
          'decryption',
          'method',
          'peers',
          'portMap',
          'accounts',
          'fallbacks',
          'network',
          'security',
          'tlsSettings',
        ),
        fc.constantFrom(
          'realitySettings',
          'finalmask',
          'xhttpSettings',
          'kcpSettings',
          'tcpSettings',
          'sockopt',
          'tcp',
          'udp',
        ),
        fc.string(),
      ),
      json,
    ) as fc.Arbitrary<JsonObject>;
    const row = fc.record({
      protocol: fc.constantFrom(...protocols),
      settings: object,
      streamSettings: fc.option(object),
      sniffing: fc.option(object),
      listen: fc.oneof(fc.constant(''), fc.string()),
      port: fc.integer({ min: -1, max: 70_000 }),
    });
    fc.assert(
      fc.property(row, (overrides) => {
        const source = base.source(overrides);
        const before = JSON.stringify(source);
        const first = JSON.stringify(buildInbound(source));
        expect(JSON.stringify(source)).toBe(before);
        expect(JSON.stringify(buildInbound(structuredClone(source)))).toBe(first);
      }),
      { numRuns: 500 },
    );
  });
});
