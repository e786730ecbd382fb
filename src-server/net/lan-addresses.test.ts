import { describe, expect, it } from 'vitest';
import { hostsBeyond, lanAddresses, ownHosts } from './lan-addresses.ts';

const at = (address: string, more: { family?: string; internal?: boolean } = {}) => ({
  address,
  family: 'IPv4',
  internal: false,
  ...more,
});

describe('addresses of this machine for others', () => {
  it('are those of the private network first, without loopback, IPv6 and addresses not assigned by a network', () => {
    expect(
      lanAddresses({
        lo: [at('127.0.0.1', { internal: true })],
        ppp0: [at('203.0.113.9')],
        wlan0: [at('169.254.7.7'), at('192.168.1.20'), at('fe80::1', { family: 'IPv6' })],
        gone: undefined,
      }),
    ).toEqual(['192.168.1.20', '203.0.113.9']);
    expect(lanAddresses({})).toEqual([]);
  });
});

describe('addresses of this machine for the internet', () => {
  it('are public IPv4 first, then those of private networks, then public IPv6', () => {
    expect(
      ownHosts({
        lo: [at('127.0.0.1', { internal: true })],
        wlan0: [at('192.168.1.20'), at('fe80::1', { family: 'IPv6' }), at('2a01:4f8::1', { family: 'IPv6' })],
        eth0: [at('5.75.1.2')],
      }),
    ).toEqual(['5.75.1.2', '192.168.1.20', '2a01:4f8::1']);
  });
});

describe('hosts of a listen address', () => {
  it.each([
    ['', ['192.168.1.20']],
    ['0.0.0.0', ['192.168.1.20']],
    ['::', ['192.168.1.20']],
    ['127.0.0.1', []],
    ['::1', []],
    ['192.168.1.20', ['192.168.1.20']],
    ['fd00::5', ['[fd00::5]']],
  ])('%j is reached at %j', (listen, hosts) => {
    expect(hostsBeyond(listen, ['192.168.1.20'])).toEqual(hosts);
  });
});
