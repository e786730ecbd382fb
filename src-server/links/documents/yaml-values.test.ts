import { expect, test } from 'vitest';
import type { JsonObject } from '../../contract/json.ts';
import { HostContent } from '../../domains/hosts/contract.ts';
import { endpointsOf } from '../endpoints.ts';
import { whyNoProxy } from './why-no-proxy.ts';
import { yamlProxy } from './yaml-proxies.ts';

/** What the engine of Clash apps reads differently from the core; each was tried with both. */
const CLIENT = { uuid: 'u', email: 'e', subId: 's', password: 'p', auth: 'a', flow: '', security: '' };
const PUBLIC_KEY = 'qX3mT0a9Yb7cV5dN2eW8fK1gR4hS6jL0pZuIoQxEwDs';

interface Inbound {
  protocol?: string;
  settings?: JsonObject;
  stream: JsonObject;
  host?: Record<string, unknown>;
}

function endpointOf({ protocol = 'vless', settings = {}, stream, host }: Inbound) {
  const hosts = host === undefined ? [] : [{ ...HostContent.parse({ remark: 'h', ...host }), address: '', port: 0 }];
  const whole = { id: 1, remark: '', listen: '', port: 1, protocol, settings, stream, hosts, master: null };
  return endpointsOf(whole, 'yaml', () => 'h.example')[0]!;
}

const proxyOf = (inbound: Inbound): JsonObject => yamlProxy(endpointOf(inbound), CLIENT, 'n');
const reasonOf = (inbound: Inbound): string | null => whyNoProxy(endpointOf(inbound));

const xhttp = (xhttpSettings: JsonObject) => proxyOf({ stream: { network: 'xhttp', xhttpSettings } })['xhttp-opts'];

test.each<[string, JsonObject, JsonObject]>([
  [
    '0, which it takes literally or refuses',
    { xPaddingBytes: '0', scMaxEachPostBytes: 0, scMinPostsIntervalMs: '0-0' },
    {},
  ],
  [
    'ends in either order',
    { xPaddingBytes: '900-200', scMinPostsIntervalMs: 45 },
    {
      'x-padding-bytes': '200-900',
      'sc-min-posts-interval-ms': '45',
    },
  ],
  ['texts that are no range', { xPaddingBytes: 'x', sessionIDLength: 'y', uplinkChunkSize: '1-2-3' }, {}],
  [
    'multiplexing',
    { xmux: { maxConcurrency: '0', maxConnections: '8-3', cMaxReuseTimes: [1], hKeepAlivePeriod: '30' } },
    {
      'reuse-settings': { 'max-connections': '3-8', 'h-keep-alive-period': 30 },
    },
  ],
  ['a period that is no number', { xmux: { hKeepAlivePeriod: 'x' } }, {}],
  ['headers that are no text', { headers: { A: ['b'], C: 1, D: 'd' } }, { headers: { C: '1', D: 'd' } }],
  [
    'padding without names',
    { xPaddingObfsMode: true, xPaddingPlacement: 'header' },
    {
      'x-padding-obfs-mode': true,
      'x-padding-key': 'x_padding',
      'x-padding-header': 'X-Padding',
      'x-padding-placement': 'header',
      'x-padding-method': 'repeat-x',
    },
  ],
  [
    'data in cookies without a name',
    { uplinkDataPlacement: 'cookie' },
    {
      'uplink-data-placement': 'cookie',
      'uplink-data-key': 'x_data',
    },
  ],
  [
    'data in headers without a name',
    { uplinkDataPlacement: 'header' },
    {
      'uplink-data-placement': 'header',
      'uplink-data-key': 'X-Data',
    },
  ],
  ['a query in the path', { path: '/x/y?a=b' }, { path: '/x/y' }],
  [
    'settings under extra, which replace the others',
    { path: '/x', seqKey: 'a', extra: { seqKey: 'b' } },
    {
      path: '/x',
      'seq-key': 'b',
    },
  ],
])('XHTTP: %s', (_what, settings, options) => {
  expect(xhttp(settings) ?? {}).toEqual(options);
});

test.each([
  ['g', 'g'],
  ['', '//Tun'],
  ['a b', 'a%20b'],
  ['a/b$&+=:@,;?!', 'a%2Fb$&+=:@%2C%3B%3F%21'],
  ['/a/b/Tun', '/a/b/Tun'],
  ['/a/b c/T|M', '/a/b%20c/T'],
  ['/x', '//x'],
  ['/', '//'],
])('gRPC: the service name "%s" is written as %s', (serviceName, written) => {
  const { 'grpc-opts': options } = proxyOf({ stream: { network: 'grpc', grpcSettings: { serviceName } } });
  expect(options).toEqual({ 'grpc-service-name': written });
});

test('HTTPUpgrade has no early data', () => {
  const optionsAt = (path: string) =>
    proxyOf({ stream: { network: 'httpupgrade', httpupgradeSettings: { path } } })['ws-opts'];
  expect(optionsAt('/u?ed=2560')).toMatchObject({ path: '/u' });
  expect(optionsAt('/u?a=b&ed=2560')).toMatchObject({ path: '/u?a=b' });
});

test.each([
  ['', undefined, 'chrome'],
  ['Firefox', 'firefox', 'firefox'],
  ['randomizednoalpn', 'randomized', 'randomized'],
  ['hellosafari_16_0', 'safari', 'safari'],
  ['unsafe', undefined, 'chrome'],
])('the fingerprint "%s" is written as %s, and as %s for REALITY, which needs one', (fingerprint, ofTls, ofReality) => {
  const settings = { fingerprint, publicKey: PUBLIC_KEY };
  const tls = proxyOf({ stream: { security: 'tls', tlsSettings: { settings } } });
  const reality = proxyOf({ stream: { security: 'reality', realitySettings: { settings } } });
  expect([tls['client-fingerprint'], reality['client-fingerprint']]).toEqual([ofTls, ofReality]);
});

test.each([
  ['AEX+DQBBzQ==', { enable: true, config: 'AEX+DQBBzQ==' }, null],
  ['https://1.1.1.1/dns-query', { enable: true }, null],
  ['ech.example+udp://1.1.1.1', { enable: true, 'query-server-name': 'ech.example' }, null],
  ['AEX', { enable: true, config: 'AEX' }, 'The ECH list is not valid'],
])('ECH %s', (echConfigList, options, reason) => {
  const tlsSettings = { settings: { echConfigList } };
  const stream = { security: 'tls', tlsSettings };
  expect(proxyOf({ stream })['ech-opts']).toEqual(options);
  expect(proxyOf({ protocol: 'hysteria2', stream: { tlsSettings } })['ech-opts']).toEqual(options);
  expect(reasonOf({ stream })).toBe(reason);
});

const KEY = 'APNUqmK08MqmpLp-6x-VuC2rbSFC8Q6lci8308vXD0o';
const NOT_VALID = 'The encryption of VLESS is not valid';
test.each([
  ['', null],
  ['none', null],
  [`mlkem768x25519plus.native.0rtt.${KEY}`, null],
  [`mlkem768x25519plus.random.1rtt.100-111-1111.75-0-111.50-0-3333.${KEY}`, null],
  ['auto', NOT_VALID],
  ['mlkem768x25519plus.native.0rtt.PUB', NOT_VALID],
  [`mlkem768x25519plus.native.600s.${KEY}`, NOT_VALID],
  [`mlkem768x25519plus.native.0rtt.1-1-1.${KEY}`, NOT_VALID],
  [`mlkem768x25519plus.native.0rtt.x.${KEY}`, NOT_VALID],
  [`mlkem768x25519plus.other.0rtt.${KEY}`, NOT_VALID],
  [`mlkem768x25519plus.native.0rtt.${KEY}AAAA`, NOT_VALID],
])('the encryption "%s" is left out: %s', (encryption, reason) => {
  expect(reasonOf({ settings: { encryption }, stream: {} })).toBe(reason);
});

const salamander = (settings: JsonObject = {}) => ({ type: 'salamander', settings: { password: 'pw', ...settings } });
test.each<[string, JsonObject, string | null]>([
  ['hysteria2', { udp: [salamander()] }, null],
  ['hysteria2', { udp: [salamander(), { type: 'noise' }] }, null],
  ['hysteria2', { udp: [salamander({ packetSize: '100-1200' })] }, 'The format has no packet sizes of salamander'],
  ['hysteria2', { udp: [salamander(), salamander()] }, 'The format has one mask of salamander only'],
  ['hysteria2', { udp: [{ type: 'sudoku' }] }, 'The format has no mask sudoku'],
  ['hysteria2', { quicParams: { udpHop: { ports: '1000-2000, 3000,' } } }, null],
  ['hysteria2', { quicParams: { udpHop: { ports: '1000-' } } }, 'The ports to hop over are not valid'],
  ['vless', { tcp: [{ type: 'fragment' }] }, null],
  ['vless', { tcp: [{ type: 'sudoku' }] }, 'The format has no mask sudoku'],
  ['vless', { udp: [{ type: 'sudoku' }] }, null],
])('%s with the masks %j is left out: %s', (protocol, finalmask, reason) => {
  expect(reasonOf({ protocol, stream: { finalmask } })).toBe(reason);
});

test('a mode of XHTTP that the core does not know is left out', () => {
  const stream = (mode: string) => ({ network: 'xhttp', xhttpSettings: { mode } });
  expect(
    ['', 'auto', 'packet-up', 'stream-up', 'stream-one'].map((mode) => reasonOf({ stream: stream(mode) })),
  ).toEqual([null, null, null, null, null]);
  expect(reasonOf({ stream: stream('gun') })).toBe('The format has no mode gun of XHTTP');
});

test('one stream of XHTTP in both directions needs HTTP/2', () => {
  const stream = (alpn: string[]) => ({
    network: 'xhttp',
    xhttpSettings: { mode: 'stream-one' },
    security: 'tls',
    tlsSettings: { alpn },
  });
  const reason = 'The format has no stream-one of XHTTP over HTTP/1.1';
  expect(reasonOf({ stream: stream(['http/1.1']) })).toBe(reason);
  expect(reasonOf({ stream: stream(['h2', 'http/1.1']) })).toBeNull();
  expect(reasonOf({ stream: stream(['http/1.1']), host: { alpn: ['h2'] } })).toBeNull();
});

test('a certificate of another name is checked for that name', () => {
  const tlsSettings = { serverName: 'a.example', settings: { verifyPeerCertByName: 'b.example, c.example' } };
  expect(proxyOf({ stream: { security: 'tls', tlsSettings } })).toMatchObject({ 'name-cert-verify': 'b.example' });
});
