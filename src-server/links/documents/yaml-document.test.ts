import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../../contract/json.ts';
import { HostContent } from '../../domains/hosts/contract.ts';
import { clientOf, exampleOf, golden } from '../../testing/golden-links.ts';
import { endpointsOf } from '../endpoints.ts';
import { yamlDocument } from './yaml-document.ts';
import { whyNoProxy } from './why-no-proxy.ts';
import { yamlProxy } from './yaml-proxies.ts';
import { yamlLines } from './yaml-text.ts';

const DOCUMENTS = golden('yaml-documents') as Record<string, string>;

function endpointIn(id: string, host: Record<string, unknown> | null = null, stream: JsonObject = {}) {
  const { inbound, address } = exampleOf(id);
  const hosts = host === null ? [] : [{ ...HostContent.parse(host), address: '', port: 0 }];
  const { streamSettings, ...rest } = inbound;
  const whole = { ...rest, id: 1, listen: '', stream: { ...streamSettings, ...stream }, hosts, master: null };
  return endpointsOf(whole, 'yaml', () => address)[0]!;
}

function proxyOf(id: string, name: string, host: Record<string, unknown> | null = null, stream: JsonObject = {}) {
  return yamlProxy(endpointIn(id, host, stream), clientOf(exampleOf(id)), name);
}

test('a document of four inbounds with a rule of the operator', () => {
  const stored = exampleOf('E3').inbound.streamSettings['realitySettings'] as JsonObject;
  const first = proxyOf('E3', 'Oslo-nina', null, { realitySettings: { ...stored, shortIds: ['4410e2'] } });
  const others = [proxyOf('E10', 'Turku-olli'), proxyOf('E6', 'Oslo-nina'), proxyOf('E19', 'Quito-sol')];
  const text = yamlDocument([first, ...others], 'GEOIP,private,DIRECT,no-resolve');
  expect(parse(text, { strict: true })).toEqual(parse(DOCUMENTS['E30']!));
  expect(parse(text, { version: '1.1' })).toEqual(parse(DOCUMENTS['E30']!));
});

test('host options and XHTTP', () => {
  const host = { remark: 'h', yamlIpVersion: 'ipv4-prefer', yamlX25519: true };
  expect([proxyOf('E15', 't-pia', host)]).toEqual(parse(DOCUMENTS['E31']!));
  expect([proxyOf('E7', 'Oslo-nina')]).toEqual(parse(DOCUMENTS['E32']!));
});

test.each([
  ['E8', 'kcp'],
  ['E9', 'header'],
  ['E12', 'xhttp'],
])('%s is left out', (id, word) => {
  expect(whyNoProxy(endpointIn(id))).toContain(word);
});

test('REALITY without its settings and Trojan without TLS are left out: apps would use plain TLS', () => {
  expect(whyNoProxy(endpointIn('E3', null, { realitySettings: {} }))).toBe('The public key of REALITY is not valid');
  expect(whyNoProxy(endpointIn('E14', null, { security: 'none' }))).toBe('The format has Trojan only over TLS');
  expect(whyNoProxy(endpointIn('E3'))).toBeNull();
});

test.each([
  ['26.3.27', 'REALITY here refuses apps below 26.3.27, and those that read YAML count as 1.8.2'],
  ['1.8.3', 'REALITY here refuses apps below 1.8.3, and those that read YAML count as 1.8.2'],
  ['2', 'REALITY here refuses apps below 2, and those that read YAML count as 1.8.2'],
  ['1.8.2', null],
  ['1.8.0', null],
  ['0.0.0', null],
  // The specification's own documents contain such proxies.
  ['', null],
])('REALITY with minClientVer "%s" is left out: %s', (minClientVer, reason) => {
  const stored = exampleOf('E3').inbound.streamSettings['realitySettings'] as JsonObject;
  expect(whyNoProxy(endpointIn('E3', null, { realitySettings: { ...stored, minClientVer } }))).toBe(reason);
});

test('any text survives YAML 1.1 and 1.2 unchanged', () => {
  const special = fc.constantFrom(
    'yes',
    '4410e2',
    '0x2a',
    '21:45',
    '~',
    '.inf',
    '- a',
    'a: b',
    '#',
    '\u202e',
    '\r\n',
    '{{A}}',
  );
  const text = fc.oneof(special, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(text, fc.array(text), (value, list) => {
      const document = yamlLines({ value, list, inner: { value } }).join('\n');
      for (const version of ['1.1', '1.2'] as const)
        expect(parse(document, { version, strict: true })).toEqual({ value, list, inner: { value } });
    }),
  );
});

test('a name that apps or the operator use already gets a number', () => {
  const proxies = ['DIRECT', 'GLOBAL', 'PROXY', 'DIRECT', 'mine', 'PASS-RULE'].map((name) => proxyOf('E1', name));
  const text = yamlDocument(proxies, { 'proxy-groups': [{ name: 'mine', type: 'select', proxies: ['DIRECT'] }, 'x'] });
  const { proxies: read } = parse(text) as { proxies: { name: string }[] };
  expect(read.map(({ name }) => name)).toEqual([
    'DIRECT-2',
    'GLOBAL-2',
    'PROXY-2',
    'DIRECT-3',
    'mine-2',
    'PASS-RULE-2',
  ]);
});

test('a custom list with MATCH replaces the generated one, a map replaces other keys', () => {
  const proxies = [proxyOf('E1', '')];
  expect(parse(yamlDocument(proxies, ['MATCH,DIRECT']))).toMatchObject({ rules: ['MATCH,DIRECT'] });
  expect(parse(yamlDocument(proxies, { 'proxy-groups': [], rules: ['MATCH,DIRECT'], mode: 'rule' }))).toEqual({
    proxies: [expect.objectContaining({ name: 'vless-203.0.113.77-8080' })],
    'proxy-groups': [],
    rules: ['MATCH,DIRECT'],
    mode: 'rule',
  });
});

test.each<[string, string[], object, string[]]>([
  ['generated rule', [], { proxies: ['DIRECT'] }, ['PROXY', 'mine']],
  ['rule of the operator', ['A,b,PROXY', 'MATCH,mine'], { proxies: ['DIRECT'] }, ['PROXY', 'mine']],
  ['group of the operator', ['MATCH,mine'], { proxies: ['PROXY'] }, ['PROXY', 'mine']],
  ['rule, if there is one already,', [], { name: 'PROXY', proxies: ['DIRECT'] }, ['PROXY']],
  ['nothing', ['MATCH,mine'], { proxies: ['DIRECT'] }, ['mine']],
])('own groups get the generated one besides when a %s leads to it', (_what, rules, group, names) => {
  const custom = { 'proxy-groups': [{ name: 'mine', type: 'select', ...group }], rules } as Json;
  const read = parse(yamlDocument([proxyOf('E1', '')], custom)) as { 'proxy-groups': { name: string }[] };
  expect(read['proxy-groups'].map(({ name }) => name)).toEqual(names);
});

test.each<[string, Json]>([
  ['an address in place of rules', 'https://r.example/rules.yaml'],
  ['a list of other things', [5, null, { a: 1 }, 'https://r.example']],
])('%s is no rule: apps would refuse the whole document', (_what, custom) => {
  expect(parse(yamlDocument([proxyOf('E1', 'n')], custom))).toMatchObject({ rules: ['MATCH,PROXY'] });
});
