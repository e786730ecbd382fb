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

type Row = readonly [name: string, value: Partial<InboundDraft>, core: CoreAnswer, issues: string[], heals?: 'heals'];

function rows(list: readonly Row[]): BrokenInbound[] {
  return list.map(([name, overrides, core, issues, heals]) => {
    return { name, inbound: base.draft(overrides), core, issues, heals: heals === 'heals' || core === 'takes' };
  });
}

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
const at = (path: string, rule: string): string[] => [`streamSettings.${path}:${rule}`];

const PLACE = rows([
  ['listen empty', { listen: '' }, 'panics', [], 'heals'],
  ['listen on a name', { listen: 'example.com' }, 'refuses', ['listen:format']],
  ['listen on a relative path', { listen: 'panel.sock' }, 'refuses', ['listen:format']],
  ['listen on an unset variable', { listen: 'env:NOT_SET_ANYWHERE' }, 'panics', ['listen:format']],
  ['listen with a zone', { listen: 'fe80::1%lo' }, 'refuses', ['listen:format']],
  ['port 0', { port: 0 }, 'takes', ['port:gte']],
  ['port 70000', { port: 70_000 }, 'takes', ['port:lte']],
  ['port -1', { port: -1 }, 'refuses', ['port:gte']],
  ['port 1.5', { port: 1.5 }, 'refuses', ['port:type']],
  ['unknown protocol', { protocol: 'mtproto', settings: {} }, 'refuses', ['protocol:oneof']],
  [
    'socket path with kcp',
    { listen: '/tmp/switchyard-test.sock', ...stream({ network: 'kcp' }) },
    'endsAtStart',
    ['listen:unsupported'],
  ],
]).map((row) => (row.name.startsWith('port') ? { ...row, heals: false } : row));

const PROTOCOLS = rows([
  ['vless without decryption', vless({}), 'refuses', ['settings.decryption:required'], 'heals'],
  ['vless empty decryption', vless({ decryption: '' }), 'refuses', ['settings.decryption:required'], 'heals'],
  ['vless unknown decryption', vless({ decryption: 'foo' }), 'refuses', ['settings.decryption:format']],
  [
    'vless client ticket',
    vless({ decryption: DECRYPTION.replace('600s', '0rtt') }),
    'refuses',
    ['settings.decryption:format'],
  ],
  [
    'vless unknown mode',
    vless({ decryption: DECRYPTION.replace('native', 'foo') }),
    'refuses',
    ['settings.decryption:format'],
  ],
  [
    'vless three segments',
    vless({ decryption: 'mlkem768x25519plus.native.600s' }),
    'refuses',
    ['settings.decryption:format'],
  ],
  ['vless key of 35 bytes', vless({ decryption: `${DECRYPTION}AAAA` }), 'refuses', ['settings.decryption:format']],
  [
    'vless padding only',
    vless({ decryption: 'mlkem768x25519plus.native.600s.100-111-1111' }),
    'panics',
    ['settings.decryption:format'],
  ],
  [
    'vless thin padding',
    vless({ decryption: `mlkem768x25519plus.native.600s.100-10-20.${VLESS_KEY}` }),
    'refuses',
    ['settings.decryption:format'],
  ],
  ['vless encryption with empty fallbacks', vless({ decryption: DECRYPTION, fallbacks: [] }), 'refuses', [], 'heals'],
  [
    'vless encryption with fallbacks',
    vless({ decryption: DECRYPTION, fallbacks: [{ dest: 80 }] }),
    'refuses',
    ['settings.fallbacks:conflict'],
    'heals',
  ],
  ['vless flow for all', vless({ decryption: 'none', flow: 'foo' }), 'refuses', ['settings.flow:oneof']],
  [
    'vless negative testseed',
    vless({ decryption: 'none', testseed: [-1, 1, 1, 1] }),
    'refuses',
    ['settings.testseed[0]:gte'],
  ],
  ['vless short testseed', vless({ decryption: 'none', testseed: [1, 1, 1] }), 'takes', ['settings.testseed:format']],
  [
    'vless encryption without server half',
    vless({ decryption: 'none', encryption: 'x' }),
    'takes',
    ['settings.encryption:conflict'],
  ],
  [
    'fallback without dest',
    vless({ decryption: 'none', fallbacks: [{}] }),
    'refuses',
    ['settings.fallbacks[0].dest:format'],
    'heals',
  ],
  [
    'fallback dest without port',
    vless({ decryption: 'none', fallbacks: [{ dest: 'localhost' }] }),
    'refuses',
    ['settings.fallbacks[0].dest:format'],
    'heals',
  ],
  [
    'fallback path',
    vless({ decryption: 'none', fallbacks: [{ dest: 80, path: 'a' }] }),
    'refuses',
    ['settings.fallbacks[0].path:format'],
    'heals',
  ],
  [
    'fallback xver',
    vless({ decryption: 'none', fallbacks: [{ dest: 80, xver: 3 }] }),
    'refuses',
    ['settings.fallbacks[0].xver:lte'],
    'heals',
  ],
  [
    'trojan fallback',
    { protocol: 'trojan', settings: { fallbacks: [{ dest: '' }] } },
    'refuses',
    ['settings.fallbacks[0].dest:format'],
    'heals',
  ],
  [
    'ss without method',
    shadowsocks({ password: 'p', clients: [{ password: 'p', email: 'a', method: '' }] }),
    'refuses',
    ['settings.method:oneof'],
  ],
  [
    'ss unknown method',
    shadowsocks({ method: 'rc4', clients: [{ password: 'p', email: 'a', method: 'rc4' }] }),
    'refuses',
    ['settings.method:oneof'],
  ],
  [
    'ss method none',
    shadowsocks({ method: 'none', clients: [{ password: 'p', email: 'a', method: 'none' }] }),
    'refuses',
    ['settings.method:removed'],
    'heals',
  ],
  [
    'ss method plain',
    shadowsocks({ method: 'plain', clients: [{ password: 'p', email: 'a', method: 'plain' }] }),
    'refuses',
    ['settings.method:removed'],
    'heals',
  ],
  [
    'ss 2022 without key',
    shadowsocks({ method: '2022-blake3-aes-256-gcm', password: '' }),
    'refuses',
    ['settings.password:format'],
  ],
  [
    'ss 2022 short key',
    shadowsocks({ method: '2022-blake3-aes-256-gcm', password: KEY_16 }),
    'refuses',
    ['settings.password:format'],
  ],
  [
    'ss 2022 long key',
    shadowsocks({ method: '2022-blake3-aes-128-gcm', password: KEY_32 }),
    'takes',
    ['settings.password:format'],
  ],
  [
    'ss 2022 key without padding',
    shadowsocks({ method: '2022-blake3-aes-128-gcm', password: KEY_16.replace('==', '') }),
    'refuses',
    ['settings.password:format'],
  ],
  [
    'ss 2022 chacha with clients',
    shadowsocks({
      method: '2022-blake3-chacha20-poly1305',
      password: KEY_32,
      clients: [{ password: KEY_32, email: 'a' }],
    }),
    'refuses',
    [],
    'heals',
  ],
  [
    'ss network',
    shadowsocks({ method: 'aes-256-gcm', clients: [], network: 'icmp' }),
    'takes',
    ['settings.network:oneof'],
  ],
  [
    'hysteria2 by name',
    { protocol: 'hysteria2', settings: { version: 2 }, streamSettings: base.HYSTERIA_STREAM },
    'refuses',
    [],
    'heals',
  ],
  ['hysteria version', hysteria({ version: 1 }, base.HYSTERIA_STREAM), 'refuses', ['settings.version:oneof'], 'heals'],
  ['hysteria on tcp', hysteria({}, { network: 'tcp', ...base.TLS }), 'refuses', ['streamSettings.network:oneof']],
  [
    'hysteria without tls',
    hysteria({}, { network: 'hysteria', hysteriaSettings: { version: 2 } }),
    'endsAtStart',
    ['streamSettings.security:oneof'],
  ],
  [
    'hysteria with reality',
    hysteria({}, { ...base.HYSTERIA_STREAM, security: 'reality', realitySettings: base.REALITY }),
    'refuses',
    ['streamSettings.security:conflict', 'streamSettings.security:oneof'],
  ],
  [
    'hysteria on a socket',
    { listen: '/tmp/switchyard-test.sock', ...hysteria({}, base.HYSTERIA_STREAM) },
    'takes',
    ['listen:unsupported'],
  ],
  ['wireguard without key', wireguard({ secretKey: '' }), 'refuses', ['settings.secretKey:format']],
  ['wireguard short key', wireguard({ secretKey: 'AQEB' }), 'panics', ['settings.secretKey:format']],
  [
    'wireguard long key',
    wireguard({ secretKey: 'AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB' }),
    'panics',
    ['settings.secretKey:format'],
  ],
  ['wireguard address', wireguard({ address: ['foo'] }), 'refuses', ['settings.address[0]:format']],
  ['wireguard reserved', wireguard({ reserved: [1, 2] }), 'refuses', ['settings.reserved:format']],
  ['wireguard strategy', wireguard({ domainStrategy: 'foo' }), 'refuses', ['settings.domainStrategy:oneof']],
  ['wireguard mtu text', wireguard({ mtu: '1420' }), 'refuses', ['settings.mtu:type']],
  ['wireguard mtu 0', wireguard({ mtu: 0 }), 'takes', ['settings.mtu:gte']],
  ['wireguard on localhost', { listen: 'localhost', ...wireguard({}) }, 'endsAtStart', ['listen:unsupported']],
  [
    'wireguard on a socket',
    { listen: '/tmp/switchyard-test.sock', ...wireguard({}) },
    'endsAtStart',
    ['listen:unsupported'],
  ],
  [
    'peer without key',
    peers({ allowedIPs: ['10.0.0.2/32'] }),
    'refuses',
    ['settings.peers[0].publicKey:format'],
    'heals',
  ],
  ['peer short key', peers({ ...PEER, publicKey: 'AQEB' }), 'refuses', ['settings.peers[0].publicKey:format'], 'heals'],
  [
    'peer short preshared key',
    peers({ ...PEER, preSharedKey: 'AQEB' }),
    'endsAtStart',
    ['settings.peers[0].preSharedKey:format'],
    'heals',
  ],
  ['peer bare address', peers({ ...PEER, allowedIPs: ['10.0.0.2'] }), 'refuses', [], 'heals'],
  [
    'peer bad address',
    peers({ ...PEER, allowedIPs: ['foo'] }),
    'refuses',
    ['settings.peers[0].allowedIPs[0]:format'],
    'heals',
  ],
  [
    'peer addresses as text',
    peers({ ...PEER, allowedIPs: '10.0.0.2/32' }),
    'refuses',
    ['settings.peers[0].allowedIPs:type'],
    'heals',
  ],
  ['peer keepAlive', peers({ ...PEER, keepAlive: -1 }), 'refuses', ['settings.peers[0].keepAlive:gte'], 'heals'],
  [
    'two peers without addresses',
    peers({ publicKey: WG_PEER }, { publicKey: WG_OTHER_PEER }),
    'takes',
    ['settings.peers[1].allowedIPs:unique'],
  ],
  [
    'two peers in one network',
    peers(PEER, { ...OTHER_PEER, allowedIPs: ['10.0.0.2/32'] }),
    'takes',
    ['settings.peers[1].allowedIPs:unique'],
  ],
  [
    'two peers with one key',
    peers(PEER, { ...OTHER_PEER, publicKey: WG_PEER }),
    'takes',
    ['settings.peers[1].publicKey:unique'],
  ],
  [
    'two peers with one e-mail',
    peers({ ...PEER, email: 'A@x' }, { ...OTHER_PEER, email: 'a@x' }),
    'takes',
    ['settings.peers[1].email:unique'],
  ],
  ['tunnel portMap rows', portMap([{ name: '8443', value: 'example.com:443' }]), 'refuses', [], 'heals'],
  ['tunnel portMap empty rows', portMap([]), 'refuses', [], 'heals'],
  [
    'tunnel portMap without port',
    portMap({ 8443: 'example.com' }),
    'refuses',
    ['settings.portMap.8443:format'],
    'heals',
  ],
  [
    'tunnel portMap row without port',
    portMap([{ name: '8443', value: 'example.com' }]),
    'refuses',
    ['settings.portMap[0].value:format'],
  ],
  ['tunnel portMap bad target port', portMap({ 8443: 'a:70000' }), 'takes', ['settings.portMap.8443:format']],
  ['tunnel portMap bad listen port', portMap({ web: 'a:1' }), 'takes', ['settings.portMap.web:format']],
  ['tunnel port', tunnel({ rewritePort: 70_000 }), 'refuses', ['settings.rewritePort:lte']],
  ['tunnel no network', tunnel({ allowedNetwork: [] }), 'refuses', ['settings.allowedNetwork:required']],
  ['tunnel network', tunnel({ allowedNetwork: 'icmp' }), 'takes', ['settings.allowedNetwork:oneof']],
  [
    'tunnel over ws',
    { ...tunnel({}), ...stream({ network: 'ws', security: 'tls', tlsSettings: { certificates: base.CERTIFICATES } }) },
    'takes',
    ['streamSettings.network:unsupported', 'streamSettings.security:unsupported'],
  ],
  ['mixed auth', mixed({ auth: 'foo' }), 'takes', ['settings.auth:oneof']],
  [
    'mixed password without accounts',
    mixed({ auth: 'password', accounts: [] }),
    'takes',
    ['settings.accounts:required'],
  ],
  ['mixed accounts', mixed({ accounts: {} }), 'refuses', ['settings.accounts:type']],
  ['mixed empty user', mixed({ accounts: [{ user: '', pass: 'p' }] }), 'takes', ['settings.accounts[0].user:required']],
  [
    'mixed same user',
    mixed({
      accounts: [
        { user: 'a', pass: 'p' },
        { user: 'a', pass: 'q' },
      ],
    }),
    'takes',
    ['settings.accounts[1].user:unique'],
  ],
  [
    'http switch',
    { protocol: 'http', settings: { allowTransparent: 'x' } },
    'refuses',
    ['settings.allowTransparent:type'],
  ],
  ['tun is not saved', { protocol: 'tun', settings: { name: 'xray0', mtu: 1500 } }, 'takes', ['protocol:unsupported']],
  ['tun mtu', { protocol: 'tun', settings: { mtu: 'x' } }, 'refuses', ['settings.mtu:type', 'protocol:unsupported']],
]).map((row) => {
  // Bad rows of a port map take their inbound with them; a client's key alone does not.
  if (row.name.startsWith('tunnel portMap') && row.issues.some((issue) => issue.endsWith(':format'))) {
    return { ...row, heals: row.core === 'takes' };
  }
  return row.name === 'ss 2022 long key' ? { ...row, heals: false } : row;
});

const TRANSPORTS = rows([
  ...['h2', 'h3', 'http', 'quic'].map((network): Row => [
    `network ${network}`,
    stream({ network }),
    'refuses',
    at('network', 'removed'),
  ]),
  ['network unknown', stream({ network: 'foo' }), 'refuses', at('network', 'oneof')],
  ['network empty', stream({ network: '' }), 'refuses', at('network', 'oneof'), 'heals'],
  ['method unknown', stream({ network: 'ws', method: 'foo' }), 'refuses', at('method', 'oneof')],
  ['vless over hysteria', stream({ ...base.HYSTERIA_STREAM }), 'takes', at('network', 'unsupported')],
  ['tcp header without type', block('tcp', { header: {} }), 'refuses', at('tcpSettings.header.type', 'oneof'), 'heals'],
  ['tcp header null', block('tcp', { header: null }), 'refuses', at('tcpSettings.header', 'type'), 'heals'],
  ['tcp header type', block('tcp', { header: { type: 'foo' } }), 'refuses', at('tcpSettings.header.type', 'oneof')],
  [
    'tcp header status',
    block('tcp', { header: { type: 'http', response: { status: 200 } } }),
    'refuses',
    at('tcpSettings.header.response.status', 'type'),
  ],
  [
    'tcp acceptProxyProtocol',
    block('tcp', { acceptProxyProtocol: 'yes' }),
    'refuses',
    at('tcpSettings.acceptProxyProtocol', 'type'),
  ],
  ['ws headers', block('ws', { headers: { a: ['b'] } }), 'refuses', at('wsSettings.headers.a', 'type')],
  ['ws heartbeat', block('ws', { heartbeatPeriod: -1 }), 'refuses', at('wsSettings.heartbeatPeriod', 'gte')],
  [
    'httpupgrade host header',
    block('httpupgrade', { headers: { host: 'a' } }),
    'refuses',
    at('httpupgradeSettings.headers.host', 'unsupported'),
  ],
  ['grpc multiMode', block('grpc', { multiMode: 'x' }), 'refuses', at('grpcSettings.multiMode', 'type')],
  ['kcp mtu', block('kcp', { mtu: 20 }), 'refuses', at('kcpSettings.mtu', 'gte')],
  ['kcp tti', block('kcp', { tti: 1001 }), 'refuses', at('kcpSettings.tti', 'lte')],
  ['kcp cwnd', block('kcp', { cwndMultiplier: 0 }), 'refuses', at('kcpSettings.cwndMultiplier', 'gte')],
  ['kcp window', block('kcp', { maxSendingWindow: 100 }), 'refuses', at('kcpSettings.maxSendingWindow', 'gte')],
  ['kcp seed empty', block('kcp', { seed: '' }), 'refuses', at('kcpSettings.seed', 'removed'), 'heals'],
  ['kcp seed', block('kcp', { seed: 'pw' }), 'refuses', at('kcpSettings.seed', 'removed'), 'heals'],
  [
    'kcp header none',
    block('kcp', { header: { type: 'none' } }),
    'refuses',
    at('kcpSettings.header', 'removed'),
    'heals',
  ],
  [
    'kcp header wechat',
    block('kcp', { header: { type: 'wechat-video' } }),
    'refuses',
    at('kcpSettings.header', 'removed'),
    'heals',
  ],
  [
    'kcp leftover of another network',
    stream({ network: 'ws', kcpSettings: { seed: 'a' } }),
    'refuses',
    at('kcpSettings.seed', 'removed'),
    'heals',
  ],
  [
    'hysteria transport version',
    hysteria({}, { ...base.HYSTERIA_STREAM, hysteriaSettings: { version: 1 } }),
    'refuses',
    at('hysteriaSettings.version', 'oneof'),
    'heals',
  ],
  [
    'hysteria idle time',
    hysteria({}, { ...base.HYSTERIA_STREAM, hysteriaSettings: { version: 2, udpIdleTimeout: 1 } }),
    'refuses',
    at('hysteriaSettings.udpIdleTimeout', 'gte'),
  ],
  [
    'hysteria auth',
    hysteria({}, { ...base.HYSTERIA_STREAM, hysteriaSettings: { version: 2, auth: 'open' } }),
    'takes',
    at('hysteriaSettings.auth', 'unsupported'),
  ],
  [
    'hysteria masquerade type',
    masquerade({ type: 'foo' }),
    'endsAtStart',
    at('hysteriaSettings.masquerade.type', 'oneof'),
  ],
  [
    'hysteria masquerade address',
    masquerade({ type: 'proxy', url: '::bad' }),
    'endsAtStart',
    at('hysteriaSettings.masquerade.url', 'format'),
  ],
  [
    'hysteria masquerade headers',
    masquerade({ type: 'string', headers: { a: ['b'] } }),
    'refuses',
    at('hysteriaSettings.masquerade.headers.a', 'type'),
  ],
  ['xhttp mode', xhttp({ mode: 'foo' }), 'refuses', at('xhttpSettings.mode', 'oneof')],
  ['xhttp padding off', xhttp({ xPaddingBytes: -1 }), 'refuses', at('xhttpSettings.xPaddingBytes', 'gte')],
  ['xhttp padding from 0', xhttp({ xPaddingBytes: '0-5' }), 'refuses', at('xhttpSettings.xPaddingBytes', 'gte')],
  ['xhttp padding text', xhttp({ xPaddingBytes: 'abc' }), 'refuses', at('xhttpSettings.xPaddingBytes', 'format')],
  [
    'xhttp padding placement',
    xhttp({ xPaddingPlacement: 'foo' }),
    'refuses',
    at('xhttpSettings.xPaddingPlacement', 'oneof'),
  ],
  ['xhttp padding method', xhttp({ xPaddingMethod: 'foo' }), 'refuses', at('xhttpSettings.xPaddingMethod', 'oneof')],
  ['xhttp host header', xhttp({ headers: { Host: 'a' } }), 'refuses', at('xhttpSettings.headers.Host', 'unsupported')],
  ['xhttp GET', xhttp({ uplinkHTTPMethod: 'GET' }), 'refuses', at('xhttpSettings.uplinkHTTPMethod', 'conflict')],
  [
    'xhttp session placement',
    xhttp({ sessionIDPlacement: 'foo' }),
    'refuses',
    at('xhttpSettings.sessionIDPlacement', 'oneof'),
  ],
  ['xhttp seq placement', xhttp({ seqPlacement: 'foo' }), 'refuses', at('xhttpSettings.seqPlacement', 'oneof')],
  [
    'xhttp data placement',
    xhttp({ uplinkDataPlacement: 'query' }),
    'refuses',
    at('xhttpSettings.uplinkDataPlacement', 'oneof'),
  ],
  [
    'xhttp data in cookies',
    xhttp({ uplinkDataPlacement: 'cookie' }),
    'refuses',
    at('xhttpSettings.uplinkDataPlacement', 'conflict'),
  ],
  [
    'xhttp short session ids',
    xhttp({ sessionIDTable: 'hex', sessionIDLength: '7' }),
    'refuses',
    at('xhttpSettings.sessionIDLength', 'gte'),
  ],
  [
    'xhttp table without length',
    xhttp({ sessionIDTable: 'hex' }),
    'refuses',
    at('xhttpSettings.sessionIDLength', 'gte'),
  ],
  [
    'xhttp table not ASCII',
    xhttp({ sessionIDTable: 'é0123456789abcdef', sessionIDLength: 16 }),
    'refuses',
    at('xhttpSettings.sessionIDTable', 'format'),
  ],
  [
    'xhttp header bytes',
    xhttp({ serverMaxHeaderBytes: -1 }),
    'refuses',
    at('xhttpSettings.serverMaxHeaderBytes', 'gte'),
  ],
  ['xhttp extra', xhttp({ extra: { xPaddingBytes: -1 } }), 'refuses', at('xhttpSettings.extra.xPaddingBytes', 'gte')],
  [
    'xhttp xmux both',
    xhttp({ xmux: { maxConcurrency: 1, maxConnections: 1 } }),
    'refuses',
    at('xhttpSettings.xmux.maxConnections', 'conflict'),
    'heals',
  ],
  [
    'xhttp download half with stream-one',
    xhttp({ mode: 'stream-one', downloadSettings: { address: 'a.b', port: 1, network: 'xhttp' } }),
    'refuses',
    [],
    'heals',
  ],
  [
    'xhttp client chunk size',
    xhttp({ uplinkChunkSize: 'abc' }),
    'refuses',
    at('xhttpSettings.uplinkChunkSize', 'format'),
    'heals',
  ],
]);

const SECURITY = rows([
  ['security xtls', stream({ security: 'xtls' }), 'refuses', at('security', 'oneof')],
  ['security unknown', stream({ security: 'foo' }), 'refuses', at('security', 'oneof')],
  ...['ws', 'httpupgrade', 'kcp'].map((network): Row => {
    return [
      `reality over ${network}`,
      stream({ network, security: 'reality', realitySettings: base.REALITY }),
      'refuses',
      at('security', 'conflict'),
    ];
  }),
  ['reality without settings', stream({ security: 'reality' }), 'refuses', at('realitySettings', 'required')],
  [
    'reality for shadowsocks',
    { ...shadowsocks({ method: 'aes-256-gcm', clients: [] }), ...reality({}) },
    'takes',
    at('security', 'oneof'),
  ],
  ['reality target empty', reality({ target: '' }), 'refuses', at('realitySettings.target', 'required')],
  [
    'reality target without port',
    reality({ target: 'example.com' }),
    'refuses',
    at('realitySettings.target', 'format'),
  ],
  ['reality target bare IPv6', reality({ target: '::1:443' }), 'refuses', at('realitySettings.target', 'format')],
  ['reality no names', reality({ serverNames: [] }), 'refuses', at('realitySettings.serverNames', 'required')],
  [
    'reality names as text',
    reality({ serverNames: 'a.b' }),
    'refuses',
    [...at('realitySettings.serverNames', 'type'), ...at('realitySettings.serverNames', 'required')],
  ],
  ['reality no key', reality({ privateKey: '' }), 'refuses', at('realitySettings.privateKey', 'required')],
  ['reality short key', reality({ privateKey: 'abc' }), 'refuses', at('realitySettings.privateKey', 'format')],
  [
    'reality padded key',
    reality({ privateKey: `${REALITY_KEY}=` }),
    'refuses',
    at('realitySettings.privateKey', 'format'),
  ],
  ['reality no short ids', reality({ shortIds: [] }), 'refuses', at('realitySettings.shortIds', 'required')],
  ['reality odd short id', reality({ shortIds: ['abc'] }), 'refuses', at('realitySettings.shortIds[0]', 'format')],
  [
    'reality long short id',
    reality({ shortIds: ['', '0123456789abcdef01'] }),
    'refuses',
    at('realitySettings.shortIds[1]', 'format'),
  ],
  ['reality short id letters', reality({ shortIds: ['zz'] }), 'refuses', at('realitySettings.shortIds[0]', 'format')],
  ['reality xver', reality({ xver: 3 }), 'refuses', at('realitySettings.xver', 'lte')],
  [
    'reality client version',
    reality({ minClientVer: '1.2.300' }),
    'refuses',
    at('realitySettings.minClientVer', 'format'),
  ],
  [
    'reality client version text',
    reality({ maxClientVer: '1.2.3.4' }),
    'refuses',
    at('realitySettings.maxClientVer', 'format'),
  ],
  [
    'reality versions crossed',
    reality({ minClientVer: '2.0.0', maxClientVer: '1.9.0' }),
    'takes',
    at('realitySettings.maxClientVer', 'gte'),
  ],
  ['reality seed', reality({ mldsa65Seed: 'abc' }), 'refuses', at('realitySettings.mldsa65Seed', 'format')],
  [
    'reality seed is the key',
    reality({ mldsa65Seed: REALITY_KEY }),
    'refuses',
    at('realitySettings.mldsa65Seed', 'conflict'),
  ],
  [
    'reality limit',
    reality({ limitFallbackUpload: { afterBytes: -1 } }),
    'refuses',
    at('realitySettings.limitFallbackUpload.afterBytes', 'gte'),
  ],
  ['reality time difference', reality({ maxTimeDiff: '5' }), 'refuses', at('realitySettings.maxTimeDiff', 'type')],
  ['tls without certificates', tls({ certificates: [] }), 'takes', at('tlsSettings.certificates', 'required')],
  ['tls without settings', stream({ security: 'tls' }), 'takes', at('tlsSettings.certificates', 'required')],
  ['tls empty certificate', tls({ certificates: [{}] }), 'refuses', at('tlsSettings.certificates[0]', 'required')],
  [
    'tls certificate without key',
    tls({ certificates: [{ certificateFile: 'cert.pem' }] }),
    'takes',
    at('tlsSettings.certificates[0]', 'required'),
  ],
  [
    'tls certificate as text',
    tls({ certificates: [{ certificate: 'x', key: 'y' }] }),
    'refuses',
    [...at('tlsSettings.certificates[0].certificate', 'type'), ...at('tlsSettings.certificates[0].key', 'type')],
  ],
  [
    'tls certificate usage',
    tls({ certificates: [{ certificateFile: 'cert.pem', keyFile: 'key.pem', usage: 'foo' }] }),
    'takes',
    at('tlsSettings.certificates[0].usage', 'oneof'),
  ],
  ['tls version', tls({ minVersion: '1.4' }), 'takes', at('tlsSettings.minVersion', 'oneof')],
  ['tls versions crossed', tls({ minVersion: '1.3', maxVersion: '1.2' }), 'takes', at('tlsSettings.minVersion', 'lte')],
  ['tls allowInsecure', tls({ allowInsecure: true }), 'refuses', at('tlsSettings.allowInsecure', 'removed'), 'heals'],
  ['tls fingerprint', tls({ fingerprint: 'nope' }), 'refuses', at('tlsSettings.fingerprint', 'unsupported'), 'heals'],
  ['tls pinned list', tls({ pinnedPeerCertSha256: ['aa'] }), 'refuses', at('tlsSettings.pinnedPeerCertSha256', 'type')],
  ['tls pinned text', tls({ pinnedPeerCertSha256: 'zz' }), 'refuses', at('tlsSettings.pinnedPeerCertSha256', 'format')],
  ['tls ech keys', tls({ echServerKeys: '!!' }), 'refuses', at('tlsSettings.echServerKeys', 'format')],
  ['tls alpn', tls({ alpn: 5 }), 'refuses', at('tlsSettings.alpn', 'type')],
  [
    'tls ech sockopt',
    tls({ echSockopt: { domainStrategy: 'foo' } }),
    'refuses',
    at('tlsSettings.echSockopt.domainStrategy', 'oneof'),
  ],
]);

const OPTIONS = rows([
  ['sockopt strategy', sockopt({ domainStrategy: 'foo' }), 'refuses', at('sockopt.domainStrategy', 'oneof')],
  [
    'sockopt port strategy',
    sockopt({ addressPortStrategy: 'foo' }),
    'refuses',
    at('sockopt.addressPortStrategy', 'oneof'),
  ],
  ['sockopt fast open', sockopt({ tcpFastOpen: 'x' }), 'refuses', at('sockopt.tcpFastOpen', 'type')],
  [
    'sockopt keep-alive signs',
    sockopt({ tcpKeepAliveInterval: 5, tcpKeepAliveIdle: -5 }),
    'endsAtStart',
    at('sockopt.tcpKeepAliveIdle', 'conflict'),
  ],
  ['sockopt tproxy', sockopt({ tproxy: 'foo' }), 'takes', at('sockopt.tproxy', 'oneof')],
  [
    'sockopt trusted headers',
    sockopt({ trustedXForwardedFor: 'a' }),
    'refuses',
    at('sockopt.trustedXForwardedFor', 'type'),
  ],
  [
    'sockopt custom value',
    sockopt({ customSockopt: [{ type: 'int', opt: '1', value: 1 }] }),
    'refuses',
    at('sockopt.customSockopt[0].value', 'type'),
  ],
  ['sockopt other spelling', sockopt({ V6Only: 'x' }), 'refuses', at('sockopt.V6Only', 'type')],
  ['sniffing protocol', sniffing({ destOverride: ['bittorrent'] }), 'refuses', ['sniffing.destOverride[0]:oneof']],
  [
    'sniffing protocol while off',
    { sniffing: { enabled: false, destOverride: ['bittorrent'] } },
    'refuses',
    ['sniffing.destOverride[0]:oneof'],
    'heals',
  ],
  ['sniffing address', sniffing({ ipsExcluded: ['10.0.0.0/8', 'foo'] }), 'refuses', ['sniffing.ipsExcluded[1]:format']],
  ['sniffing prefix', sniffing({ ipsExcluded: ['1.2.3.4/33'] }), 'refuses', ['sniffing.ipsExcluded[0]:format']],
  [
    'sniffing dotless',
    sniffing({ domainsExcluded: ['dotless:a.b'] }),
    'refuses',
    ['sniffing.domainsExcluded[0]:format'],
  ],
]);

const XMC_PROFILE: JsonObject = { username: 'abc', uuid: base.UUID, texturesValue: 'a', texturesSignature: 'b' };

const MASKS = rows([
  [
    'tcp mask with reality',
    stream({
      network: 'tcp',
      security: 'reality',
      realitySettings: base.REALITY,
      finalmask: { tcp: [{ type: 'fragment', settings: { length: '5' } }] },
    }),
    'takes',
    at('finalmask.tcp', 'conflict'),
  ],
  ['mask unknown', udpMask('foo', {}), 'refuses', at('finalmask.udp[0].type', 'oneof')],
  ['mask of an older core', udpMask('header-wechat', {}), 'refuses', at('finalmask.udp[0].type', 'oneof')],
  [
    'udp mask on the tcp side',
    tcpMask('salamander', { password: 'p' }),
    'refuses',
    at('finalmask.tcp[0].type', 'oneof'),
  ],
  ['masks as an object', stream({ finalmask: { udp: { type: 'x' } } }), 'refuses', at('finalmask.udp', 'type')],
  ['fragment without length', tcpMask('fragment', {}), 'refuses', at('finalmask.tcp[0].settings.length', 'gte')],
  [
    'fragment last length',
    tcpMask('fragment', { lengths: ['5', '0'] }),
    'refuses',
    at('finalmask.tcp[0].settings.lengths[1]', 'gte'),
  ],
  [
    'fragment packets',
    tcpMask('fragment', { packets: 'foo', length: 5 }),
    'refuses',
    at('finalmask.tcp[0].settings.packets', 'format'),
  ],
  [
    'xmc without profiles',
    tcpMask('xmc', { password: 'p' }),
    'refuses',
    at('finalmask.tcp[0].settings.profiles', 'required'),
    'heals',
  ],
  [
    'xmc incomplete profile',
    tcpMask('xmc', { password: 'p', profiles: [{ ...XMC_PROFILE, username: 'a' }] }),
    'refuses',
    at('finalmask.tcp[0].settings.profiles', 'required'),
    'heals',
  ],
  [
    'xmc without password',
    tcpMask('xmc', { profiles: [XMC_PROFILE] }),
    'refuses',
    at('finalmask.tcp[0].settings.password', 'required'),
  ],
  [
    'header-custom empty packet',
    tcpMask('header-custom', { clients: [[{ rand: 5, packet: [] }]] }),
    'refuses',
    at('finalmask.tcp[0].settings.clients[0][0]', 'conflict'),
    'heals',
  ],
  [
    'header-custom two kinds',
    tcpMask('header-custom', { clients: [[{ rand: 5, packet: [1] }]] }),
    'refuses',
    at('finalmask.tcp[0].settings.clients[0][0]', 'conflict'),
  ],
  [
    'header-custom type',
    tcpMask('header-custom', { clients: [[{ type: 'foo', packet: 'aa' }]] }),
    'refuses',
    [
      ...at('finalmask.tcp[0].settings.clients[0][0].type', 'oneof'),
      ...at('finalmask.tcp[0].settings.clients[0][0].packet', 'format'),
    ],
  ],
  [
    'header-custom hex',
    tcpMask('header-custom', { clients: [[{ type: 'hex', packet: 'zz' }]] }),
    'refuses',
    at('finalmask.tcp[0].settings.clients[0][0].packet', 'format'),
  ],
  [
    'header-custom udp mode',
    udpMask('header-custom', { mode: 'foo' }),
    'refuses',
    at('finalmask.udp[0].settings.mode', 'oneof'),
  ],
  [
    'noise empty packet',
    udpMask('noise', { noise: [{ rand: '5-10', packet: [] }] }),
    'refuses',
    at('finalmask.udp[0].settings.noise[0]', 'conflict'),
    'heals',
  ],
  [
    'noise both',
    udpMask('noise', { noise: [{ rand: '5-10', packet: [1] }] }),
    'refuses',
    at('finalmask.udp[0].settings.noise[0]', 'conflict'),
  ],
  [
    'noise bytes',
    udpMask('noise', { noise: [{ rand: 5, randRange: '0-300' }] }),
    'refuses',
    at('finalmask.udp[0].settings.noise[0].randRange', 'format'),
  ],
  [
    'mkcp-legacy header',
    udpMask('mkcp-legacy', { header: 'foo' }),
    'refuses',
    at('finalmask.udp[0].settings.header', 'oneof'),
  ],
  [
    'salamander size',
    udpMask('salamander', { password: 'p', packetSize: '1-3000' }),
    'refuses',
    at('finalmask.udp[0].settings.packetSize', 'format'),
  ],
  [
    'salamander without password',
    udpMask('salamander', {}),
    'takes',
    at('finalmask.udp[0].settings.password', 'required'),
  ],
  ['xdns empty', udpMask('xdns', {}), 'refuses', at('finalmask.udp[0].settings.domains', 'required')],
  [
    'xdns domain',
    udpMask('xdns', { domain: 'a.b' }),
    'refuses',
    [...at('finalmask.udp[0].settings.domain', 'removed'), ...at('finalmask.udp[0].settings.domains', 'required')],
  ],
  ['xicmp address', udpMask('xicmp', { ips: ['foo'] }), 'refuses', at('finalmask.udp[0].settings.ips[0]', 'format')],
  [
    'realm address',
    udpMask('realm', { url: 'http://t@h/i', stunServers: ['a:1'] }),
    'refuses',
    at('finalmask.udp[0].settings.url', 'format'),
  ],
  [
    'realm without stun',
    udpMask('realm', { url: 'realm://t@h/i' }),
    'refuses',
    at('finalmask.udp[0].settings.stunServers', 'required'),
  ],
  ['quic congestion', quic({ congestion: 'foo' }), 'refuses', at('finalmask.quicParams.congestion', 'oneof')],
  [
    'quic force-brutal',
    quic({ congestion: 'force-brutal' }),
    'refuses',
    at('finalmask.quicParams.brutalUp', 'required'),
  ],
  ['quic slow', quic({ brutalUp: '1 kbps' }), 'refuses', at('finalmask.quicParams.brutalUp', 'gte')],
  ['quic speed number', quic({ brutalUp: 100_000_000 }), 'refuses', at('finalmask.quicParams.brutalUp', 'format')],
  ['quic profile', quic({ bbrProfile: 'foo' }), 'refuses', at('finalmask.quicParams.bbrProfile', 'oneof')],
  [
    'quic hop interval',
    quic({ udpHop: { ports: '1-2', interval: 4 } }),
    'refuses',
    at('finalmask.quicParams.udpHop.interval', 'gte'),
  ],
  [
    'quic hop ports',
    quic({ udpHop: { ports: 'abc', interval: 5 } }),
    'refuses',
    at('finalmask.quicParams.udpHop.ports', 'format'),
  ],
  [
    'quic window',
    quic({ initStreamReceiveWindow: 100 }),
    'refuses',
    at('finalmask.quicParams.initStreamReceiveWindow', 'gte'),
  ],
  ['quic idle', quic({ maxIdleTimeout: 121 }), 'refuses', at('finalmask.quicParams.maxIdleTimeout', 'lte')],
  ['quic keep-alive', quic({ keepAlivePeriod: 1 }), 'refuses', at('finalmask.quicParams.keepAlivePeriod', 'gte')],
  ['quic streams', quic({ maxIncomingStreams: 7 }), 'refuses', at('finalmask.quicParams.maxIncomingStreams', 'gte')],
]);

/** Every way to store an inbound that the core does not run as asked, known without running it. */
export const BROKEN_INBOUNDS: readonly BrokenInbound[] = [
  ...PLACE,
  ...PROTOCOLS,
  ...TRANSPORTS,
  ...SECURITY,
  ...OPTIONS,
  ...MASKS,
];
