import { describe, expect, it } from 'vitest';
import { mailAddress } from './mail-address.ts';
import { normalisePath } from './path-check.ts';
import { subscriptionPrefixes } from '../present.ts';
import { parseScheduleText } from './schedule-text.ts';
import { DEFAULTS } from '../stored-values.ts';
import { isTimeZone } from './zone.ts';

describe('parseScheduleText', () => {
  it.each([
    ['@every 8h', { kind: 'every', intervalMs: 28_800_000 }],
    ['@every 1h30m', { kind: 'every', intervalMs: 5_400_000 }],
    ['@every 1.5s', { kind: 'every', intervalMs: 1500 }],
    ['@daily', { kind: 'cron', expression: '0 0 0 * * *' }],
    [' 0  30 3 * * 1-5 ', { kind: 'cron', expression: '0 30 3 * * 1-5' }],
    ['@every 500ms', null],
    ['@every 9999h', null],
    ['@every', null],
    ['@reboot', null],
    ['* * * * *', null],
    ['0 0 0 31 2 *', null],
    ['0 61 * * * *', null],
    ['', null],
    ['constructor', null],
  ])('%s', (text, expected) => {
    expect(parseScheduleText(text)).toEqual(expected);
  });
});

describe('mailAddress', () => {
  it.each([
    ['a@b.example', { name: '', address: 'a@b.example' }],
    ['Panel <a@b>', { name: 'Panel', address: 'a@b' }],
    [String.raw`"Doe, \"J\"" <j@d.example>`, { name: 'Doe, "J"', address: 'j@d.example' }],
    ['<a@b>', { name: '', address: 'a@b' }],
    ['a', null],
    ['a@b@c', null],
    ['a@b, c@d', null],
    ['x <a@b> y', null],
    ['x <a@b\r\nBcc: c@d>', null],
  ])('%s', (text, expected) => {
    expect(mailAddress(text)).toEqual(expected);
  });
});

describe('isTimeZone', () => {
  it('accepts zones, and nothing else', () => {
    for (const name of ['Local', 'UTC', 'Asia/Tehran', 'America/Argentina/Ushuaia'])
      expect(isTimeZone(name)).toBe(true);
    for (const name of ['', 'Mars/Base', '+03:00', '../etc/passwd', 'x'.repeat(100)])
      expect(isTimeZone(name)).toBe(false);
  });
});

describe('normalisePath', () => {
  it('puts one slash at both ends', () => {
    expect(['', '/', 'a', '/a', 'a/b/', '//a//'].map(normalisePath)).toEqual(['/', '/', '/a/', '/a/', '/a/b/', '/a/']);
  });
});

describe('subscriptionPrefixes', () => {
  const from = (over: Partial<typeof DEFAULTS>, host: string) => subscriptionPrefixes({ ...DEFAULTS, ...over }, host);
  const tls = { subCertFile: '/c', subKeyFile: '/k' };

  it.each([
    ['port and name of the request', {}, 'panel.example:2053', 'http://panel.example:10882/sub/'],
    ['IPv6 in brackets', {}, '[2001:db8::1]:2053', 'http://[2001:db8::1]:10882/sub/'],
    ['bare IPv6', {}, '2001:db8::1', 'http://[2001:db8::1]:10882/sub/'],
    ['https only with both files', { subCertFile: '/c' }, 'x', 'http://x:10882/sub/'],
    ['https', tls, 'x', 'https://x:10882/sub/'],
    ['standard https port', { ...tls, subPort: 443 }, 'x:8443', 'https://x/sub/'],
    ['standard http port', { subPort: 80 }, 'x', 'http://x/sub/'],
    ['443 without TLS', { subPort: 443 }, 'x', 'http://x:443/sub/'],
    ['subDomain first', { subDomain: 'sub.example' }, 'x', 'http://sub.example:10882/sub/'],
    ['configured prefix wins', { subURI: 'https://cdn.example/s/' }, 'x', 'https://cdn.example/s/'],
  ])('%s', (_what, over, host, raw) => {
    expect(from(over, host).raw).toBe(raw);
  });

  it('uses a separate prefix for JSON and YAML, else the configured host, else the computed one', () => {
    expect(from({ subURI: 'https://cdn.example/s/', subYamlURI: 'https://y.example/' }, 'x')).toEqual({
      raw: 'https://cdn.example/s/',
      json: 'https://cdn.example/json/',
      yaml: 'https://y.example/',
    });
    expect(from({ subURI: '/only/a/path/' }, 'x').json).toBe('http://x:10882/json/');
  });
});
