import type { InboundDraft } from '../../core/config/inbound/inbound-draft.ts';
import type { JsonObject } from '../../core/config/source.ts';
import * as base from './base.ts';

/** What the core does with the inbound as stored: refuses or panics while reading, ends at its start, or accepts it. */
type CoreOutcome = 'refuses' | 'panics' | 'endsAtStart' | 'takes';

export interface BrokenInbound {
  name: string;
  inbound: InboundDraft;
  core: CoreOutcome;
  /** `field:rule` of everything that is refused on save; empty when the stored form is fine and only rendering differs. */
  issues: string[];
  /** Whether the rendered copy runs all the same. */
  heals: boolean;
}

/**
 * The content of the section, and `field:rule` of what is refused there. The core refuses it unless another outcome is
 * named. What the core accepts runs, and the rest does not, unless the end of the row says otherwise.
 */
type Row<Change> = readonly [
  change: Change,
  issues: string | readonly string[],
  core?: CoreOutcome,
  otherwise?: 'heals' | 'leftOut',
];

/** @param path of the section in a stored inbound, which prefixes the fields of its issues */
function section<Change>(
  name: string,
  path: string,
  draft: (change: Change) => Partial<InboundDraft>,
  rows: readonly Row<Change>[],
): BrokenInbound[] {
  return rows.map(([change, issues, core = 'refuses', otherwise]) => ({
    name: `${name} ${JSON.stringify(change)}`,
    inbound: base.draft(draft(change)),
    core,
    issues: [issues].flat().map((issue) => (path === '' ? issue : `${path}.${issue}`)),
    heals: otherwise === 'heals' || (core === 'takes' && otherwise !== 'leftOut'),
  }));
}

const settings =
  (protocol: string) =>
  (change: JsonObject): Partial<InboundDraft> => ({ protocol, settings: change });
const stream = (streamSettings: JsonObject): Partial<InboundDraft> => ({ streamSettings });
/** Members of the settings of a transport. */
const transport = (network: string, rows: readonly Row<JsonObject>[]): BrokenInbound[] =>
  section(
    network,
    `streamSettings.${network}Settings`,
    (change) => stream({ network, [`${network}Settings`]: change }),
    rows,
  );
/** Members of a part of the stream of this network. */
const part = (
  network: string,
  name: string,
  given: (change: JsonObject) => JsonObject,
  rows: readonly Row<JsonObject>[],
): BrokenInbound[] => section(name, `streamSettings.${name}`, (change) => stream({ network, ...given(change) }), rows);

const shadowsocks = settings('shadowsocks');
const tunnel = settings('tunnel');
const hysteria = (change: JsonObject, streamSettings: JsonObject): Partial<InboundDraft> => {
  return { protocol: 'hysteria', settings: { version: 2, ...change }, streamSettings };
};
const wireguard = (change: JsonObject): Partial<InboundDraft> => {
  return { protocol: 'wireguard', settings: { secretKey: base.WG_SECRET, ...change } };
};
const { KEY_16, KEY_32, VLESS_KEY, WG_PEER, WG_OTHER_PEER, DECRYPTION, REALITY_KEY } = base;
const PEER: JsonObject = { publicKey: WG_PEER, allowedIPs: ['10.0.0.2/32'] };
const OTHER_PEER: JsonObject = { publicKey: WG_OTHER_PEER, allowedIPs: ['10.0.0.3/32'] };
const XMC_PROFILE: JsonObject = { username: 'abc', uuid: base.UUID, texturesValue: 'a', texturesSignature: 'b' };

const WHOLE = section<Partial<InboundDraft>>('inbound', '', (draft) => draft, [
  [{ listen: '' }, [], 'panics', 'heals'],
  [{ listen: 'example.com' }, 'listen:format'],
  [{ listen: 'panel.sock' }, 'listen:format'],
  [{ listen: 'env:NOT_SET_ANYWHERE' }, 'listen:format', 'panics'],
  [{ listen: 'fe80::1%lo' }, 'listen:format'],
  [{ listen: '/tmp/switchyard-test.sock,zzz' }, 'listen:format', 'endsAtStart'],
  [{ listen: `/tmp/${'x'.repeat(103)}` }, 'listen:format', 'endsAtStart'],
  [{ port: 0 }, 'port:gte', 'takes', 'leftOut'],
  [{ port: 70_000 }, 'port:lte', 'takes', 'leftOut'],
  [{ port: -1 }, 'port:gte'],
  [{ port: 1.5 }, 'port:type'],
  [{ protocol: 'mtproto', settings: {} }, 'protocol:oneof'],
  [{ listen: '/tmp/switchyard-test.sock', ...stream({ network: 'kcp' }) }, 'listen:unsupported', 'endsAtStart'],
  [
    { protocol: 'trojan', settings: { fallbacks: [{ dest: '' }] } },
    'settings.fallbacks[0].dest:format',
    'refuses',
    'heals',
  ],
  [{ protocol: 'hysteria2', settings: { version: 2 }, streamSettings: base.HYSTERIA_STREAM }, [], 'refuses', 'heals'],
  [hysteria({ version: 1 }, base.HYSTERIA_STREAM), 'settings.version:oneof', 'refuses', 'heals'],
  [hysteria({}, { network: 'tcp', ...base.TLS }), 'streamSettings.network:oneof'],
  [
    hysteria({}, { network: 'hysteria', hysteriaSettings: { version: 2 } }),
    'streamSettings.security:oneof',
    'endsAtStart',
  ],
  [
    hysteria({}, { ...base.HYSTERIA_STREAM, security: 'reality', realitySettings: base.REALITY }),
    ['streamSettings.security:conflict', 'streamSettings.security:oneof'],
  ],
  [{ listen: '/tmp/switchyard-test.sock', ...hysteria({}, base.HYSTERIA_STREAM) }, 'listen:unsupported', 'takes'],
  [{ listen: 'localhost', ...wireguard({}) }, 'listen:unsupported', 'endsAtStart'],
  [{ listen: '/tmp/switchyard-test.sock', ...wireguard({}) }, 'listen:unsupported', 'endsAtStart'],
  [
    { ...tunnel({}), ...stream({ network: 'ws', security: 'tls', tlsSettings: { certificates: base.CERTIFICATES } }) },
    ['streamSettings.network:unsupported', 'streamSettings.security:unsupported'],
    'takes',
  ],
  [{ protocol: 'http', settings: { allowTransparent: 'x' } }, 'settings.allowTransparent:type'],
  [{ protocol: 'tun', settings: { name: 'xray0', mtu: 1500 } }, 'protocol:unsupported', 'takes'],
  [{ protocol: 'tun', settings: { mtu: 'x' } }, ['settings.mtu:type', 'protocol:unsupported']],
  [
    hysteria({}, { ...base.HYSTERIA_STREAM, hysteriaSettings: { version: 1 } }),
    'streamSettings.hysteriaSettings.version:oneof',
    'refuses',
    'heals',
  ],
  [
    hysteria({}, { ...base.HYSTERIA_STREAM, hysteriaSettings: { version: 2, udpIdleTimeout: 1 } }),
    'streamSettings.hysteriaSettings.udpIdleTimeout:gte',
  ],
  [
    hysteria({}, { ...base.HYSTERIA_STREAM, hysteriaSettings: { version: 2, auth: 'open' } }),
    'streamSettings.hysteriaSettings.auth:unsupported',
    'takes',
  ],
  [
    {
      ...shadowsocks({ method: 'aes-256-gcm', clients: [] }),
      ...stream({ network: 'tcp', security: 'reality', realitySettings: base.REALITY }),
    },
    'streamSettings.security:oneof',
    'takes',
  ],
  [
    { sniffing: { enabled: false, destOverride: ['bittorrent'] } },
    'sniffing.destOverride[0]:oneof',
    'refuses',
    'heals',
  ],
]);

const PROTOCOLS = [
  ...section('vless', 'settings', settings('vless'), [
    [{}, 'decryption:required', 'refuses', 'heals'],
    [{ decryption: '' }, 'decryption:required', 'refuses', 'heals'],
    [{ decryption: 'foo' }, 'decryption:format'],
    [{ decryption: DECRYPTION.replace('600s', '0rtt') }, 'decryption:format'],
    [{ decryption: DECRYPTION.replace('native', 'foo') }, 'decryption:format'],
    [{ decryption: 'mlkem768x25519plus.native.600s' }, 'decryption:format'],
    [{ decryption: `${DECRYPTION}AAAA` }, 'decryption:format'],
    [{ decryption: 'mlkem768x25519plus.native.600s.100-111-1111' }, 'decryption:format', 'panics'],
    [{ decryption: `mlkem768x25519plus.native.600s.100-10-20.${VLESS_KEY}` }, 'decryption:format'],
    [{ decryption: DECRYPTION, fallbacks: [] }, [], 'refuses', 'heals'],
    [{ decryption: DECRYPTION, fallbacks: [{ dest: 80 }] }, 'fallbacks:conflict', 'refuses', 'heals'],
    [{ decryption: 'none', flow: 'foo' }, 'flow:oneof'],
    [{ decryption: 'none', testseed: [-1, 1, 1, 1] }, 'testseed[0]:gte'],
    [{ decryption: 'none', testseed: [1, 1, 1] }, 'testseed:format', 'takes'],
    [{ decryption: 'none', encryption: 'x' }, 'encryption:conflict', 'takes'],
    [{ decryption: 'none', fallbacks: [{}] }, 'fallbacks[0].dest:format', 'refuses', 'heals'],
    [{ decryption: 'none', fallbacks: [{ dest: 'localhost' }] }, 'fallbacks[0].dest:format', 'refuses', 'heals'],
    [{ decryption: 'none', fallbacks: [{ dest: 80, path: 'a' }] }, 'fallbacks[0].path:format', 'refuses', 'heals'],
    [{ decryption: 'none', fallbacks: [{ dest: 80, xver: 3 }] }, 'fallbacks[0].xver:lte', 'refuses', 'heals'],
  ]),
  ...section('shadowsocks', 'settings', shadowsocks, [
    [{ password: 'p', clients: [{ password: 'p', email: 'a', method: '' }] }, 'method:oneof'],
    [{ method: 'rc4', clients: [{ password: 'p', email: 'a', method: 'rc4' }] }, 'method:oneof'],
    [
      { method: 'none', clients: [{ password: 'p', email: 'a', method: 'none' }] },
      'method:removed',
      'refuses',
      'heals',
    ],
    [
      { method: 'plain', clients: [{ password: 'p', email: 'a', method: 'plain' }] },
      'method:removed',
      'refuses',
      'heals',
    ],
    [{ method: '2022-blake3-aes-256-gcm', password: '' }, 'password:format'],
    [{ method: '2022-blake3-aes-256-gcm', password: KEY_16 }, 'password:format'],
    [{ method: '2022-blake3-aes-128-gcm', password: KEY_32 }, 'password:format', 'takes', 'leftOut'],
    [{ method: '2022-blake3-aes-128-gcm', password: KEY_16.replace('==', '') }, 'password:format'],
    [
      { method: '2022-blake3-chacha20-poly1305', password: KEY_32, clients: [{ password: KEY_32, email: 'a' }] },
      [],
      'refuses',
      'heals',
    ],
    [{ method: 'aes-256-gcm', clients: [], network: 'icmp' }, 'network:oneof', 'takes'],
  ]),
  ...section('wireguard', 'settings', wireguard, [
    [{ secretKey: '' }, 'secretKey:format'],
    [{ secretKey: 'AQEB' }, 'secretKey:format', 'panics'],
    [{ secretKey: 'AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB' }, 'secretKey:format', 'panics'],
    [{ address: ['foo'] }, 'address[0]:format'],
    [{ reserved: [1, 2] }, 'reserved:format'],
    [{ domainStrategy: 'foo' }, 'domainStrategy:oneof'],
    [{ mtu: '1420' }, 'mtu:type'],
    [{ mtu: 0 }, 'mtu:gte', 'takes'],
    [{ peers: [{ allowedIPs: ['10.0.0.2/32'] }] }, 'peers[0].publicKey:format', 'refuses', 'heals'],
    [{ peers: [{ ...PEER, publicKey: 'AQEB' }] }, 'peers[0].publicKey:format', 'refuses', 'heals'],
    [{ peers: [{ ...PEER, preSharedKey: 'AQEB' }] }, 'peers[0].preSharedKey:format', 'endsAtStart', 'heals'],
    [{ peers: [{ ...PEER, allowedIPs: ['10.0.0.2'] }] }, [], 'refuses', 'heals'],
    [{ peers: [{ ...PEER, allowedIPs: ['foo'] }] }, 'peers[0].allowedIPs[0]:format', 'refuses', 'heals'],
    [{ peers: [{ ...PEER, allowedIPs: '10.0.0.2/32' }] }, 'peers[0].allowedIPs:type', 'refuses', 'heals'],
    [{ peers: [{ ...PEER, keepAlive: -1 }] }, 'peers[0].keepAlive:gte', 'refuses', 'heals'],
    [{ peers: [{ publicKey: WG_PEER }, { publicKey: WG_OTHER_PEER }] }, 'peers[1].allowedIPs:unique', 'takes'],
    [{ peers: [PEER, { ...OTHER_PEER, allowedIPs: ['10.0.0.2/32'] }] }, 'peers[1].allowedIPs:unique', 'takes'],
    [{ peers: [PEER, { ...OTHER_PEER, publicKey: WG_PEER }] }, 'peers[1].publicKey:unique', 'takes'],
    [
      {
        peers: [
          { ...PEER, email: 'A@x' },
          { ...OTHER_PEER, email: 'a@x' },
        ],
      },
      'peers[1].email:unique',
      'takes',
    ],
  ]),
  ...section('tunnel', 'settings', tunnel, [
    [{ portMap: [{ name: '8443', value: 'example.com:443' }] }, [], 'refuses', 'heals'],
    [{ portMap: [] }, [], 'refuses', 'heals'],
    [{ portMap: { 8443: 'example.com' } }, 'portMap.8443:format'],
    [{ portMap: [{ name: '8443', value: 'example.com' }] }, 'portMap[0].value:format'],
    [{ portMap: { 8443: 'a:70000' } }, 'portMap.8443:format', 'takes'],
    [{ portMap: { web: 'a:1' } }, 'portMap.web:format', 'takes'],
    [{ rewritePort: 70_000 }, 'rewritePort:lte'],
    [{ allowedNetwork: [] }, 'allowedNetwork:required'],
    [{ allowedNetwork: 'icmp' }, 'allowedNetwork:oneof', 'takes'],
  ]),
  ...section('mixed', 'settings', settings('mixed'), [
    [{ auth: 'foo' }, 'auth:oneof', 'takes'],
    [{ auth: 'password', accounts: [] }, 'accounts:required', 'takes'],
    [{ accounts: {} }, 'accounts:type'],
    [{ accounts: [{ user: '', pass: 'p' }] }, 'accounts[0].user:required', 'takes'],
    [
      {
        accounts: [
          { user: 'a', pass: 'p' },
          { user: 'a', pass: 'q' },
        ],
      },
      'accounts[1].user:unique',
      'takes',
    ],
  ]),
];

const TRANSPORTS = [
  ...section('stream', 'streamSettings', stream, [
    [{ network: 'h2' }, 'network:removed'],
    [{ network: 'h3' }, 'network:removed'],
    [{ network: 'http' }, 'network:removed'],
    [{ network: 'quic' }, 'network:removed'],
    [{ network: 'foo' }, 'network:oneof'],
    [{ network: '' }, 'network:oneof', 'refuses', 'heals'],
    [{ network: 'ws', method: 'foo' }, 'method:oneof'],
    [{ ...base.HYSTERIA_STREAM }, 'network:unsupported', 'takes'],
    [{ network: 'ws', kcpSettings: { seed: 'a' } }, 'kcpSettings.seed:removed', 'refuses', 'heals'],
    [{ security: 'xtls' }, 'security:oneof'],
    [{ security: 'foo' }, 'security:oneof'],
    [{ network: 'ws', security: 'reality', realitySettings: base.REALITY }, 'security:conflict'],
    [{ network: 'httpupgrade', security: 'reality', realitySettings: base.REALITY }, 'security:conflict'],
    [{ network: 'kcp', security: 'reality', realitySettings: base.REALITY }, 'security:conflict'],
    [{ security: 'reality' }, 'realitySettings:required'],
    [{ security: 'tls' }, 'tlsSettings.certificates:required', 'takes'],
    [
      {
        network: 'tcp',
        security: 'reality',
        realitySettings: base.REALITY,
        finalmask: { tcp: [{ type: 'fragment', settings: { length: '5' } }] },
      },
      'finalmask.tcp:conflict',
      'takes',
    ],
    [{ finalmask: { udp: { type: 'x' } } }, 'finalmask.udp:type'],
  ]),
  ...transport('tcp', [
    [{ header: {} }, 'header.type:oneof', 'refuses', 'heals'],
    [{ header: null }, 'header:type', 'refuses', 'heals'],
    [{ header: { type: 'foo' } }, 'header.type:oneof'],
    [{ header: { type: 'http', response: { status: 200 } } }, 'header.response.status:type'],
    [{ acceptProxyProtocol: 'yes' }, 'acceptProxyProtocol:type'],
  ]),
  ...transport('ws', [
    [{ headers: { a: ['b'] } }, 'headers.a:type'],
    [{ heartbeatPeriod: -1 }, 'heartbeatPeriod:gte'],
  ]),
  ...transport('httpupgrade', [[{ headers: { host: 'a' } }, 'headers.host:unsupported']]),
  ...transport('grpc', [[{ multiMode: 'x' }, 'multiMode:type']]),
  ...transport('kcp', [
    [{ mtu: 20 }, 'mtu:gte'],
    [{ tti: 1001 }, 'tti:lte'],
    [{ cwndMultiplier: 0 }, 'cwndMultiplier:gte'],
    [{ maxSendingWindow: 100 }, 'maxSendingWindow:gte'],
    [{ seed: '' }, 'seed:removed', 'refuses', 'heals'],
    [{ seed: 'pw' }, 'seed:removed', 'refuses', 'heals'],
    [{ header: { type: 'none' } }, 'header:removed', 'refuses', 'heals'],
    [{ header: { type: 'wechat-video' } }, 'header:removed', 'refuses', 'heals'],
  ]),
  ...transport('xhttp', [
    [{ mode: 'foo' }, 'mode:oneof'],
    [{ xPaddingBytes: -1 }, 'xPaddingBytes:gte'],
    [{ xPaddingBytes: '0-5' }, 'xPaddingBytes:gte'],
    [{ xPaddingBytes: 'abc' }, 'xPaddingBytes:format'],
    [{ xPaddingPlacement: 'foo' }, 'xPaddingPlacement:oneof'],
    [{ xPaddingMethod: 'foo' }, 'xPaddingMethod:oneof'],
    [{ headers: { Host: 'a' } }, 'headers.Host:unsupported'],
    [{ uplinkHTTPMethod: 'GET' }, 'uplinkHTTPMethod:conflict'],
    [{ sessionIDPlacement: 'foo' }, 'sessionIDPlacement:oneof'],
    [{ seqPlacement: 'foo' }, 'seqPlacement:oneof'],
    [{ uplinkDataPlacement: 'query' }, 'uplinkDataPlacement:oneof'],
    [{ uplinkDataPlacement: 'cookie' }, 'uplinkDataPlacement:conflict'],
    [{ sessionIDTable: 'hex', sessionIDLength: '7' }, 'sessionIDLength:gte'],
    [{ sessionIDTable: 'hex' }, 'sessionIDLength:gte'],
    [{ sessionIDTable: 'é0123456789abcdef', sessionIDLength: 16 }, 'sessionIDTable:format'],
    [{ serverMaxHeaderBytes: -1 }, 'serverMaxHeaderBytes:gte'],
    [{ extra: { xPaddingBytes: -1 } }, 'extra.xPaddingBytes:gte'],
    [{ xmux: { maxConcurrency: 1, maxConnections: 1 } }, 'xmux.maxConnections:conflict', 'refuses', 'heals'],
    [{ mode: 'stream-one', downloadSettings: { address: 'a.b', port: 1, network: 'xhttp' } }, [], 'refuses', 'heals'],
    [{ uplinkChunkSize: 'abc' }, 'uplinkChunkSize:format', 'refuses', 'heals'],
  ]),
  ...section(
    'masquerade',
    'streamSettings.hysteriaSettings.masquerade',
    (masquerade: JsonObject) => hysteria({}, { ...base.HYSTERIA_STREAM, hysteriaSettings: { version: 2, masquerade } }),
    [
      [{ type: 'foo' }, 'type:oneof', 'endsAtStart'],
      [{ type: 'proxy', url: '::bad' }, 'url:format', 'endsAtStart'],
      [{ type: 'string', headers: { a: ['b'] } }, 'headers.a:type'],
    ],
  ),
];

const SECURITY = [
  ...part(
    'tcp',
    'realitySettings',
    (change) => ({ security: 'reality', realitySettings: { ...base.REALITY, ...change } }),
    [
      [{ target: '' }, 'target:required'],
      [{ target: 'example.com' }, 'target:format'],
      [{ target: '::1:443' }, 'target:format'],
      [{ serverNames: [] }, 'serverNames:required'],
      [{ serverNames: 'a.b' }, ['serverNames:type', 'serverNames:required']],
      [{ privateKey: '' }, 'privateKey:required'],
      [{ privateKey: 'abc' }, 'privateKey:format'],
      [{ privateKey: `${REALITY_KEY}=` }, 'privateKey:format'],
      [{ shortIds: [] }, 'shortIds:required'],
      [{ shortIds: ['abc'] }, 'shortIds[0]:format'],
      [{ shortIds: ['', '0123456789abcdef01'] }, 'shortIds[1]:format'],
      [{ shortIds: ['zz'] }, 'shortIds[0]:format'],
      [{ xver: 3 }, 'xver:lte'],
      [{ minClientVer: '1.2.300' }, 'minClientVer:format'],
      [{ maxClientVer: '1.2.3.4' }, 'maxClientVer:format'],
      [{ minClientVer: '2.0.0', maxClientVer: '1.9.0' }, 'maxClientVer:gte', 'takes'],
      [{ mldsa65Seed: 'abc' }, 'mldsa65Seed:format'],
      [{ mldsa65Seed: REALITY_KEY }, 'mldsa65Seed:conflict'],
      [{ limitFallbackUpload: { afterBytes: -1 } }, 'limitFallbackUpload.afterBytes:gte'],
      [{ maxTimeDiff: '5' }, 'maxTimeDiff:type'],
    ],
  ),
  ...part(
    'tcp',
    'tlsSettings',
    (change) => ({ security: 'tls', tlsSettings: { certificates: base.CERTIFICATES, ...change } }),
    [
      [{ certificates: [] }, 'certificates:required', 'takes'],
      [{ certificates: [{}] }, 'certificates[0]:required'],
      [{ certificates: [{ certificateFile: 'cert.pem' }] }, 'certificates[0]:required', 'takes'],
      [
        { certificates: [{ certificate: 'x', key: 'y' }] },
        ['certificates[0].certificate:type', 'certificates[0].key:type'],
      ],
      [
        { certificates: [{ certificateFile: 'cert.pem', keyFile: 'key.pem', usage: 'foo' }] },
        'certificates[0].usage:oneof',
        'takes',
      ],
      [{ minVersion: '1.4' }, 'minVersion:oneof', 'takes'],
      [{ minVersion: '1.3', maxVersion: '1.2' }, 'minVersion:lte', 'takes'],
      [{ allowInsecure: true }, 'allowInsecure:removed', 'refuses', 'heals'],
      [{ fingerprint: 'nope' }, 'fingerprint:unsupported', 'refuses', 'heals'],
      [{ pinnedPeerCertSha256: ['aa'] }, 'pinnedPeerCertSha256:type'],
      [{ pinnedPeerCertSha256: 'zz' }, 'pinnedPeerCertSha256:format'],
      [{ echServerKeys: '!!' }, 'echServerKeys:format'],
      [{ alpn: 5 }, 'alpn:type'],
      [{ echSockopt: { domainStrategy: 'foo' } }, 'echSockopt.domainStrategy:oneof'],
    ],
  ),
];

const OPTIONS = [
  ...part('tcp', 'sockopt', (sockopt) => ({ sockopt }), [
    [{ domainStrategy: 'foo' }, 'domainStrategy:oneof'],
    [{ addressPortStrategy: 'foo' }, 'addressPortStrategy:oneof'],
    [{ tcpFastOpen: 'x' }, 'tcpFastOpen:type'],
    [{ tcpKeepAliveInterval: 5, tcpKeepAliveIdle: -5 }, 'tcpKeepAliveIdle:conflict', 'endsAtStart'],
    [{ tproxy: 'foo' }, 'tproxy:oneof', 'takes'],
    [{ trustedXForwardedFor: 'a' }, 'trustedXForwardedFor:type'],
    [{ customSockopt: [{ type: 'int', opt: '1', value: 1 }] }, 'customSockopt[0].value:type'],
    [{ V6Only: 'x' }, 'V6Only:type'],
  ]),
  ...section('sniffing', 'sniffing', (change: JsonObject) => ({ sniffing: { enabled: true, ...change } }), [
    [{ destOverride: ['bittorrent'] }, 'destOverride[0]:oneof'],
    [{ ipsExcluded: ['10.0.0.0/8', 'foo'] }, 'ipsExcluded[1]:format'],
    [{ ipsExcluded: ['1.2.3.4/33'] }, 'ipsExcluded[0]:format'],
    [{ domainsExcluded: ['dotless:a.b'] }, 'domainsExcluded[0]:format'],
  ]),
];

const MASKS = [
  ...part('tcp', 'finalmask.tcp[0]', (mask) => ({ finalmask: { tcp: [mask] } }), [
    [{ type: 'salamander', settings: { password: 'p' } }, 'type:oneof'],
    [{ type: 'fragment', settings: {} }, 'settings.length:gte'],
    [{ type: 'fragment', settings: { lengths: ['5', '0'] } }, 'settings.lengths[1]:gte'],
    [{ type: 'fragment', settings: { packets: 'foo', length: 5 } }, 'settings.packets:format'],
    [{ type: 'xmc', settings: { password: 'p' } }, 'settings.profiles:required', 'refuses', 'heals'],
    [
      { type: 'xmc', settings: { password: 'p', profiles: [{ ...XMC_PROFILE, username: 'a' }] } },
      'settings.profiles:required',
      'refuses',
      'heals',
    ],
    [{ type: 'xmc', settings: { profiles: [XMC_PROFILE] } }, 'settings.password:required'],
    [
      { type: 'header-custom', settings: { clients: [[{ rand: 5, packet: [] }]] } },
      'settings.clients[0][0]:conflict',
      'refuses',
      'heals',
    ],
    [{ type: 'header-custom', settings: { clients: [[{ rand: 5, packet: [1] }]] } }, 'settings.clients[0][0]:conflict'],
    [
      { type: 'header-custom', settings: { clients: [[{ type: 'foo', packet: 'aa' }]] } },
      ['settings.clients[0][0].type:oneof', 'settings.clients[0][0].packet:format'],
    ],
    [
      { type: 'header-custom', settings: { clients: [[{ type: 'hex', packet: 'zz' }]] } },
      'settings.clients[0][0].packet:format',
    ],
  ]),
  ...part('kcp', 'finalmask.udp[0]', (mask) => ({ finalmask: { udp: [mask] } }), [
    [{ type: 'foo', settings: {} }, 'type:oneof'],
    [{ type: 'header-wechat', settings: {} }, 'type:oneof'],
    [{ type: 'header-custom', settings: { mode: 'foo' } }, 'settings.mode:oneof'],
    [
      { type: 'noise', settings: { noise: [{ rand: '5-10', packet: [] }] } },
      'settings.noise[0]:conflict',
      'refuses',
      'heals',
    ],
    [{ type: 'noise', settings: { noise: [{ rand: '5-10', packet: [1] }] } }, 'settings.noise[0]:conflict'],
    [{ type: 'noise', settings: { noise: [{ rand: 5, randRange: '0-300' }] } }, 'settings.noise[0].randRange:format'],
    [{ type: 'mkcp-legacy', settings: { header: 'foo' } }, 'settings.header:oneof'],
    [{ type: 'salamander', settings: { password: 'pass', packetSize: '1-3000' } }, 'settings.packetSize:format'],
    [{ type: 'salamander', settings: {} }, 'settings.password:gte', 'endsAtStart'],
    [{ type: 'salamander', settings: { password: 'abc' } }, 'settings.password:gte', 'endsAtStart'],
    [{ type: 'xdns', settings: {} }, 'settings.domains:required'],
    [{ type: 'xdns', settings: { domain: 'a.b' } }, ['settings.domain:removed', 'settings.domains:required']],
    [{ type: 'xicmp', settings: { ips: ['foo'] } }, 'settings.ips[0]:format'],
    [{ type: 'realm', settings: { url: 'http://t@h/i', stunServers: ['a:1'] } }, 'settings.url:format'],
    [{ type: 'realm', settings: { url: 'realm://t@h/i' } }, 'settings.stunServers:required'],
  ]),
  ...part('kcp', 'finalmask.quicParams', (quicParams) => ({ finalmask: { quicParams } }), [
    [{ congestion: 'foo' }, 'congestion:oneof'],
    [{ congestion: 'force-brutal' }, 'brutalUp:required'],
    [{ brutalUp: '1 kbps' }, 'brutalUp:gte'],
    [{ brutalUp: 100_000_000 }, 'brutalUp:format'],
    [{ bbrProfile: 'foo' }, 'bbrProfile:oneof'],
    [{ udpHop: { ports: '1-2', interval: 4 } }, 'udpHop.interval:gte'],
    [{ udpHop: { ports: 'abc', interval: 5 } }, 'udpHop.ports:format'],
    [{ initStreamReceiveWindow: 100 }, 'initStreamReceiveWindow:gte'],
    [{ maxIdleTimeout: 121 }, 'maxIdleTimeout:lte'],
    [{ keepAlivePeriod: 1 }, 'keepAlivePeriod:gte'],
    [{ maxIncomingStreams: 7 }, 'maxIncomingStreams:gte'],
  ]),
];

/** Every way to store an inbound that the core does not run as written, detectable without running it. */
export const BROKEN_INBOUNDS: readonly BrokenInbound[] = [
  ...WHOLE,
  ...PROTOCOLS,
  ...TRANSPORTS,
  ...SECURITY,
  ...OPTIONS,
  ...MASKS,
];
