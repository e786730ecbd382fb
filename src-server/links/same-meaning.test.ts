import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../contract/json.ts';
import { linkClients, linkInbounds } from '../testing/link-inbounds.ts';
import { ProxyDocument } from '../testing/proxy-document.ts';
import { asList, asObject, asText, asTexts } from './encoding.ts';
import { endpointsOf } from './endpoints.ts';
import { prepareJsonConfig } from './documents/json-documents.ts';
import { parseLink } from './parse/parse-link.ts';
import { prepareShareLink } from './share-links.ts';
import type { LinkClient, LinkInbound } from './types.ts';
import { yamlDocument } from './documents/yaml-document.ts';
import { whyNoProxy } from './documents/why-no-proxy.ts';
import { yamlProxy } from './documents/yaml-proxies.ts';

const PROTOCOLS = ['vless', 'vmess', 'trojan', 'shadowsocks'];
const first = (value: Json | undefined): Json | undefined => asList(value)[0];

/** Where and as whom an outbound connects, in whichever of the core's forms it is written. */
function identity(settings: JsonObject): JsonObject {
  const server = asObject(first(settings['servers']) ?? first(settings['vnext']) ?? settings);
  const user = { ...server, ...asObject(first(server['users'])) };
  const pick = (key: string) => ({ [key]: user[key] ?? '' });
  return Object.assign(
    {},
    ...['address', 'port', 'id', 'password', 'method', 'security', 'encryption', 'flow'].map(pick),
  ) as JsonObject;
}

function transport(network: string, settings: JsonObject): JsonObject {
  const { host = '', path = '/', headers = {}, heartbeatPeriod: _heartbeat, ...rest } = settings;
  switch (network) {
    case 'ws':
    case 'httpupgrade':
      return { host, path, headers, ...rest };
    case 'grpc':
      return settings;
    case 'kcp':
      return { mtu: settings['mtu']!, tti: settings['tti']! };
    case 'xhttp':
      return { host, path, headers, mode: 'auto', xPaddingBytes: '100-1000', ...rest };
    default: {
      const { type = 'none', request } = asObject(settings['header']);
      const { path: paths = [], headers: sent = {} } = asObject(request);
      return { type, paths, sent };
    }
  }
}

/** What an outbound means to the core: defaults written out, forms unified. */
function meaning(outbound: JsonObject): JsonObject {
  const stream = asObject(outbound['streamSettings']);
  const network = asText(stream['network']) || 'tcp';
  const tls = asObject(stream['tlsSettings']);
  const reality = asObject(stream['realitySettings']);
  const texts = (from: JsonObject, ...keys: string[]) => keys.map((key) => asText(from[key]));
  return {
    protocol: outbound['protocol']!,
    identity: identity(asObject(outbound['settings'])),
    network,
    security: asText(stream['security']) || 'none',
    transport: transport(network, asObject(stream[`${network}Settings`])),
    tls: texts(tls, 'serverName', 'fingerprint', 'echConfigList', 'verifyPeerCertByName', 'pinnedPeerCertSha256'),
    alpn: asTexts(tls['alpn']),
    reality: texts(reality, 'publicKey', 'fingerprint', 'serverName', 'shortId', 'spiderX', 'mldsa65Verify'),
    masks: asObject(stream['finalmask']),
  };
}

function inJson(inbound: LinkInbound, client: LinkClient): JsonObject {
  const [endpoint] = endpointsOf(inbound, 'json', () => 'in.example');
  const prepared = prepareJsonConfig(endpoint!, { subJsonMux: '', subJsonRules: '', subJsonFinalMask: '' });
  if ('reason' in prepared) throw new Error(prepared.reason);
  return asObject(first(asObject(JSON.parse(prepared.render(client, 'n')) as Json)['outbounds']));
}

function inLink(inbound: LinkInbound, client: LinkClient): JsonObject {
  const [endpoint] = endpointsOf(inbound, 'raw', () => 'in.example');
  const prepared = prepareShareLink(endpoint!);
  if ('reason' in prepared) throw new Error(prepared.reason);
  const parsed = parseLink(prepared.render(client, 'n'));
  if ('error' in parsed) throw new Error(parsed.error);
  return { ...parsed.outbound };
}

/** Only in links does a host change the HTTP header of TCP. */
function isAlike({ stream, hosts }: LinkInbound): boolean {
  const isChanged = hosts.some(({ hostHeader, path }) => hostHeader !== '' || path !== '');
  return !(isChanged && asObject(asObject(stream['tcpSettings'])['header'])['type'] === 'http');
}

test.each(PROTOCOLS)("%s: a link read back means the same as the core's document", (protocol) => {
  fc.assert(
    fc.property(linkInbounds(protocol).filter(isAlike), linkClients, (inbound, client) => {
      expect(meaning(inLink(inbound, client))).toEqual(meaning(inJson(inbound, client)));
    }),
    { numRuns: 400 },
  );
});

test('Hysteria: the same, as far as its links can express it', () => {
  const stored = fc.record({
    serverName: fc.constantFrom('s.example', 'ü+ %2F'),
    password: fc.constantFrom('zz', 'a&b=c d+#'),
    ports: fc.constantFrom('', '4000-4100'),
    pin: fc.constantFrom([], ['AB'.repeat(32)], [Buffer.alloc(32, 7).toString('base64')]),
  });
  fc.assert(
    fc.property(stored, linkClients, ({ serverName, password, ports, pin }, client) => {
      const stream: JsonObject = {
        tlsSettings: { serverName, alpn: ['h3'], settings: { pinnedPeerCertSha256: [...pin] } },
        finalmask: {
          udp: [{ type: 'salamander', settings: { password } }],
          ...(ports !== '' && { quicParams: { udpHop: { ports, interval: '5-10' } } }),
        },
      };
      const rest = { id: 1, remark: 'r', listen: '', port: 443, settings: {}, hosts: [], master: null };
      const inbound = { ...rest, protocol: 'hysteria2', stream };
      const [link, document] = [inLink(inbound, client), inJson(inbound, client)];
      expect(meaning(link)).toEqual(meaning(document));
      const authOf = ({ streamSettings }: JsonObject) => asObject(asObject(streamSettings)['hysteriaSettings'])['auth'];
      expect(authOf(link)).toBe(authOf(document));
    }),
  );
});

test.each([...PROTOCOLS, 'hysteria', 'hysteria2'])(
  '%s: every proxy is one that apps know, field by field',
  (protocol) => {
    let shown = 0;
    fc.assert(
      fc.property(linkInbounds(protocol), linkClients, fc.integer({ min: 1, max: 2 }), (inbound, client, version) => {
        const settings = protocol.startsWith('hysteria') ? { version } : inbound.settings;
        const [endpoint] = endpointsOf({ ...inbound, settings }, 'yaml', () => 'in.example');
        if (whyNoProxy(endpoint!) !== null) return;
        shown += 1;
        const text = yamlDocument([yamlProxy(endpoint!, client, client.email), yamlProxy(endpoint!, client, '')], null);
        const read: unknown = parse(text, { version: '1.2', strict: true });
        expect(ProxyDocument.safeParse(read).error?.issues ?? []).toEqual([]);
      }),
      { numRuns: 300 },
    );
    expect(shown).toBeGreaterThan(50);
  },
);
