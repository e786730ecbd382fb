import { describe, expect, it } from 'vitest';
import { addressOf, asProtocol, newOutbound, PROTOCOLS, userPath } from './outbound-kinds.ts';

describe('kinds of outbounds', () => {
  it.each([
    ['in a list', { protocol: 'trojan', settings: { servers: [{ address: 'a.b', port: 443 }] } }, 'a.b:443'],
    ['flat', { protocol: 'vless', settings: { address: '2001:db8::1', port: 1 } }, '[2001:db8::1]:1'],
    ['of old', { protocol: 'vmess', settings: { vnext: [{ address: 'a.b', port: 2 }] } }, 'a.b:2'],
    ['of a peer', { protocol: 'wireguard', settings: { peers: [{ endpoint: 'a.b:3' }] } }, 'a.b:3'],
    ['nowhere', { protocol: 'freedom' }, ''],
  ])('find the address %s', (_, outbound, address) => expect(addressOf(outbound)).toBe(address));

  it('find the account', () => {
    expect(userPath({ protocol: 'socks', settings: { servers: [{}] } })).toEqual([
      'settings',
      'servers',
      0,
      'users',
      0,
    ]);
    expect(userPath({ protocol: 'trojan', settings: { servers: [{}] } })).toEqual(['settings', 'servers', 0]);
    expect(userPath({ protocol: 'vless', settings: {} })).toEqual(['settings']);
  });

  it('change without losing what the next kind shares', () => {
    const vless = { ...newOutbound('a'), mux: { enabled: true }, settings: { address: 'a.b', port: 8443, id: 'u' } };
    const vmess = asProtocol(vless, 'vmess');
    expect(vmess).toMatchObject({
      tag: 'a',
      mux: { enabled: true },
      settings: { vnext: [{ address: 'a.b', port: 8443, users: [{ id: 'u' }] }] },
      streamSettings: { security: 'tls' },
    });
    expect(asProtocol(vmess, 'freedom')).not.toHaveProperty('streamSettings');
    expect(asProtocol(vmess, 'wireguard')).toMatchObject({ settings: { address: [] } });
  });

  it('take the transport of hysteria with them neither way, but the chain they are dialled through', () => {
    const chain = { sockopt: { dialerProxy: 'b' } };
    const vless = { ...newOutbound('a'), streamSettings: { network: 'ws', security: 'tls', wsSettings: {}, ...chain } };
    const hysteria = asProtocol(vless, 'hysteria');
    expect(hysteria['streamSettings']).toEqual({
      network: 'hysteria',
      security: 'tls',
      hysteriaSettings: { version: 2 },
      ...chain,
    });
    expect(asProtocol(hysteria, 'trojan')['streamSettings']).toEqual({ network: 'raw', security: 'tls', ...chain });
  });

  it('all have a starting point', () => {
    for (const protocol of PROTOCOLS) expect(asProtocol(newOutbound('a'), protocol)['settings']).toBeTypeOf('object');
  });
});
