import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { parseTrustedProxies } from './guards/client-address.ts';
import { describeRequest, isOwnHost, isOwnOrigin } from './describe-request.ts';
import { hostName, isLocalName } from './guards/host-name.ts';

const STRANGER = '203.0.113.7';
const PROXY = '127.0.0.1';
const trust = parseTrustedProxies('');
const noCertificate = () => false;

function facts(remoteAddress: string, headers: Record<string, string>) {
  return describeRequest({ socket: { remoteAddress }, headers } as unknown as IncomingMessage, trust);
}

test.each([
  ['panel.example.com', 'panel.example.com'],
  ['Panel.Example.COM.:2053', 'panel.example.com'],
  ['[2001:DB8::1]:2053', '2001:db8::1'],
  ['192.0.2.1:80', '192.0.2.1'],
  ['user@evil.example', null],
  ['evil.example/path', null],
  ['a b', null],
  ['host:port', null],
  ['', null],
])('host name of %j is %j', (host, expected) => {
  expect(hostName(host)).toBe(expected);
});

test.each([
  ['127.0.0.1', true],
  ['192.168.1.5', true],
  ['2001:db8::1', true],
  ['localhost', true],
  ['panel.localhost', true],
  ['nas', true],
  ['nas.local', true],
  ['nas.fritz.box', false],
  ['other.local', false],
  ['nas.evil.example', false],
  ['localhost.evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['evil.example', false],
])('on the machine nas, %s is its own: %s', (name, expected) => {
  expect(isLocalName(name, 'nas')).toBe(expected);
});

describe('Host without a domain', () => {
  const isOwn = (remote: string, headers: Record<string, string>) =>
    isOwnHost(facts(remote, headers), '', noCertificate);
  test('local names pass, foreign names do not', () => {
    expect(isOwn(STRANGER, { host: '192.0.2.1:2053' })).toBe(true);
    expect(isOwn(STRANGER, { host: 'rebound.example' })).toBe(false);
    expect(isOwn(STRANGER, {})).toBe(false);
  });
  test('a rebound page gains nothing from forwarded headers, not even on this machine', () => {
    expect(isOwn(PROXY, { host: 'rebound.example', 'x-forwarded-host': 'localhost' })).toBe(false);
    expect(isOwn(PROXY, { host: 'rebound.example', 'x-forwarded-host': 'rebound.example' })).toBe(false);
  });
  test('names that the certificate covers pass', () => {
    const covers = (name: string) => name === 'panel.example.com';
    expect(isOwnHost(facts(STRANGER, { host: 'panel.example.com:2053' }), '', covers)).toBe(true);
    expect(isOwnHost(facts(STRANGER, { host: 'rebound.example' }), '', covers)).toBe(false);
  });
});

describe('Host with a domain', () => {
  const isOwn = (remote: string, headers: Record<string, string>) =>
    isOwnHost(facts(remote, headers), 'panel.example.com', noCertificate);
  test('only that name passes, whatever the port', () => {
    expect(isOwn(STRANGER, { host: 'panel.example.com:2053' })).toBe(true);
    expect(isOwn(STRANGER, { host: '192.0.2.1' })).toBe(false);
    expect(isOwn(STRANGER, { host: 'a.panel.example.com' })).toBe(false);
  });
  test('a name forwarded under a local name passes from a trusted proxy only', () => {
    const forwarded = { 'x-forwarded-host': 'panel.example.com' };
    expect(isOwn(PROXY, { host: '127.0.0.1:2053', ...forwarded })).toBe(true);
    expect(isOwn(PROXY, { host: 'rebound.example', ...forwarded })).toBe(false);
    expect(isOwn(STRANGER, { host: '127.0.0.1:2053', ...forwarded })).toBe(false);
  });
});

describe('forwarded facts', () => {
  const headers = { host: '127.0.0.1:2053', 'x-forwarded-host': 'Panel.example.com', 'x-forwarded-proto': 'https' };
  test('are accepted from a trusted proxy', () => {
    expect(facts(PROXY, headers).origin).toEqual({ scheme: 'https', host: 'panel.example.com' });
  });
  test('are ignored from anyone else', () => {
    expect(facts(STRANGER, headers).origin).toEqual({ scheme: 'http', host: '127.0.0.1:2053' });
  });
  test('the value appended by our own proxy wins', () => {
    expect(facts(PROXY, { ...headers, 'x-forwarded-proto': 'https, http' }).origin.scheme).toBe('http');
  });
});

test.each([
  [undefined, true],
  ['http://192.0.2.1', true],
  ['https://192.0.2.1:9999', true],
  ['http://192.0.2.10', false],
  ['http://192.0.2.1.evil.example', false],
  ['null', false],
  ['', false],
  ['file://', false],
])('Origin %j on 192.0.2.1:2053 is ours: %s', (origin, expected) => {
  const headers = { host: '192.0.2.1:2053', ...(origin === undefined ? {} : { origin }) };
  const request = { socket: { remoteAddress: STRANGER }, headers } as unknown as IncomingMessage;
  expect(isOwnOrigin(request, describeRequest(request, trust))).toBe(expected);
});

test('a bare IPv6 host and its bracketed origin are the same', () => {
  const headers = { host: '[2001:db8::1]:2053', origin: 'http://[2001:DB8::1]' };
  const request = { socket: { remoteAddress: STRANGER }, headers } as unknown as IncomingMessage;
  expect(isOwnOrigin(request, describeRequest(request, trust))).toBe(true);
});

test('request ids and User-Agents are cut to what may be stored and logged', () => {
  expect(facts(STRANGER, { 'x-request-id': 'ab-12_C' }).requestId).toBe('ab-12_C');
  expect(facts(STRANGER, { 'x-request-id': 'a\r\nb' }).requestId).toBe('');
  expect(facts(STRANGER, { 'x-request-id': 'a'.repeat(65) }).requestId).toBe('');
  expect(facts(STRANGER, { 'user-agent': 'x'.repeat(10_000) }).userAgent).toHaveLength(512);
});
