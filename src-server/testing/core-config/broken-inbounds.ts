import type { InboundDraft } from '../../core/config/inbound/inbound-draft.ts';
import type { Json, JsonObject } from '../../core/config/source.ts';
import * as base from './base.ts';

/** What the core does with the inbound as it is stored: refuses or panics while reading, ends at its start, or takes it. */
type CoreAnswer = 'refuses' | 'panics' | 'endsAtStart' | 'takes';

export interface BrokenInbound {
  name: string;
  inbound: InboundDraft;
  core: CoreAnswer;
  /** `field:rule` of everything that is refused on save; empty when the stored form is fine and only rendering differs. */
  issues: string[];
  /** Whether the rendered copy runs all the same. */
  heals: boolean;
}

type Row = readonly [name: string, value: Partial<InboundDraft>, ...issues: string[]];

/** Rows to which the core answers alike, and whose issues all lie under one path. */
const rowsOf =
  (core: CoreAnswer, heals: boolean) =>
  (path: '' | 'settings.' | 'streamSettings.', list: readonly Row[]): BrokenInbound[] =>
    list.map(([name, value, ...issues]) => {
      return { name, inbound: base.draft(value), core, issues: issues.map((issue) => path + issue), heals };
    });

const refused = rowsOf('refuses', false);
/** The core refuses what is stored and runs what is rendered. */
const healed = rowsOf('refuses', true);
const panicking = rowsOf('panics', false);
const ending = rowsOf('endsAtStart', false);
const taken = rowsOf('takes', true);

const vless = (settings: JsonObject): Partial<InboundDraft> => ({ settings });
const stream = (streamSettings: JsonObject): Partial<InboundDraft> => ({ streamSettings });
const block = (network: string, settings: JsonObject): Partial<InboundDraft> =>
  stream({ network, [`${network}Settings`]: settings });
const xhttp = (settings: JsonObject): Partial<InboundDraft> => block('xhttp', settings);
const reality = (change: JsonObject): Partial<InboundDraft> =>
  stream({ network: 'tcp', security: 'reality', realitySettings: { ...base.REALITY, ...change } });
const tls = (change: JsonObject): Partial<InboundDraft> =>
  stream({ network: 'tcp', security: 'tls', tlsSettings: { certificates: base.CERTIFICATES, ...change } });
const sockopt = (settings: JsonObject): Partial<InboundDraft> => stream({ network: 'tcp', sockopt: settings });
const tcpMask = (type: string, settings: JsonObject): Partial<InboundDraft> =>
  stream({ network: 'tcp', finalmask: { tcp: [{ type, settings }] } });
const udpMask = (type: string, settings: JsonObject): Partial<InboundDraft> =>
  stream({ network: 'kcp', finalmask: { udp: [{ type, settings }] } });
const quic = (quicParams: JsonObject): Partial<InboundDraft> => stream({ network: 'kcp', finalmask: { quicParams } });
const sniffing = (value: JsonObject): Partial<InboundDraft> => ({ sniffing: { enabled: true, ...value } });
const shadowsocks = (settings: JsonObject): Partial<InboundDraft> => ({ protocol: 'shadowsocks', settings });
const hysteria = (settings: JsonObject, streamSettings: JsonObject): Partial<InboundDraft> => {
  return { protocol: 'hysteria', settings: { version: 2, ...settings }, streamSettings };
};
const masquerade = (value: JsonObject): Partial<InboundDraft> =>
  hysteria({}, { ...base.HYSTERIA_STREAM, hysteriaSettings: { version: 2, masquerade: value } });
const wireguard = (change: JsonObject): Partial<InboundDraft> => {
  return { protocol: 'wireguard', settings: { secretKey: base.WG_SECRET, ...change } };
};
const peers = (...list: JsonObject[]): Partial<InboundDraft> => wireguard({ peers: list });
const tunnel = (settings: JsonObject): Partial<InboundDraft> => ({ protocol: 'tunnel', settings });
const portMap = (value: Json): Partial<InboundDraft> => tunnel({ portMap: value });
const mixed = (settings: JsonObject): Partial<InboundDraft> => ({ protocol: 'mixed', settings });
const { KEY_16, KEY_32, VLESS_KEY, WG_PEER, WG_OTHER_PEER, DECRYPTION, REALITY_KEY } = base;
const PEER: JsonObject = { publicKey: WG_PEER, allowedIPs: ['10.0.0.2/32'] };
const OTHER_PEER: JsonObject = { publicKey: WG_OTHER_PEER, allowedIPs: ['10.0.0.3/32'] };

const PLACE = [
  ...rowsOf('panics', true)('', [['listen empty', { listen: '' }]]),
  ...refused('', [
    ['listen on a name', { listen: 'example.com' }, 'listen:format'],
    ['listen on a relative path', { listen: 'panel.sock' }, 'listen:format'],
    ['listen with a zone', { listen: 'fe80::1%lo' }, 'listen:format'],
    ['port -1', { port: -1 }, 'port:gte'],
    ['port 1.5', { port: 1.5 }, 'port:type'],
    ['unknown protocol', { protocol: 'mtproto', settings: {} }, 'protocol:oneof'],
  ]),
  ...panicking('', [['listen on an unset variable', { listen: 'env:NOT_SET_ANYWHERE' }, 'listen:format']]),
  ...rowsOf('takes', false)('', [
    ['port 0', { port: 0 }, 'port:gte'],
    ['port 70000', { port: 70_000 }, 'port:lte'],
  ]),
  ...ending('', [
    [
      'socket path with kcp',
      { listen: '/tmp/switchyard-test.sock', ...stream({ network: 'kcp' }) },
      'listen:unsupported',
    ],
  ]),
];

const PROTOCOLS = [
  ...healed('settings.', [
    ['vless without decryption', vless({}), 'decryption:required'],
    ['vless empty decryption', vless({ decryption: '' }), 'decryption:required'],
    [
      'vless encryption with fallbacks',
      vless({ decryption: DECRYPTION, fallbacks: [{ dest: 80 }] }),
      'fallbacks:conflict',
    ],
    ['fallback without dest', vless({ decryption: 'none', fallbacks: [{}] }), 'fallbacks[0].dest:format'],
    [
      'fallback dest without port',
      vless({ decryption: 'none', fallbacks: [{ dest: 'localhost' }] }),
      'fallbacks[0].dest:format',
    ],
    ['fallback path', vless({ decryption: 'none', fallbacks: [{ dest: 80, path: 'a' }] }), 'fallbacks[0].path:format'],
    ['fallback xver', vless({ decryption: 'none', fallbacks: [{ dest: 80, xver: 3 }] }), 'fallbacks[0].xver:lte'],
    ['trojan fallback', { protocol: 'trojan', settings: { fallbacks: [{ dest: '' }] } }, 'fallbacks[0].dest:format'],
    [
      'ss method none',
      shadowsocks({ method: 'none', clients: [{ password: 'p', email: 'a', method: 'none' }] }),
      'method:removed',
    ],
    [
      'ss method plain',
      shadowsocks({ method: 'plain', clients: [{ password: 'p', email: 'a', method: 'plain' }] }),
      'method:removed',
    ],
    ['hysteria version', hysteria({ version: 1 }, base.HYSTERIA_STREAM), 'version:oneof'],
    ['peer without key', peers({ allowedIPs: ['10.0.0.2/32'] }), 'peers[0].publicKey:format'],
    ['peer short key', peers({ ...PEER, publicKey: 'AQEB' }), 'peers[0].publicKey:format'],
    ['peer bad address', peers({ ...PEER, allowedIPs: ['foo'] }), 'peers[0].allowedIPs[0]:format'],
    ['peer addresses as text', peers({ ...PEER, allowedIPs: '10.0.0.2/32' }), 'peers[0].allowedIPs:type'],
    ['peer keepAlive', peers({ ...PEER, keepAlive: -1 }), 'peers[0].keepAlive:gte'],
  ]),
  ...refused('settings.', [
    ['vless unknown decryption', vless({ decryption: 'foo' }), 'decryption:format'],
    ['vless client ticket', vless({ decryption: DECRYPTION.replace('600s', '0rtt') }), 'decryption:format'],
    ['vless unknown mode', vless({ decryption: DECRYPTION.replace('native', 'foo') }), 'decryption:format'],
    ['vless three segments', vless({ decryption: 'mlkem768x25519plus.native.600s' }), 'decryption:format'],
    ['vless key of 35 bytes', vless({ decryption: `${DECRYPTION}AAAA` }), 'decryption:format'],
    [
      'vless thin padding',
      vless({ decryption: `mlkem768x25519plus.native.600s.100-10-20.${VLESS_KEY}` }),
      'decryption:format',
    ],
    ['vless flow for all', vless({ decryption: 'none', flow: 'foo' }), 'flow:oneof'],
    ['vless negative testseed', vless({ decryption: 'none', testseed: [-1, 1, 1, 1] }), 'testseed[0]:gte'],
    [
      'ss without method',
      shadowsocks({ password: 'p', clients: [{ password: 'p', email: 'a', method: '' }] }),
      'method:oneof',
    ],
    [
      'ss unknown method',
      shadowsocks({ method: 'rc4', clients: [{ password: 'p', email: 'a', method: 'rc4' }] }),
      'method:oneof',
    ],
    ['ss 2022 without key', shadowsocks({ method: '2022-blake3-aes-256-gcm', password: '' }), 'password:format'],
    ['ss 2022 short key', shadowsocks({ method: '2022-blake3-aes-256-gcm', password: KEY_16 }), 'password:format'],
    [
      'ss 2022 key without padding',
      shadowsocks({ method: '2022-blake3-aes-128-gcm', password: KEY_16.replace('==', '') }),
      'password:format',
    ],
    ['wireguard without key', wireguard({ secretKey: '' }), 'secretKey:format'],
    ['wireguard address', wireguard({ address: ['foo'] }), 'address[0]:format'],
    ['wireguard reserved', wireguard({ reserved: [1, 2] }), 'reserved:format'],
    ['wireguard strategy', wireguard({ domainStrategy: 'foo' }), 'domainStrategy:oneof'],
    ['wireguard mtu text', wireguard({ mtu: '1420' }), 'mtu:type'],
    ['tunnel portMap without port', portMap({ 8443: 'example.com' }), 'portMap.8443:format'],
    ['tunnel portMap row without port', portMap([{ name: '8443', value: 'example.com' }]), 'portMap[0].value:format'],
    ['tunnel port', tunnel({ rewritePort: 70_000 }), 'rewritePort:lte'],
    ['tunnel no network', tunnel({ allowedNetwork: [] }), 'allowedNetwork:required'],
    ['mixed accounts', mixed({ accounts: {} }), 'accounts:type'],
    ['http switch', { protocol: 'http', settings: { allowTransparent: 'x' } }, 'allowTransparent:type'],
  ]),
  ...panicking('settings.', [
    ['vless padding only', vless({ decryption: 'mlkem768x25519plus.native.600s.100-111-1111' }), 'decryption:format'],
    ['wireguard short key', wireguard({ secretKey: 'AQEB' }), 'secretKey:format'],
    [
      'wireguard long key',
      wireguard({ secretKey: 'AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB' }),
      'secretKey:format',
    ],
  ]),
  ...healed('', [
    ['vless encryption with empty fallbacks', vless({ decryption: DECRYPTION, fallbacks: [] })],
    [
      'ss 2022 chacha with clients',
      shadowsocks({
        method: '2022-blake3-chacha20-poly1305',
        password: KEY_32,
        clients: [{ password: KEY_32, email: 'a' }],
      }),
    ],
    ['hysteria2 by name', { protocol: 'hysteria2', settings: { version: 2 }, streamSettings: base.HYSTERIA_STREAM }],
    ['peer bare address', peers({ ...PEER, allowedIPs: ['10.0.0.2'] })],
    ['tunnel portMap rows', portMap([{ name: '8443', value: 'example.com:443' }])],
    ['tunnel portMap empty rows', portMap([])],
  ]),
  ...taken('settings.', [
    ['vless short testseed', vless({ decryption: 'none', testseed: [1, 1, 1] }), 'testseed:format'],
    ['vless encryption without server half', vless({ decryption: 'none', encryption: 'x' }), 'encryption:conflict'],
    ['ss network', shadowsocks({ method: 'aes-256-gcm', clients: [], network: 'icmp' }), 'network:oneof'],
    ['wireguard mtu 0', wireguard({ mtu: 0 }), 'mtu:gte'],
    [
      'two peers without addresses',
      peers({ publicKey: WG_PEER }, { publicKey: WG_OTHER_PEER }),
      'peers[1].allowedIPs:unique',
    ],
    [
      'two peers in one network',
      peers(PEER, { ...OTHER_PEER, allowedIPs: ['10.0.0.2/32'] }),
      'peers[1].allowedIPs:unique',
    ],
    ['two peers with one key', peers(PEER, { ...OTHER_PEER, publicKey: WG_PEER }), 'peers[1].publicKey:unique'],
    [
      'two peers with one e-mail',
      peers({ ...PEER, email: 'A@x' }, { ...OTHER_PEER, email: 'a@x' }),
      'peers[1].email:unique',
    ],
    ['tunnel portMap bad target port', portMap({ 8443: 'a:70000' }), 'portMap.8443:format'],
    ['tunnel portMap bad listen port', portMap({ web: 'a:1' }), 'portMap.web:format'],
    ['tunnel network', tunnel({ allowedNetwork: 'icmp' }), 'allowedNetwork:oneof'],
    ['mixed auth', mixed({ auth: 'foo' }), 'auth:oneof'],
    ['mixed password without accounts', mixed({ auth: 'password', accounts: [] }), 'accounts:required'],
    ['mixed empty user', mixed({ accounts: [{ user: '', pass: 'p' }] }), 'accounts[0].user:required'],
    [
      'mixed same user',
      mixed({
        accounts: [
          { user: 'a', pass: 'p' },
          { user: 'a', pass: 'q' },
        ],
      }),
      'accounts[1].user:unique',
    ],
  ]),
  ...rowsOf('takes', false)('settings.', [
    ['ss 2022 long key', shadowsocks({ method: '2022-blake3-aes-128-gcm', password: KEY_32 }), 'password:format'],
  ]),
  ...refused('streamSettings.', [
    ['hysteria on tcp', hysteria({}, { network: 'tcp', ...base.TLS }), 'network:oneof'],
    [
      'hysteria with reality',
      hysteria({}, { ...base.HYSTERIA_STREAM, security: 'reality', realitySettings: base.REALITY }),
      'security:conflict',
      'security:oneof',
    ],
  ]),
  ...ending('streamSettings.', [
    ['hysteria without tls', hysteria({}, { network: 'hysteria', hysteriaSettings: { version: 2 } }), 'security:oneof'],
  ]),
  ...taken('', [
    [
      'hysteria on a socket',
      { listen: '/tmp/switchyard-test.sock', ...hysteria({}, base.HYSTERIA_STREAM) },
      'listen:unsupported',
    ],
    ['tun is not saved', { protocol: 'tun', settings: { name: 'xray0', mtu: 1500 } }, 'protocol:unsupported'],
  ]),
  ...ending('', [
    ['wireguard on localhost', { listen: 'localhost', ...wireguard({}) }, 'listen:unsupported'],
    ['wireguard on a socket', { listen: '/tmp/switchyard-test.sock', ...wireguard({}) }, 'listen:unsupported'],
  ]),
  ...rowsOf('endsAtStart', true)('settings.', [
    ['peer short preshared key', peers({ ...PEER, preSharedKey: 'AQEB' }), 'peers[0].preSharedKey:format'],
  ]),
  ...taken('streamSettings.', [
    [
      'tunnel over ws',
      {
        ...tunnel({}),
        ...stream({ network: 'ws', security: 'tls', tlsSettings: { certificates: base.CERTIFICATES } }),
      },
      'network:unsupported',
      'security:unsupported',
    ],
  ]),
  ...refused('', [
    ['tun mtu', { protocol: 'tun', settings: { mtu: 'x' } }, 'settings.mtu:type', 'protocol:unsupported'],
  ]),
];

const TRANSPORTS = [
  ...refused('streamSettings.', [
    ...['h2', 'h3', 'http', 'quic'].map((network): Row => [
      `network ${network}`,
      stream({ network }),
      'network:removed',
    ]),
    ['network unknown', stream({ network: 'foo' }), 'network:oneof'],
    ['method unknown', stream({ network: 'ws', method: 'foo' }), 'method:oneof'],
    ['tcp header type', block('tcp', { header: { type: 'foo' } }), 'tcpSettings.header.type:oneof'],
    [
      'tcp header status',
      block('tcp', { header: { type: 'http', response: { status: 200 } } }),
      'tcpSettings.header.response.status:type',
    ],
    ['tcp acceptProxyProtocol', block('tcp', { acceptProxyProtocol: 'yes' }), 'tcpSettings.acceptProxyProtocol:type'],
    ['ws headers', block('ws', { headers: { a: ['b'] } }), 'wsSettings.headers.a:type'],
    ['ws heartbeat', block('ws', { heartbeatPeriod: -1 }), 'wsSettings.heartbeatPeriod:gte'],
    [
      'httpupgrade host header',
      block('httpupgrade', { headers: { host: 'a' } }),
      'httpupgradeSettings.headers.host:unsupported',
    ],
    ['grpc multiMode', block('grpc', { multiMode: 'x' }), 'grpcSettings.multiMode:type'],
    ['kcp mtu', block('kcp', { mtu: 20 }), 'kcpSettings.mtu:gte'],
    ['kcp tti', block('kcp', { tti: 1001 }), 'kcpSettings.tti:lte'],
    ['kcp cwnd', block('kcp', { cwndMultiplier: 0 }), 'kcpSettings.cwndMultiplier:gte'],
    ['kcp window', block('kcp', { maxSendingWindow: 100 }), 'kcpSettings.maxSendingWindow:gte'],
    [
      'hysteria idle time',
      hysteria({}, { ...base.HYSTERIA_STREAM, hysteriaSettings: { version: 2, udpIdleTimeout: 1 } }),
      'hysteriaSettings.udpIdleTimeout:gte',
    ],
    [
      'hysteria masquerade headers',
      masquerade({ type: 'string', headers: { a: ['b'] } }),
      'hysteriaSettings.masquerade.headers.a:type',
    ],
    ['xhttp mode', xhttp({ mode: 'foo' }), 'xhttpSettings.mode:oneof'],
    ['xhttp padding off', xhttp({ xPaddingBytes: -1 }), 'xhttpSettings.xPaddingBytes:gte'],
    ['xhttp padding from 0', xhttp({ xPaddingBytes: '0-5' }), 'xhttpSettings.xPaddingBytes:gte'],
    ['xhttp padding text', xhttp({ xPaddingBytes: 'abc' }), 'xhttpSettings.xPaddingBytes:format'],
    ['xhttp padding placement', xhttp({ xPaddingPlacement: 'foo' }), 'xhttpSettings.xPaddingPlacement:oneof'],
    ['xhttp padding method', xhttp({ xPaddingMethod: 'foo' }), 'xhttpSettings.xPaddingMethod:oneof'],
    ['xhttp host header', xhttp({ headers: { Host: 'a' } }), 'xhttpSettings.headers.Host:unsupported'],
    ['xhttp GET', xhttp({ uplinkHTTPMethod: 'GET' }), 'xhttpSettings.uplinkHTTPMethod:conflict'],
    ['xhttp session placement', xhttp({ sessionIDPlacement: 'foo' }), 'xhttpSettings.sessionIDPlacement:oneof'],
    ['xhttp seq placement', xhttp({ seqPlacement: 'foo' }), 'xhttpSettings.seqPlacement:oneof'],
    ['xhttp data placement', xhttp({ uplinkDataPlacement: 'query' }), 'xhttpSettings.uplinkDataPlacement:oneof'],
    ['xhttp data in cookies', xhttp({ uplinkDataPlacement: 'cookie' }), 'xhttpSettings.uplinkDataPlacement:conflict'],
    [
      'xhttp short session ids',
      xhttp({ sessionIDTable: 'hex', sessionIDLength: '7' }),
      'xhttpSettings.sessionIDLength:gte',
    ],
    ['xhttp table without length', xhttp({ sessionIDTable: 'hex' }), 'xhttpSettings.sessionIDLength:gte'],
    [
      'xhttp table not ASCII',
      xhttp({ sessionIDTable: 'é0123456789abcdef', sessionIDLength: 16 }),
      'xhttpSettings.sessionIDTable:format',
    ],
    ['xhttp header bytes', xhttp({ serverMaxHeaderBytes: -1 }), 'xhttpSettings.serverMaxHeaderBytes:gte'],
    ['xhttp extra', xhttp({ extra: { xPaddingBytes: -1 } }), 'xhttpSettings.extra.xPaddingBytes:gte'],
  ]),
  ...healed('streamSettings.', [
    ['network empty', stream({ network: '' }), 'network:oneof'],
    ['tcp header without type', block('tcp', { header: {} }), 'tcpSettings.header.type:oneof'],
    ['tcp header null', block('tcp', { header: null }), 'tcpSettings.header:type'],
    ['kcp seed empty', block('kcp', { seed: '' }), 'kcpSettings.seed:removed'],
    ['kcp seed', block('kcp', { seed: 'pw' }), 'kcpSettings.seed:removed'],
    ['kcp header none', block('kcp', { header: { type: 'none' } }), 'kcpSettings.header:removed'],
    ['kcp header wechat', block('kcp', { header: { type: 'wechat-video' } }), 'kcpSettings.header:removed'],
    [
      'kcp leftover of another network',
      stream({ network: 'ws', kcpSettings: { seed: 'a' } }),
      'kcpSettings.seed:removed',
    ],
    [
      'hysteria transport version',
      hysteria({}, { ...base.HYSTERIA_STREAM, hysteriaSettings: { version: 1 } }),
      'hysteriaSettings.version:oneof',
    ],
    [
      'xhttp xmux both',
      xhttp({ xmux: { maxConcurrency: 1, maxConnections: 1 } }),
      'xhttpSettings.xmux.maxConnections:conflict',
    ],
    ['xhttp client chunk size', xhttp({ uplinkChunkSize: 'abc' }), 'xhttpSettings.uplinkChunkSize:format'],
  ]),
  ...taken('streamSettings.', [
    ['vless over hysteria', stream({ ...base.HYSTERIA_STREAM }), 'network:unsupported'],
    [
      'hysteria auth',
      hysteria({}, { ...base.HYSTERIA_STREAM, hysteriaSettings: { version: 2, auth: 'open' } }),
      'hysteriaSettings.auth:unsupported',
    ],
  ]),
  ...ending('streamSettings.', [
    ['hysteria masquerade type', masquerade({ type: 'foo' }), 'hysteriaSettings.masquerade.type:oneof'],
    [
      'hysteria masquerade address',
      masquerade({ type: 'proxy', url: '::bad' }),
      'hysteriaSettings.masquerade.url:format',
    ],
  ]),
  ...healed('', [
    [
      'xhttp download half with stream-one',
      xhttp({ mode: 'stream-one', downloadSettings: { address: 'a.b', port: 1, network: 'xhttp' } }),
    ],
  ]),
];

const SECURITY = [
  ...refused('streamSettings.', [
    ...['ws', 'httpupgrade', 'kcp'].map((network): Row => [
      `reality over ${network}`,
      stream({ network, security: 'reality', realitySettings: base.REALITY }),
      'security:conflict',
    ]),
    ['security xtls', stream({ security: 'xtls' }), 'security:oneof'],
    ['security unknown', stream({ security: 'foo' }), 'security:oneof'],
    ['reality without settings', stream({ security: 'reality' }), 'realitySettings:required'],
    ['reality target empty', reality({ target: '' }), 'realitySettings.target:required'],
    ['reality target without port', reality({ target: 'example.com' }), 'realitySettings.target:format'],
    ['reality target bare IPv6', reality({ target: '::1:443' }), 'realitySettings.target:format'],
    ['reality no names', reality({ serverNames: [] }), 'realitySettings.serverNames:required'],
    [
      'reality names as text',
      reality({ serverNames: 'a.b' }),
      'realitySettings.serverNames:type',
      'realitySettings.serverNames:required',
    ],
    ['reality no key', reality({ privateKey: '' }), 'realitySettings.privateKey:required'],
    ['reality short key', reality({ privateKey: 'abc' }), 'realitySettings.privateKey:format'],
    ['reality padded key', reality({ privateKey: `${REALITY_KEY}=` }), 'realitySettings.privateKey:format'],
    ['reality no short ids', reality({ shortIds: [] }), 'realitySettings.shortIds:required'],
    ['reality odd short id', reality({ shortIds: ['abc'] }), 'realitySettings.shortIds[0]:format'],
    ['reality long short id', reality({ shortIds: ['', '0123456789abcdef01'] }), 'realitySettings.shortIds[1]:format'],
    ['reality short id letters', reality({ shortIds: ['zz'] }), 'realitySettings.shortIds[0]:format'],
    ['reality xver', reality({ xver: 3 }), 'realitySettings.xver:lte'],
    ['reality client version', reality({ minClientVer: '1.2.300' }), 'realitySettings.minClientVer:format'],
    ['reality client version text', reality({ maxClientVer: '1.2.3.4' }), 'realitySettings.maxClientVer:format'],
    ['reality seed', reality({ mldsa65Seed: 'abc' }), 'realitySettings.mldsa65Seed:format'],
    ['reality seed is the key', reality({ mldsa65Seed: REALITY_KEY }), 'realitySettings.mldsa65Seed:conflict'],
    [
      'reality limit',
      reality({ limitFallbackUpload: { afterBytes: -1 } }),
      'realitySettings.limitFallbackUpload.afterBytes:gte',
    ],
    ['reality time difference', reality({ maxTimeDiff: '5' }), 'realitySettings.maxTimeDiff:type'],
    ['tls empty certificate', tls({ certificates: [{}] }), 'tlsSettings.certificates[0]:required'],
    [
      'tls certificate as text',
      tls({ certificates: [{ certificate: 'x', key: 'y' }] }),
      'tlsSettings.certificates[0].certificate:type',
      'tlsSettings.certificates[0].key:type',
    ],
    ['tls pinned list', tls({ pinnedPeerCertSha256: ['aa'] }), 'tlsSettings.pinnedPeerCertSha256:type'],
    ['tls pinned text', tls({ pinnedPeerCertSha256: 'zz' }), 'tlsSettings.pinnedPeerCertSha256:format'],
    ['tls ech keys', tls({ echServerKeys: '!!' }), 'tlsSettings.echServerKeys:format'],
    ['tls alpn', tls({ alpn: 5 }), 'tlsSettings.alpn:type'],
    ['tls ech sockopt', tls({ echSockopt: { domainStrategy: 'foo' } }), 'tlsSettings.echSockopt.domainStrategy:oneof'],
  ]),
  ...taken('streamSettings.', [
    [
      'reality for shadowsocks',
      { ...shadowsocks({ method: 'aes-256-gcm', clients: [] }), ...reality({}) },
      'security:oneof',
    ],
    [
      'reality versions crossed',
      reality({ minClientVer: '2.0.0', maxClientVer: '1.9.0' }),
      'realitySettings.maxClientVer:gte',
    ],
    ['tls without certificates', tls({ certificates: [] }), 'tlsSettings.certificates:required'],
    ['tls without settings', stream({ security: 'tls' }), 'tlsSettings.certificates:required'],
    [
      'tls certificate without key',
      tls({ certificates: [{ certificateFile: 'cert.pem' }] }),
      'tlsSettings.certificates[0]:required',
    ],
    [
      'tls certificate usage',
      tls({ certificates: [{ certificateFile: 'cert.pem', keyFile: 'key.pem', usage: 'foo' }] }),
      'tlsSettings.certificates[0].usage:oneof',
    ],
    ['tls version', tls({ minVersion: '1.4' }), 'tlsSettings.minVersion:oneof'],
    ['tls versions crossed', tls({ minVersion: '1.3', maxVersion: '1.2' }), 'tlsSettings.minVersion:lte'],
  ]),
  ...healed('streamSettings.', [
    ['tls allowInsecure', tls({ allowInsecure: true }), 'tlsSettings.allowInsecure:removed'],
    ['tls fingerprint', tls({ fingerprint: 'nope' }), 'tlsSettings.fingerprint:unsupported'],
  ]),
];

const OPTIONS = [
  ...refused('streamSettings.', [
    ['sockopt strategy', sockopt({ domainStrategy: 'foo' }), 'sockopt.domainStrategy:oneof'],
    ['sockopt port strategy', sockopt({ addressPortStrategy: 'foo' }), 'sockopt.addressPortStrategy:oneof'],
    ['sockopt fast open', sockopt({ tcpFastOpen: 'x' }), 'sockopt.tcpFastOpen:type'],
    ['sockopt trusted headers', sockopt({ trustedXForwardedFor: 'a' }), 'sockopt.trustedXForwardedFor:type'],
    [
      'sockopt custom value',
      sockopt({ customSockopt: [{ type: 'int', opt: '1', value: 1 }] }),
      'sockopt.customSockopt[0].value:type',
    ],
    ['sockopt other spelling', sockopt({ V6Only: 'x' }), 'sockopt.V6Only:type'],
  ]),
  ...ending('streamSettings.', [
    [
      'sockopt keep-alive signs',
      sockopt({ tcpKeepAliveInterval: 5, tcpKeepAliveIdle: -5 }),
      'sockopt.tcpKeepAliveIdle:conflict',
    ],
  ]),
  ...taken('streamSettings.', [['sockopt tproxy', sockopt({ tproxy: 'foo' }), 'sockopt.tproxy:oneof']]),
  ...refused('', [
    ['sniffing protocol', sniffing({ destOverride: ['bittorrent'] }), 'sniffing.destOverride[0]:oneof'],
    ['sniffing address', sniffing({ ipsExcluded: ['10.0.0.0/8', 'foo'] }), 'sniffing.ipsExcluded[1]:format'],
    ['sniffing prefix', sniffing({ ipsExcluded: ['1.2.3.4/33'] }), 'sniffing.ipsExcluded[0]:format'],
    ['sniffing dotless', sniffing({ domainsExcluded: ['dotless:a.b'] }), 'sniffing.domainsExcluded[0]:format'],
  ]),
  ...healed('', [
    [
      'sniffing protocol while off',
      { sniffing: { enabled: false, destOverride: ['bittorrent'] } },
      'sniffing.destOverride[0]:oneof',
    ],
  ]),
];

const XMC_PROFILE: JsonObject = { username: 'abc', uuid: base.UUID, texturesValue: 'a', texturesSignature: 'b' };

const MASKS = [
  ...taken('streamSettings.', [
    [
      'tcp mask with reality',
      stream({
        network: 'tcp',
        security: 'reality',
        realitySettings: base.REALITY,
        finalmask: { tcp: [{ type: 'fragment', settings: { length: '5' } }] },
      }),
      'finalmask.tcp:conflict',
    ],
    ['salamander without password', udpMask('salamander', {}), 'finalmask.udp[0].settings.password:required'],
  ]),
  ...refused('streamSettings.', [
    ['mask unknown', udpMask('foo', {}), 'finalmask.udp[0].type:oneof'],
    ['mask of an older core', udpMask('header-wechat', {}), 'finalmask.udp[0].type:oneof'],
    ['udp mask on the tcp side', tcpMask('salamander', { password: 'p' }), 'finalmask.tcp[0].type:oneof'],
    ['masks as an object', stream({ finalmask: { udp: { type: 'x' } } }), 'finalmask.udp:type'],
    ['fragment without length', tcpMask('fragment', {}), 'finalmask.tcp[0].settings.length:gte'],
    ['fragment last length', tcpMask('fragment', { lengths: ['5', '0'] }), 'finalmask.tcp[0].settings.lengths[1]:gte'],
    [
      'fragment packets',
      tcpMask('fragment', { packets: 'foo', length: 5 }),
      'finalmask.tcp[0].settings.packets:format',
    ],
    [
      'xmc without password',
      tcpMask('xmc', { profiles: [XMC_PROFILE] }),
      'finalmask.tcp[0].settings.password:required',
    ],
    [
      'header-custom two kinds',
      tcpMask('header-custom', { clients: [[{ rand: 5, packet: [1] }]] }),
      'finalmask.tcp[0].settings.clients[0][0]:conflict',
    ],
    [
      'header-custom type',
      tcpMask('header-custom', { clients: [[{ type: 'foo', packet: 'aa' }]] }),
      'finalmask.tcp[0].settings.clients[0][0].type:oneof',
      'finalmask.tcp[0].settings.clients[0][0].packet:format',
    ],
    [
      'header-custom hex',
      tcpMask('header-custom', { clients: [[{ type: 'hex', packet: 'zz' }]] }),
      'finalmask.tcp[0].settings.clients[0][0].packet:format',
    ],
    ['header-custom udp mode', udpMask('header-custom', { mode: 'foo' }), 'finalmask.udp[0].settings.mode:oneof'],
    [
      'noise both',
      udpMask('noise', { noise: [{ rand: '5-10', packet: [1] }] }),
      'finalmask.udp[0].settings.noise[0]:conflict',
    ],
    [
      'noise bytes',
      udpMask('noise', { noise: [{ rand: 5, randRange: '0-300' }] }),
      'finalmask.udp[0].settings.noise[0].randRange:format',
    ],
    ['mkcp-legacy header', udpMask('mkcp-legacy', { header: 'foo' }), 'finalmask.udp[0].settings.header:oneof'],
    [
      'salamander size',
      udpMask('salamander', { password: 'p', packetSize: '1-3000' }),
      'finalmask.udp[0].settings.packetSize:format',
    ],
    ['xdns empty', udpMask('xdns', {}), 'finalmask.udp[0].settings.domains:required'],
    [
      'xdns domain',
      udpMask('xdns', { domain: 'a.b' }),
      'finalmask.udp[0].settings.domain:removed',
      'finalmask.udp[0].settings.domains:required',
    ],
    ['xicmp address', udpMask('xicmp', { ips: ['foo'] }), 'finalmask.udp[0].settings.ips[0]:format'],
    [
      'realm address',
      udpMask('realm', { url: 'http://t@h/i', stunServers: ['a:1'] }),
      'finalmask.udp[0].settings.url:format',
    ],
    [
      'realm without stun',
      udpMask('realm', { url: 'realm://t@h/i' }),
      'finalmask.udp[0].settings.stunServers:required',
    ],
    ['quic congestion', quic({ congestion: 'foo' }), 'finalmask.quicParams.congestion:oneof'],
    ['quic force-brutal', quic({ congestion: 'force-brutal' }), 'finalmask.quicParams.brutalUp:required'],
    ['quic slow', quic({ brutalUp: '1 kbps' }), 'finalmask.quicParams.brutalUp:gte'],
    ['quic speed number', quic({ brutalUp: 100_000_000 }), 'finalmask.quicParams.brutalUp:format'],
    ['quic profile', quic({ bbrProfile: 'foo' }), 'finalmask.quicParams.bbrProfile:oneof'],
    ['quic hop interval', quic({ udpHop: { ports: '1-2', interval: 4 } }), 'finalmask.quicParams.udpHop.interval:gte'],
    ['quic hop ports', quic({ udpHop: { ports: 'abc', interval: 5 } }), 'finalmask.quicParams.udpHop.ports:format'],
    ['quic window', quic({ initStreamReceiveWindow: 100 }), 'finalmask.quicParams.initStreamReceiveWindow:gte'],
    ['quic idle', quic({ maxIdleTimeout: 121 }), 'finalmask.quicParams.maxIdleTimeout:lte'],
    ['quic keep-alive', quic({ keepAlivePeriod: 1 }), 'finalmask.quicParams.keepAlivePeriod:gte'],
    ['quic streams', quic({ maxIncomingStreams: 7 }), 'finalmask.quicParams.maxIncomingStreams:gte'],
  ]),
  ...healed('streamSettings.', [
    ['xmc without profiles', tcpMask('xmc', { password: 'p' }), 'finalmask.tcp[0].settings.profiles:required'],
    [
      'xmc incomplete profile',
      tcpMask('xmc', { password: 'p', profiles: [{ ...XMC_PROFILE, username: 'a' }] }),
      'finalmask.tcp[0].settings.profiles:required',
    ],
    [
      'header-custom empty packet',
      tcpMask('header-custom', { clients: [[{ rand: 5, packet: [] }]] }),
      'finalmask.tcp[0].settings.clients[0][0]:conflict',
    ],
    [
      'noise empty packet',
      udpMask('noise', { noise: [{ rand: '5-10', packet: [] }] }),
      'finalmask.udp[0].settings.noise[0]:conflict',
    ],
  ]),
];

/** Every way to store an inbound that the core does not run as asked, known without running it. */
export const BROKEN_INBOUNDS: readonly BrokenInbound[] = [
  ...PLACE,
  ...PROTOCOLS,
  ...TRANSPORTS,
  ...SECURITY,
  ...OPTIONS,
  ...MASKS,
];
