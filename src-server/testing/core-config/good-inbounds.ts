import type { FallbackSource, InboundSource, JsonObject } from '../../core/config/source.ts';
import * as base from './base.ts';

/** An inbound that runs, rendered into `golden/<name>.json`. */
export interface GoodInbound {
  name: string;
  inbound: InboundSource;
}

const VISION = base.client({ flow: 'xtls-rprx-vision-udp443' });
const SNIFFING: JsonObject = { enabled: true, destOverride: ['http', 'tls'], routeOnly: true };
const REALITY_STREAM: JsonObject = {
  security: 'reality',
  realitySettings: { ...base.REALITY, settings: { publicKey: 'panel only' } },
};
const TLS_STREAM: JsonObject = {
  security: 'tls',
  tlsSettings: { certificates: base.CERTIFICATES, alpn: ['h2', 'http/1.1'], settings: { fingerprint: 'chrome' } },
};
const CHILD = { listen: '', port: 8081 };

function fallback(change: Partial<FallbackSource>): FallbackSource {
  return { name: '', alpn: '', path: '', dest: '', xver: 0, child: null, ...change };
}

function vless(name: string, change: Partial<InboundSource>): GoodInbound {
  return {
    name: `vless-${name}`,
    inbound: base.source({ settings: { decryption: 'none', encryption: 'none' }, ...change }),
  };
}

function other(protocol: string, name: string, settings: JsonObject, change: Partial<InboundSource> = {}): GoodInbound {
  return { name: `${protocol}-${name}`, inbound: base.source({ protocol, settings, ...change }) };
}

export const GOOD_INBOUNDS: readonly GoodInbound[] = [
  vless('tcp', {
    listen: '',
    sniffing: SNIFFING,
    streamSettings: { network: 'tcp', security: 'none', tcpSettings: {} },
  }),
  vless('tcp-http-header', {
    streamSettings: {
      network: 'tcp',
      tcpSettings: { header: { type: 'http', request: { path: ['/'], headers: { Host: ['test.local'] } } } },
    },
  }),
  vless('tcp-tls-vision', {
    clients: [VISION, base.client({ id: base.OTHER_UUID, email: 'plain@x' })],
    streamSettings: { network: 'raw', ...TLS_STREAM, externalProxy: [{ dest: 'cdn.example.com', port: 443 }] },
  }),
  vless('tcp-tls-fallbacks', {
    streamSettings: { network: 'tcp', ...TLS_STREAM },
    fallbacks: [
      fallback({ path: '/vlws', xver: 2, child: CHILD }),
      fallback({ alpn: 'h2', dest: ' 8443 ' }),
      fallback({ name: 'a.example.com', child: { listen: '::1', port: 9000 } }),
      fallback({ path: '/sock', child: { listen: '/run/ws.sock,0600', port: 1 } }),
    ],
  }),
  vless('tcp-tls-fallbacks-by-hand', {
    settings: { decryption: 'none', fallbacks: [{ dest: 8080, path: '/a' }] },
    streamSettings: { network: 'tcp', ...TLS_STREAM },
  }),
  vless('tcp-reality', { clients: [VISION], streamSettings: { network: 'tcp', ...REALITY_STREAM } }),
  vless('reverse', { clients: [base.client({ reverseTag: 'home' })] }),
  vless('socket', {
    listen: '/tmp/switchyard-golden.sock',
    port: 1,
    streamSettings: { network: 'ws', wsSettings: { path: '/w' } },
  }),
  vless('ws', { streamSettings: { network: 'ws', security: 'none', wsSettings: { path: '/w', host: 'test.local' } } }),
  vless('ws-tls', { streamSettings: { network: 'ws', ...TLS_STREAM, wsSettings: { path: '/w' } } }),
  vless('grpc-reality', { streamSettings: { network: 'grpc', ...REALITY_STREAM, grpcSettings: { serviceName: 'g' } } }),
  vless('httpupgrade', { streamSettings: { network: 'httpupgrade', httpupgradeSettings: { path: '/u' } } }),
  vless('xhttp', {
    streamSettings: {
      method: 'splithttp',
      splithttpSettings: {
        path: '/x',
        mode: 'packet-up',
        sessionPlacement: 'header',
        sessionKey: 'X-S',
        xmux: { maxConnections: 3 },
        downloadSettings: { address: 'a.b', port: 443 },
        scMinPostsIntervalMs: '30',
        uplinkChunkSize: 4096,
        noGRPCHeader: true,
        scMaxBufferedPosts: 30,
      },
    },
  }),
  vless('xhttp-reality', { streamSettings: { network: 'xhttp', ...REALITY_STREAM, xhttpSettings: { path: '/x' } } }),
  vless('kcp-legacy-masks', {
    streamSettings: {
      network: 'kcp',
      kcpSettings: { mtu: 1350, header: { type: 'wechat-video' }, seed: 'pw' },
      wsSettings: { path: '/left/over' },
    },
  }),
  vless('encryption-xhttp-vision', {
    clients: [VISION],
    settings: { decryption: base.DECRYPTION, encryption: 'client half', fallbacks: [] },
    streamSettings: { network: 'xhttp', security: 'none', xhttpSettings: { path: '/x' } },
  }),
  vless('sockopt-sudoku', {
    streamSettings: {
      network: 'tcp',
      sockopt: { tcpFastOpen: true, trustedXForwardedFor: ['X-Forwarded-For'] },
      finalmask: { tcp: [{ type: 'sudoku', settings: { password: 'p' } }], udp: [] },
    },
  }),
  other('vmess', 'tcp', {}),
  other('vmess', 'ws-tls', {}, { streamSettings: { network: 'ws', ...TLS_STREAM, wsSettings: { path: '/w' } } }),
  other('vmess', 'grpc', {}, { streamSettings: { network: 'grpc', grpcSettings: { serviceName: 'g' } } }),
  other('vmess', 'kcp', {}, { streamSettings: { network: 'kcp' } }),
  other(
    'trojan',
    'tcp-tls',
    {},
    {
      clients: [base.client({ flow: 'xtls-rprx-vision' })],
      streamSettings: { network: 'tcp', ...TLS_STREAM },
      fallbacks: [fallback({ child: CHILD })],
    },
  ),
  other('trojan', 'grpc-reality', {}, { streamSettings: { network: 'grpc', ...REALITY_STREAM } }),
  other('trojan', 'xhttp-tls', {}, { streamSettings: { network: 'xhttp', ...TLS_STREAM } }),
  other('shadowsocks', 'legacy', { method: 'aes-256-gcm', password: 'unused', network: 'tcp,udp', ivCheck: true }),
  other('shadowsocks', 'legacy-without-clients', { method: 'aes-256-gcm', password: 'unused' }, { clients: [] }),
  other('shadowsocks', 'none-healed', { method: 'none' }),
  other(
    'shadowsocks',
    '2022-128',
    { method: '2022-blake3-aes-128-gcm', password: base.KEY_16, network: 'tcp,udp' },
    {
      clients: [base.client({ password: base.OTHER_KEY_16 })],
    },
  ),
  other(
    'shadowsocks',
    '2022-256-ws-tls',
    { method: '2022-blake3-aes-256-gcm', password: base.KEY_32 },
    {
      clients: [base.client({ password: base.KEY_32 })],
      streamSettings: { network: 'ws', ...TLS_STREAM },
    },
  ),
  other(
    'shadowsocks',
    '2022-chacha',
    { method: '2022-blake3-chacha20-poly1305', password: base.KEY_32 },
    {
      clients: [base.client({ password: base.KEY_32 })],
    },
  ),
  other(
    'hysteria2',
    'salamander',
    { version: 2 },
    {
      streamSettings: {
        network: 'hysteria',
        hysteriaSettings: { version: 2, auth: '', masquerade: { type: 'string', content: 'hello', statusCode: 200 } },
        ...base.TLS,
        finalmask: { udp: [{ type: 'salamander', settings: { password: 'obfs' } }], quicParams: { congestion: 'bbr' } },
      },
    },
  ),
  other('hysteria', 'bare', {}, { streamSettings: { network: 'hysteria', ...base.TLS } }),
  other(
    'wireguard',
    'peers',
    {
      secretKey: base.WG_SECRET,
      mtu: 1420,
      dns: '1.1.1.1',
      peers: [
        {
          email: 'u@x',
          privateKey: 'secret of the client',
          publicKey: base.WG_PEER,
          preSharedKey: base.KEY_32,
          allowedIPs: ['10.0.0.2', 'fd00::2'],
          keepAlive: 25,
          comment: 'phone',
        },
        { publicKey: base.WG_OTHER_PEER, allowedIPs: ['10.0.0.3/32'], preSharedKey: '', keepAlive: 0 },
      ],
    },
    { streamSettings: { security: 'none', sockopt: { mark: 1 } } },
  ),
  other('http', 'accounts', { accounts: [{ user: 'u@x', pass: 'p' }], allowTransparent: false }),
  other(
    'mixed',
    'password',
    { auth: 'password', accounts: [{ user: 'u@x', pass: 'p' }], udp: true, ip: '' },
    {
      streamSettings: { network: 'tcp', security: 'none' },
    },
  ),
  other('mixed', 'noauth', { auth: 'noauth', accounts: [{ user: 'left', pass: 'over' }], udp: false }),
  other('tunnel', 'rewrite', {
    rewriteAddress: '127.0.0.1',
    rewritePort: 40_300,
    allowedNetwork: 'tcp,udp',
    portMap: [],
  }),
  other(
    'tunnel',
    'port-map',
    {
      rewriteAddress: '',
      rewritePort: null,
      allowedNetwork: 'tcp',
      portMap: [
        { name: '40443', value: '127.0.0.1:40300' },
        { name: '40444', value: ':8080' },
      ],
    },
    { streamSettings: { sockopt: { tproxy: 'tproxy' } } },
  ),
  other('dokodemo-door', 'old-names', { address: '127.0.0.1', port: 40_300, network: 'tcp', followRedirect: false }),
  other('tun', 'legacy', { name: 'xray0', mtu: 1500, gateway: ['10.0.0.1/24'] }, { port: 0 }),
];
