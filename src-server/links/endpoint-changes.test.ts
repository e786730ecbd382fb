import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../contract/json.ts';
import { HostContent } from '../domains/hosts/contract.ts';
import { endpointsOf } from './endpoints.ts';
import { prepareJsonConfig } from './documents/json-documents.ts';
import { prepareShareLink } from './share-links.ts';
import type { LinkClient, LinkFormat, LinkInbound, Prepared } from './types.ts';
import { whyNoProxy } from './documents/why-no-proxy.ts';
import { yamlProxy } from './documents/yaml-proxies.ts';

const UUID = '5f0c2b7e-91d4-4c38-a6f1-0d9be27c4410';
const CLIENT: LinkClient = { uuid: UUID, email: 'n', subId: 's', password: 'p', auth: 'a', flow: '', security: 'auto' };
const HTTP_HEADER = { type: 'http', request: { path: ['/own'], headers: { Host: ['own.example'] } } };

function inbound(protocol: string, stream: JsonObject, host: object | null = null): LinkInbound {
  const hosts = host === null ? [] : [{ ...HostContent.parse({ remark: 'h', ...host }), address: '', port: 0 }];
  const settings = { method: 'aes-128-gcm' };
  return { id: 1, remark: 'r', listen: '', port: 443, protocol, settings, stream, hosts, master: null };
}

function rendered(from: LinkInbound, format: LinkFormat): (string | JsonObject)[] {
  return endpointsOf(from, format, () => 'in.example').map((endpoint) => {
    if (format === 'yaml') return whyNoProxy(endpoint) ?? yamlProxy(endpoint, CLIENT, 'n');
    const json = { subJsonMux: '', subJsonRules: '', subJsonFinalMask: '' };
    const prepared: Prepared = format === 'raw' ? prepareShareLink(endpoint) : prepareJsonConfig(endpoint, json);
    return 'reason' in prepared ? prepared.reason : prepared.render(CLIENT, 'n');
  });
}

const streamInJson = (from: LinkInbound): Json | undefined => {
  const [text] = rendered(from, 'json');
  const { outbounds } = JSON.parse(text as string) as { outbounds: { streamSettings: Json }[] };
  return outbounds[0]?.streamSettings;
};

const vmessIn = (from: LinkInbound): Json => {
  const [link] = rendered(from, 'raw');
  return JSON.parse(Buffer.from((link as string).slice('vmess://'.length), 'base64').toString()) as Json;
};

test("a host's Host and path go into an HTTP header of TCP only in links", () => {
  const stream = { network: 'tcp', security: 'none', tcpSettings: { header: HTTP_HEADER } };
  const from = inbound('vless', stream, { hostHeader: 'front.example', path: '/front' });
  expect(rendered(from, 'raw')[0]).toContain('headerType=http&host=front.example&path=%2Ffront&');
  expect(streamInJson(from)).toMatchObject({ tcpSettings: { header: HTTP_HEADER } });
});

test('links read security and the header of TCP in any letter case, as the core does', () => {
  const header = { ...HTTP_HEADER, type: 'HTTP' };
  const stream = { network: 'tcp', security: 'TLS', tlsSettings: { serverName: 's.example' }, tcpSettings: { header } };
  const from = inbound('vless', stream, { path: '/front' });
  expect(rendered(from, 'raw')[0]).toContain(
    'headerType=http&host=own.example&path=%2Ffront&security=tls&sni=s.example',
  );
  expect(streamInJson(from)).toMatchObject({ security: 'tls', tlsSettings: { serverName: 's.example' } });
  const none = { network: 'tcp', security: 'TLS', tcpSettings: { header: { type: 'NONE' } } };
  expect(rendered(inbound('vless', none), 'yaml')).toMatchObject([{ network: 'tcp', tls: true }]);
  expect(vmessIn(inbound('vmess', none))).toMatchObject({ tls: 'tls', type: 'none' });
});

test('a host has its own SNI, or its address as SNI, or that of its inbound', () => {
  const stream = { network: 'tcp', security: 'tls', tlsSettings: { serverName: 'own.example' } };
  const link = (host: object) => rendered(inbound('trojan', stream, { sni: 'front.example', ...host }), 'raw')[0];
  expect(link({})).toContain('&sni=front.example&');
  expect(link({ overrideSniFromAddress: true })).toContain('&sni=in.example&');
  expect(link({ overrideSniFromAddress: true, keepSniBlank: true })).toContain('&sni=own.example&');
});

test.each([
  ['443', '01bb'],
  [' 65535 ', 'ffff'],
  ['80,443', '4c38'],
])('the route %j of a host makes the third group of an id %s', (vlessRoute, group) => {
  const [link] = rendered(inbound('vless', { network: 'tcp', security: 'none' }, { vlessRoute }), 'raw');
  expect(link).toContain(UUID.replace('-4c38-', `-${group}-`));
});

test('invalid external proxies are reported in every format and hide nothing', () => {
  const proxies = [null, 'x', 5, {}, { port: 9 }, { dest: 'a.example', port: 8443 }, { dest: 'b.example' }];
  const from = (externalProxy: Json[], protocol = 'trojan') =>
    inbound(protocol, { network: 'tcp', security: 'tls', tlsSettings: {}, externalProxy });
  for (const format of ['raw', 'json', 'yaml'] as const) {
    const all = rendered(from(proxies), format);
    expect(all.slice(0, 4)).toEqual(Array(4).fill('This external proxy is no object'));
    expect(all[4]).toBe('This external proxy names no address');
    expect(JSON.stringify(all[5])).toMatch(/a\.example.*8443/s);
    expect(JSON.stringify(all[6])).toMatch(/b\.example.*443/s);
    const [own, ...others] = rendered(from([null, 5]), format);
    expect(JSON.stringify(own)).toContain('in.example');
    expect(others).toHaveLength(2);
  }
});

test('an IPv6 address that is stored in brackets has them only in links', () => {
  const entries = (protocol: string) => {
    const from = inbound(protocol, { network: 'tcp', security: 'none' });
    const hosts = [{ ...HostContent.parse({ remark: 'h' }), address: '[2001:db8::1]', port: 0 }];
    return [
      { ...from, hosts },
      { ...from, stream: { ...from.stream, externalProxy: [{ dest: '[2001:db8::1]' }] } },
    ];
  };
  for (const from of entries('vless')) {
    expect(rendered(from, 'raw')[0]).toContain('@[2001:db8::1]:443?');
    expect(rendered(from, 'yaml')).toMatchObject([{ server: '2001:db8::1' }]);
    expect(rendered(from, 'json')[0]).toContain('"address": "2001:db8::1"');
  }
  for (const from of entries('vmess')) expect(vmessIn(from)).toMatchObject({ add: '2001:db8::1' });
});

test('a Hysteria link takes no port from its inbound, documents do', () => {
  const from = inbound('hysteria2', { externalProxy: [{ dest: 'a.example' }] });
  expect(rendered(from, 'raw')).toEqual(['This external proxy names no port']);
  expect(rendered(from, 'json')[0]).toContain('"port": 443');
  expect(rendered(from, 'yaml')).toMatchObject([{ server: 'a.example', port: 443 }]);
});

test('only the Hysteria inbound itself hops over ports, in every format', () => {
  const hop = { udpHop: { ports: '4000-4100', interval: '5-10' } };
  const from = (changes: JsonObject, host: object | null = null) =>
    inbound('hysteria2', { finalmask: { quicParams: { congestion: 'bbr', ...hop } }, ...changes }, host);
  expect(rendered(from({}), 'raw')[0]).toContain('mport=4000-4100');
  expect(rendered(from({}), 'yaml')).toMatchObject([{ ports: '4000-4100' }]);
  expect(streamInJson(from({}))).toMatchObject({ finalmask: { quicParams: hop } });
  for (const elsewhere of [from({}, {}), from({ externalProxy: [{ dest: 'a.example', port: 8443 }] })]) {
    expect(rendered(elsewhere, 'raw')[0]).not.toContain('mport');
    expect(rendered(elsewhere, 'yaml')[0]).not.toHaveProperty('ports');
    expect(streamInJson(elsewhere)).toMatchObject({ finalmask: { quicParams: { congestion: 'bbr' } } });
    expect(JSON.stringify(streamInJson(elsewhere))).not.toContain('udpHop');
  }
});

test.each(['ws', 'httpupgrade', 'xhttp'])(
  '%s: the core gets the host by its own key, never among headers',
  (network) => {
    const stored = { path: '/p', headers: { hOsT: 'h.example', 'X-A': '1' } };
    const stream = { network, security: 'none', [`${network}Settings`]: stored };
    const expected = { path: '/p', host: 'h.example', headers: { 'X-A': '1' } };
    expect(streamInJson(inbound('vless', stream))).toMatchObject({ [`${network}Settings`]: expected });
    expect(streamInJson(inbound('vless', stream, { hostHeader: 'front.example' }))).toMatchObject({
      [`${network}Settings`]: { ...expected, host: 'front.example' },
    });
  },
);

test('former names of XHTTP options reach the core under the current ones', () => {
  const stored = { path: '/p', sessionPlacement: 'cookie', sessionKey: 'sid', acceptProxyProtocol: true };
  expect(streamInJson(inbound('vless', { network: 'xhttp', xhttpSettings: stored }))).toEqual({
    network: 'xhttp',
    security: 'none',
    xhttpSettings: { path: '/p', sessionIDPlacement: 'cookie', sessionIDKey: 'sid' },
  });
});

test.each([
  ['chacha20-poly1305', 'chacha20-ietf-poly1305'],
  ['AEAD_XCHACHA20_POLY1305', 'xchacha20-ietf-poly1305'],
  ['xchacha20-poly1305', 'xchacha20-ietf-poly1305'],
  ['aead_aes_128_gcm', 'aes-128-gcm'],
  ['AES-256-GCM', 'aes-256-gcm'],
])('the cipher %s is called %s in every format', (method, cipher) => {
  const from = { ...inbound('shadowsocks', {}), settings: { method } };
  expect(rendered(from, 'raw')[0]).toContain(`ss://${Buffer.from(`${cipher}:p`).toString('base64url')}@`);
  expect(rendered(from, 'yaml')).toMatchObject([{ cipher }]);
  expect(rendered(from, 'json')[0]).toContain(`"method": "${cipher}"`);
});

test("a cipher with a single user has the inbound's password alone", () => {
  const [method, password] = ['2022-blake3-chacha20-poly1305', Buffer.alloc(32, 1).toString('base64')];
  const from = { ...inbound('shadowsocks', {}), settings: { method, password } };
  expect(rendered(from, 'raw')[0]).toContain(`ss://${method}:${encodeURIComponent(password)}@`);
  expect(rendered(from, 'yaml')).toMatchObject([{ password }]);
  expect(rendered(from, 'json')[0]).toContain(`"password": "${password}"`);
});

test('Shadowsocks over REALITY has only a core document', () => {
  const stream = { network: 'tcp', security: 'reality', realitySettings: { serverNames: ['w.example'] } };
  expect(rendered(inbound('shadowsocks', stream), 'raw')).toEqual(['Shadowsocks links have no form for REALITY']);
  expect(rendered(inbound('shadowsocks', stream), 'yaml')).toEqual([
    'The format carries Shadowsocks over plain TCP only',
  ]);
  expect(streamInJson(inbound('shadowsocks', stream))).toMatchObject({ security: 'reality' });
  expect(rendered(inbound('shadowsocks', stream, { security: 'none' }), 'raw')[0]).toMatch(/^ss:.*security=none/);
});
