import { expect, it } from 'vitest';
import type { JsonObject } from '#wire/json';
import { blockedBy, rulesBehind, type RouteQuery } from './match-rule.ts';

const QUERY: RouteQuery = { domain: '', ip: '', port: 443, network: 'tcp', inboundTag: '', protocol: '', email: '' };
const to = (outboundTag: string) => ({ matched: true, outboundTag });

it.each<[string, JsonObject, Partial<RouteQuery>, boolean]>([
  ['a part of a name', { domain: ['amp'] }, { domain: 'www.example.org' }, true],
  ['a domain and below', { domain: ['domain:example.org'] }, { domain: 'a.Example.org' }, true],
  ['not a look-alike', { domain: ['domain:example.org'] }, { domain: 'notexample.org' }, false],
  ['the full name', { domain: ['full:example.org'] }, { domain: 'a.example.org' }, false],
  ['a pattern', { domain: ['regexp:^a\\d'] }, { domain: 'a1.net' }, true],
  ['a network', { ip: ['10.0.0.0/8', 'fc00::/7'] }, { ip: '10.9.9.9' }, true],
  ['not the other family', { ip: ['fc00::/7'] }, { ip: '10.9.9.9' }, false],
  ['ports', { port: '80,440-450' }, { domain: 'a' }, true],
  ['a port as a number', { port: 80 }, { domain: 'a' }, false],
  ['all conditions', { domain: ['full:a'], network: 'udp' }, { domain: 'a' }, false],
  ['a user', { user: ['u@x'] }, { domain: 'a', email: 'u@x' }, true],
  ['a list of old style', { inboundTag: 'in-1,in-2' }, { domain: 'a', inboundTag: 'in-2' }, true],
])('knows %s', (_, condition, query, isFound) => {
  const rules = [{ outboundTag: 'exit', ...condition }];
  expect(rulesBehind({ rules }, { ...QUERY, ...query }, to('exit'))).toEqual(isFound ? [0] : []);
});

it('names every rule that may have matched, up to the first that surely did', () => {
  const rules: JsonObject[] = [
    { outboundTag: 'other', domain: ['full:a'] },
    { outboundTag: 'exit', domain: ['geosite:x'], enabled: false },
    { outboundTag: 'exit', domain: ['geosite:x'] },
    { balancerTag: 'best', domain: ['full:a'] },
    { outboundTag: 'exit', network: 'tcp' },
  ];
  const query = { ...QUERY, domain: 'a' };
  expect(rulesBehind({ rules }, query, to('exit'))).toEqual([2, 4]);
  expect(rulesBehind({ rules }, query, { matched: true, outboundTag: 'x', groupTags: ['best'] })).toEqual([3]);
  expect(rulesBehind({ rules }, query, { matched: false, outboundTag: '' })).toEqual([]);
});

it('an address rule does not decide about a name, unless the core resolves it', () => {
  const rules: JsonObject[] = [
    { outboundTag: 'exit', ip: ['10.0.0.0/8'] },
    { outboundTag: 'exit', domain: ['full:a'] },
  ];
  const query = { ...QUERY, domain: 'a' };
  expect(rulesBehind({ rules, domainStrategy: 'AsIs' }, query, to('exit'))).toEqual([1]);
  expect(rulesBehind({ rules, domainStrategy: 'IPIfNonMatch' }, query, to('exit'))).toEqual([0, 1]);
});

const PRIVATE = { action: 'block', ip: ['10.0.0.0/8', '127.0.0.0/8'] };
const ALLOW = { action: 'allow' };

it.each<[string, JsonObject[], Partial<RouteQuery>, ReturnType<typeof blockedBy>]>([
  ['an address that is blocked', [PRIVATE, ALLOW], { ip: '10.1.1.1' }, { rule: 1, isSure: true }],
  ['an address that passes', [PRIVATE, ALLOW], { ip: '192.0.2.9' }, null],
  ['a name that may lead there', [PRIVATE, ALLOW], { domain: 'a.example' }, { rule: 1, isSure: false }],
  ['what was allowed before', [ALLOW, PRIVATE], { ip: '10.1.1.1' }, null],
  ['a port', [{ action: 'block', port: '25' }], { domain: 'a.example', port: 25 }, { rule: 1, isSure: true }],
  ['another network', [{ action: 'block', network: 'udp' }], { domain: 'a.example' }, null],
  [
    'a list the core reads',
    [{ action: 'allow', ip: ['geoip:x'] }, { action: 'block' }],
    { ip: '10.1.1.1' },
    { rule: 2, isSure: false },
  ],
  ['the core itself without rules', [], { ip: '10.1.1.1' }, { rule: 0, isSure: false }],
  ['a public address without rules', [], { ip: '8.8.8.8' }, null],
])('final rules of a direct outbound: %s', (_, finalRules, query, expected) => {
  expect(blockedBy({ protocol: 'freedom', settings: { finalRules } }, { ...QUERY, ...query })).toEqual(expected);
  expect(blockedBy({ protocol: 'socks', settings: { finalRules } }, { ...QUERY, ...query })).toBeNull();
});
