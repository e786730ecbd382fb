import { describe, expect, test } from 'vitest';
import { clientAddress, parseTrustedProxies } from './client-address.ts';

const proxies = parseTrustedProxies('10.0.0.0/8, 2001:db8::/32, , not an address, 300.1.1.1/8, 10.0.0.1/99');

describe('client address', () => {
  test.each([
    [
      'a stranger cannot name himself',
      '203.0.113.7',
      { 'x-forwarded-for': '1.1.1.1', 'x-real-ip': '2.2.2.2' },
      '203.0.113.7',
    ],
    ['a trusted proxy names its client', '10.0.0.1', { 'x-forwarded-for': '203.0.113.7' }, '203.0.113.7'],
    [
      'what stands left of the first stranger is his own writing',
      '10.0.0.1',
      { 'x-forwarded-for': '6.6.6.6, 203.0.113.7' },
      '203.0.113.7',
    ],
    [
      'further trusted proxies are passed',
      '10.0.0.1',
      { 'x-forwarded-for': '6.6.6.6, 203.0.113.7, 10.2.2.2' },
      '203.0.113.7',
    ],
    ['only trusted proxies: the farthest', '10.0.0.1', { 'x-forwarded-for': '10.9.9.9, 10.2.2.2' }, '10.9.9.9'],
    ['garbage ends the walk', '10.0.0.1', { 'x-forwarded-for': '203.0.113.7, <script>, 10.2.2.2' }, '10.2.2.2'],
    [
      'X-Real-IP counts only without X-Forwarded-For',
      '10.0.0.1',
      { 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '6.6.6.6' },
      '203.0.113.7',
    ],
    ['X-Real-IP alone', '10.0.0.1', { 'x-real-ip': '203.0.113.7' }, '203.0.113.7'],
    ['an unreadable X-Real-IP', '10.0.0.1', { 'x-real-ip': 'localhost' }, '10.0.0.1'],
    ['entries with ports', '10.0.0.1', { 'x-forwarded-for': '203.0.113.7:4711' }, '203.0.113.7'],
    ['entries with brackets and ports', '10.0.0.1', { 'x-forwarded-for': '[2001:DB9::1]:443' }, '2001:db9::1'],
    ['a mapped socket address', '::ffff:10.0.0.1', { 'x-forwarded-for': '::ffff:203.0.113.7' }, '203.0.113.7'],
    ['a trusted IPv6 network', '2001:db8::1', { 'x-forwarded-for': '203.0.113.7' }, '203.0.113.7'],
    ['a decimal address is none', '10.0.0.1', { 'x-forwarded-for': '3405803783' }, '10.0.0.1'],
    ['no socket address', undefined, { 'x-forwarded-for': '203.0.113.7' }, 'unknown'],
  ])('%s', (_name, socket, headers, expected) => {
    expect(clientAddress(socket, headers, proxies)).toBe(expected);
  });

  test.each(['', ' ', ', ,'])('a blank list trusts loopback only: "%s"', (blank) => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const loopback = parseTrustedProxies(blank);
    expect(clientAddress('127.0.0.1', headers, loopback)).toBe('203.0.113.7');
    expect(clientAddress('::1', headers, loopback)).toBe('203.0.113.7');
    expect(clientAddress('192.168.1.2', headers, loopback)).toBe('192.168.1.2');
  });

  test('a list without a readable entry trusts nobody', () => {
    const nobody = parseTrustedProxies('not an address');
    expect(clientAddress('127.0.0.1', { 'x-forwarded-for': '203.0.113.7' }, nobody)).toBe('127.0.0.1');
  });

  test('what the settings accept is trusted: an IPv4 network in its IPv6 form', () => {
    const mapped = parseTrustedProxies('::ffff:127.0.0.0/104');
    expect(clientAddress('127.1.1.1', { 'x-forwarded-for': '203.0.113.7' }, mapped)).toBe('203.0.113.7');
  });

  test('a list of a thousand hops costs as much as sixty-four', () => {
    const headers = { 'x-forwarded-for': Array.from({ length: 1000 }, () => '10.1.1.1').join(',') };
    expect(clientAddress('10.0.0.1', headers, proxies)).toBe('10.1.1.1');
  });
});
