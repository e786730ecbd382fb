import { describe, expect, it } from 'vitest';
import { isIpAddress, isLoopbackAddress, networkOf, withPrefixLength } from './cidr.ts';
import { isAtLeast } from './core-version.ts';
import { rawUrlBase64Bytes, standardBase64Bytes, wireguardKeyHex } from './encoded-keys.ts';
import { hostAndPort, isAnyAddress, isListenAddress, portNumber } from './inbound/listen-address.ts';
import { decryptionProblem } from './protocols/vless-encryption.ts';
import { hysteriaIdentity, uuidOf, vlessIdentity } from './inbound/vless-identity.ts';
import * as base from '../../testing/core-config/base.ts';

describe('ids as the core reads them', () => {
  it.each([
    // Test vector of the core's own test.
    ['example', 'feb54431-301b-52bb-a6dd-e1e93e81bb9e'],
    [base.UUID, base.UUID],
    [base.UUID.toUpperCase(), base.UUID],
    [base.UUID.replaceAll('-', ''), base.UUID],
    [`${base.UUID.replaceAll('-', '')}1`, base.UUID],
    ['', null],
    ['x'.repeat(31), null],
    ['é'.repeat(16), null],
    ['z'.repeat(32), null],
  ])('%j is %s', (id, hex) => {
    expect(uuidOf(id)).toBe(hex);
  });

  it('are one user when only the third group differs', () => {
    const routed = base.UUID.replace('-4d53-', '-0001-');
    expect(vlessIdentity(routed)).toBe(vlessIdentity(base.UUID));
    expect(hysteriaIdentity(routed)).toBe(hysteriaIdentity(base.UUID));
    expect(vlessIdentity(base.OTHER_UUID)).not.toBe(vlessIdentity(base.UUID));
    expect(hysteriaIdentity('pw')).toBe('pw');
    expect(hysteriaIdentity('p'.repeat(32))).toBe('p'.repeat(32));
  });
});

describe('keys', () => {
  it.each([
    ['', 0],
    [base.KEY_16, 16],
    [base.KEY_32, 32],
    ['AQE', null],
    ['AQE=', 2],
    ['-_E=', null],
    ['A===', null],
    ['AQ =', null],
  ])('standard base64 %j has %s bytes', (text, bytes) => {
    expect(standardBase64Bytes(text)).toBe(bytes);
  });

  it.each([
    [base.REALITY_KEY, 32],
    [`${base.REALITY_KEY}=`, null],
    ['a', null],
    ['+/', null],
  ])('raw base64url %j has %s bytes', (text, bytes) => {
    expect(rawUrlBase64Bytes(text)).toBe(bytes);
  });

  it('of WireGuard are read in every spelling the core reads', () => {
    const hex = wireguardKeyHex(base.WG_SECRET);
    expect(hex).toHaveLength(64);
    expect(wireguardKeyHex(base.WG_SECRET.replace('=', ''))).toBe(hex);
    expect(wireguardKeyHex(base.WG_SECRET.replaceAll('+', '-').replaceAll('/', '_'))).toBe(hex);
    expect(wireguardKeyHex((hex ?? '').toUpperCase())).toBe(hex);
    for (const bad of ['', 'AQEB', `${base.WG_SECRET}A`, 'x'.repeat(64), `${base.WG_SECRET}==`]) {
      expect(wireguardKeyHex(bad)).toBeNull();
    }
  });

  it.each([
    ['none', null],
    [base.DECRYPTION, null],
    [base.DECRYPTION.replace('600s', '300-600s').replace('native', 'xorpub'), null],
    [base.DECRYPTION.replace('600s', '600s.100-111-1111.75-0-111.50-0-3333'), null],
    [base.DECRYPTION.replace('600s', '600s.50-111-1111'), 'config.decryptionFirstPadding'],
    [base.DECRYPTION.replace('600s', '600s.100-111-1111.foo'), 'config.decryptionPadding'],
    [`${base.DECRYPTION}.${base.VLESS_KEY}`, null],
    [`${base.DECRYPTION}.100-111-1111`, 'config.decryptionKey'],
    ['NONE', 'config.decryptionScheme'],
  ])('of vless encryption: %s', (decryption, problem) => expect(decryptionProblem(decryption)).toBe(problem));
});

describe('addresses', () => {
  it.each([
    ['10.0.0.7/24', '10.0.0.0/24'],
    ['10.0.0.7', '10.0.0.7/32'],
    ['fd00::7/64', 'fd00::/64'],
    ['FD00:0::7', 'fd00::7/128'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::/0', '::/0'],
    ['10.0.0.0/33', null],
    ['10.0/8', null],
    ['10.0.0.0/8/8', null],
    ['10.0.0.0/', null],
    ['', null],
  ])('the network of %j is %s', (text, network) => {
    expect(networkOf(text)).toBe(network);
  });

  it.each([
    ['10.0.0.2', '10.0.0.2/32'],
    ['fd00::2', 'fd00::2/128'],
    ['10.0.0.2/24', '10.0.0.2/24'],
    ['foo', 'foo'],
  ])('%j gets its prefix length: %j', (text, expected) => {
    expect(withPrefixLength(text)).toBe(expected);
  });

  it.each([
    ['', true],
    ['0.0.0.0', true],
    ['::', true],
    ['[::1]', true],
    ['localhost', true],
    ['/run/x.sock,0600', true],
    ['@abstract', true],
    ['example.com', false],
    ['1.2.3', false],
    ['fe80::1%eth0', false],
    ['*', false],
    ['env:X', false],
  ])('the core can listen on %j: %s', (listen, expected) => {
    expect(isListenAddress(listen)).toBe(expected);
  });

  it('tell which mean everything and which stay on this machine', () => {
    expect(['', '0.0.0.0', '::', '::0'].every(isAnyAddress)).toBe(true);
    expect(isAnyAddress('127.0.0.1')).toBe(false);
    expect(['127.0.0.1', '127.9.9.9', '::1', '[::1]', 'localhost', '::ffff:127.0.0.1'].every(isLoopbackAddress)).toBe(
      true,
    );
    expect(['', '0.0.0.0', '10.0.0.1', 'localhost.example.com', '127.1'].some(isLoopbackAddress)).toBe(false);
    expect(isIpAddress('1.2.3')).toBe(false);
  });

  it.each([
    ['a.b:443', { host: 'a.b', port: '443' }],
    [':443', { host: '', port: '443' }],
    ['[::1]:443', { host: '::1', port: '443' }],
    ['::1:443', null],
    ['a.b', null],
  ])('%j splits into %j', (text, expected) => {
    expect(hostAndPort(text)).toEqual(expected);
  });

  it.each([
    ['1', 1],
    ['65535', 65_535],
    ['0', null],
    ['65536', null],
    ['1.5', null],
    ['', null],
    ['x', null],
  ])('port %j is %s', (text, port) => {
    expect(portNumber(text)).toBe(port);
  });
});

it.each([
  ['26.5.9', true],
  ['26.5.8', false],
  ['26.10.1', true],
  ['27.0.0', true],
  ['v25.12.31', false],
  ['Unknown', true],
  [undefined, true],
])('core %s has what came with 26.5.9: %s', (version, expected) => {
  expect(isAtLeast(version, '26.5.9')).toBe(expected);
});
