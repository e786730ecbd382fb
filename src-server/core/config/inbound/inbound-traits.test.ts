import { describe, expect, it } from 'vitest';
import * as base from '../../../testing/core-config/base.ts';
import {
  canHostFallbacks,
  certificatePairsOf,
  clientFieldOf,
  credentialKeyBytes,
  isFlowCapable,
  speaksQuic,
  supportsClients,
  transportsOf,
} from './inbound-rules.ts';
import type { JsonObject } from '../source.ts';

const TCP_TLS: JsonObject = { network: 'tcp', security: 'tls' };
const NONE = { decryption: 'none' };
const ENCRYPTED = { decryption: base.DECRYPTION };

describe('flow and fallbacks', () => {
  it.each<[string, JsonObject, JsonObject | null, boolean, boolean]>([
    ['vless', NONE, TCP_TLS, true, true],
    ['vless', NONE, { network: 'raw', security: 'reality' }, true, true],
    ['vless', NONE, { security: 'tls' }, true, true],
    ['vless', NONE, { network: 'tcp', security: 'none' }, false, false],
    ['vless', NONE, { network: 'ws', security: 'tls' }, false, false],
    ['vless', NONE, null, false, false],
    ['vless', ENCRYPTED, { network: 'xhttp' }, true, false],
    ['vless', ENCRYPTED, TCP_TLS, true, false],
    ['vless', ENCRYPTED, null, true, false],
    ['trojan', {}, TCP_TLS, false, true],
    ['trojan', {}, { network: 'grpc', security: 'tls' }, false, false],
    ['vmess', {}, TCP_TLS, false, false],
  ])('%s %j on %j: flow %s, fallbacks %s', (protocol, settings, stream, flow, fallbacks) => {
    expect(isFlowCapable(protocol, settings, stream)).toBe(flow);
    expect(canHostFallbacks(protocol, settings, stream)).toBe(fallbacks);
  });
});

describe('transports of an inbound', () => {
  it.each<[string, JsonObject, JsonObject | null, string[]]>([
    ['hysteria2', {}, { network: 'tcp' }, ['udp']],
    ['wireguard', {}, null, ['udp']],
    ['shadowsocks', { network: 'tcp,udp' }, null, ['tcp', 'udp']],
    ['shadowsocks', { network: 'udp' }, { network: 'tcp' }, ['udp']],
    ['shadowsocks', { network: '' }, null, ['tcp']],
    ['shadowsocks', { network: ['udp', 'tcp'] }, null, ['tcp', 'udp']],
    ['tunnel', { allowedNetwork: 'udp' }, null, ['udp']],
    ['tunnel', { allowedNetwork: 'foo' }, null, ['tcp']],
    ['vless', {}, { network: 'kcp' }, ['udp']],
    ['vless', {}, { network: 'mkcp' }, ['udp']],
    ['vless', {}, { network: 'quic' }, ['udp']],
    ['vless', {}, null, ['tcp']],
    ['mixed', { udp: true }, null, ['tcp', 'udp']],
    ['mixed', { udp: 'true' }, null, ['tcp']],
  ])('%s %j over %j: %j', (protocol, settings, streamSettings, expected) => {
    expect(transportsOf({ protocol, settings, streamSettings })).toEqual(expected);
  });
});

describe('QUIC of an inbound', () => {
  const xhttp = (alpn: string[]): JsonObject => ({ network: 'xhttp', security: 'tls', tlsSettings: { alpn } });
  it.each<[string, JsonObject | null, boolean]>([
    ['hysteria', null, true],
    ['hysteria2', { network: 'hysteria' }, true],
    ['vless', xhttp(['h3']), true],
    ['vless', xhttp(['h2', 'h3']), false],
    ['vless', { network: 'tcp', security: 'tls', tlsSettings: { alpn: ['h3'] } }, false],
    ['wireguard', null, false],
    ['vless', null, false],
  ])('%s over %j: %s', (protocol, stream, expected) => {
    expect(speaksQuic(protocol, stream)).toBe(expected);
  });
});

describe('clients of an inbound', () => {
  it.each([
    ['vless', 'id'],
    ['vmess', 'id'],
    ['trojan', 'password'],
    ['shadowsocks', 'password'],
    ['hysteria', 'auth'],
    ['hysteria2', 'auth'],
    ['wireguard', null],
    ['mixed', null],
    ['tunnel', null],
    ['constructor', null],
  ])('%s uses %s', (protocol, field) => {
    expect(clientFieldOf(protocol)).toBe(field);
    expect(supportsClients(protocol)).toBe(field !== null);
  });

  it.each([
    ['2022-blake3-aes-128-gcm', 16],
    ['2022-blake3-aes-256-gcm', 32],
    ['2022-blake3-chacha20-poly1305', 32],
    ['aes-256-gcm', null],
    ['toString', null],
  ])('keys of %s have %s bytes', (method, bytes) => {
    expect(credentialKeyBytes({ method })).toBe(bytes);
  });
});

describe('certificate pairs', () => {
  it('are the entries of TLS, with paths or text', () => {
    const certificates = [
      { certificateFile: '/a.pem', keyFile: '/a.key', certificate: ['ignored'] },
      { certificate: ['-----BEGIN', 'x'], key: ['-----BEGIN', 'y'], usage: 'issue' },
      { certificateFile: '/ca.pem', usage: 'verify' },
    ];
    const empty = { certificateFile: '', keyFile: '', certificatePem: '', keyPem: '', usage: 'encipherment' };
    const field = (index: number): string => `streamSettings.tlsSettings.certificates[${index}]`;
    expect(certificatePairsOf({ security: 'tls', tlsSettings: { certificates } })).toEqual([
      { ...empty, field: field(0), certificateFile: '/a.pem', keyFile: '/a.key' },
      { ...empty, field: field(1), certificatePem: '-----BEGIN\nx', keyPem: '-----BEGIN\ny', usage: 'issue' },
      { ...empty, field: field(2), certificateFile: '/ca.pem', usage: 'verify' },
    ]);
  });

  it('are none without TLS', () => {
    expect(certificatePairsOf(null)).toEqual([]);
    expect(certificatePairsOf({ security: 'reality', tlsSettings: { certificates: [{}] } })).toEqual([]);
  });
});
