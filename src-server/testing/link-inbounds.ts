import * as fc from 'fast-check';
import type { JsonObject } from '../contract/json.ts';
import { HostContent } from '../domains/hosts/contract.ts';
import type { LinkClient, LinkHost, LinkInbound } from '../links/types.ts';

/** Texts that break anything unescaped. */
const special = fc.constantFrom(
  '{{EMAIL}}',
  '4410e2',
  'yes',
  '- !!x &a',
  '#',
  '?a=b&c',
  '+',
  '%2F',
  'ü\u202e',
  '"',
  ': ',
  ' ',
);
const filled = fc
  .array(fc.oneof(special, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 })), { minLength: 1, maxLength: 4 })
  .map((parts) => `x${parts.join('').replaceAll(',', '')}z`);
const path = filled.map((text) => `/${text}`);
const pins = fc.array(fc.constantFrom('0f'.repeat(32), 'a1'.repeat(32)), { maxLength: 2 });
const alpn = fc.subarray(['h3', 'h2', 'http/1.1'] as const);
const publicKey = fc.constant('qX3mT0a9Yb7cV5dN2eW8fK1gR4hS6jL0pZuIoQxEwDs');
const fingerprint = fc.constantFrom('chrome', 'firefox');
const address = fc.constantFrom('203.0.113.77', '2001:db8::5', 'h.example');
const port = fc.integer({ min: 1, max: 65_535 });

const extra = fc
  .record(
    {
      xPaddingBytes: fc.constant('200-900'),
      uplinkHTTPMethod: fc.constantFrom('PUT', 'POST'),
      sessionIDPlacement: fc.constantFrom('cookie', 'query'),
      sessionIDKey: filled,
      seqPlacement: fc.constantFrom('header', 'path'),
      seqKey: filled,
      uplinkDataKey: filled,
      uplinkChunkSize: fc.constant('4096'),
      scMinPostsIntervalMs: fc.constantFrom('45', '10-60'),
      noGRPCHeader: fc.constant(true),
      xmux: fc.record({ maxConcurrency: fc.constant('3-7'), hKeepAlivePeriod: fc.integer({ min: 1, max: 90 }) }),
      headers: fc.record({ 'X-Trace': filled }),
    },
    { requiredKeys: [] },
  )
  .map((found): JsonObject => found);
const padding = fc.record({ xPaddingObfsMode: fc.constant(true), xPaddingKey: filled, xPaddingPlacement: filled });

const transports = fc.oneof(
  fc.constant({ network: 'tcp', tcpSettings: { header: { type: 'none' } } }),
  fc.record({ path, host: filled }).map((found) => ({
    network: 'tcp',
    tcpSettings: { header: { type: 'http', request: { path: [found.path], headers: { Host: [found.host] } } } },
  })),
  fc
    .record({ mtu: fc.integer({ min: 576, max: 1460 }), tti: fc.integer({ min: 10, max: 100 }) })
    .map((kcpSettings) => ({ network: 'kcp', kcpSettings })),
  fc
    .constantFrom('ws', 'httpupgrade')
    .chain((network) =>
      fc
        .oneof(fc.record({ path, host: filled }), fc.record({ path, headers: fc.record({ Host: filled }) }))
        .map((settings) => ({ network, [`${network}Settings`]: settings })),
    ),
  fc
    .record({ serviceName: filled, authority: filled, multiMode: fc.boolean() })
    .map((grpcSettings) => ({ network: 'grpc', grpcSettings })),
  fc
    .record({
      place: fc.record({ path, host: filled, mode: fc.constantFrom('auto', 'packet-up', 'stream-up') }),
      extra,
      padding: fc.option(padding, { nil: {} }),
    })
    .map((found) => ({ network: 'xhttp', xhttpSettings: { ...found.place, ...found.extra, ...found.padding } })),
);

const tls = fc
  .record({ serverName: filled, alpn, fingerprint, echConfigList: filled, verifyPeerCertByName: filled, pins })
  .map(({ serverName, alpn: protocols, pins: pinnedPeerCertSha256, ...settings }) => ({
    security: 'tls',
    tlsSettings: { serverName, alpn: protocols, settings: { ...settings, pinnedPeerCertSha256 } },
  }));
const reality = fc.record({ publicKey, fingerprint, mldsa65Verify: filled, spiderX: path }).map((settings) => ({
  security: 'reality',
  realitySettings: { serverNames: ['w.example', 'other.example'], shortIds: ['4410e2', ''], settings },
}));
const plain = fc.constant({ security: 'none' });
const masks = fc.record({ password: filled }).map((settings): JsonObject => ({
  tcp: [{ type: 'fragment', settings: { packets: 'tlshello', length: '50-100', delay: '5' } }],
  udp: [{ type: 'salamander', settings }],
}));

const hosts = fc
  .record({
    place: fc.record({ address: fc.oneof(address, fc.constant('')), port: fc.oneof(port, fc.constant(0)) }),
    content: fc.record(
      {
        security: fc.constantFrom('same', 'tls', 'none', 'reality'),
        sni: fc.constant('sni.example'),
        overrideSniFromAddress: fc.boolean(),
        keepSniBlank: fc.boolean(),
        alpn,
        fingerprint,
        pinnedPeerCertSha256: pins,
        verifyPeerCertByName: fc.constant('v.example'),
        echConfigList: fc.constant('AEX+DQBBzQ=='),
        finalMask: masks.map((mask) => JSON.stringify(mask)),
        vlessRoute: fc.constantFrom('443', '1-5'),
        yamlIpVersion: fc.constantFrom('', 'ipv4-prefer'),
        yamlX25519: fc.boolean(),
        allowInsecure: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    front: fc.record({ hostHeader: fc.constant('front.example'), path: fc.constant('/front') }, { requiredKeys: [] }),
  })
  .map(({ place, content, front }): LinkHost => {
    return { ...HostContent.parse({ remark: 'h', ...content, ...front }), ...place };
  });

const SETTINGS: Readonly<Record<string, JsonObject>> = {
  vless: { decryption: 'none', encryption: 'none' },
  shadowsocks: { method: '2022-blake3-aes-128-gcm', password: 'c2VydmVyLWtleS0xNmJ5dA==' },
};

/** Inbounds of a protocol over every transport, security and host override that links can express. */
export function linkInbounds(protocol: string): fc.Arbitrary<LinkInbound> {
  const security = protocol === 'vmess' ? fc.oneof(plain, tls) : fc.oneof(plain, tls, reality);
  const stream =
    protocol === 'shadowsocks'
      ? fc.constant({ network: 'tcp', security: 'none' })
      : fc
          .tuple(transports, security, fc.option(masks, { nil: null }))
          .map(([transport, secured, finalmask]) => ({ ...transport, ...secured, ...(finalmask && { finalmask }) }));
  const host = protocol === 'shadowsocks' ? fc.constant(null) : fc.option(hosts, { nil: null });
  return fc.record({ stream, host, port }).map((found) => ({
    id: 1,
    remark: 'r',
    listen: '',
    port: found.port,
    protocol,
    settings: SETTINGS[protocol] ?? {},
    stream: found.stream as JsonObject,
    hosts: found.host === null ? [] : [found.host],
    master: null,
  }));
}

export const linkClients: fc.Arbitrary<LinkClient> = fc
  .record({ password: filled, auth: filled, email: filled, flow: fc.constantFrom('', 'xtls-rprx-vision') })
  .map((found) => ({
    ...found,
    uuid: '5f0c2b7e-91d4-4c38-a6f1-0d9be27c4410',
    subId: '',
    security: 'aes-128-gcm',
  }));
