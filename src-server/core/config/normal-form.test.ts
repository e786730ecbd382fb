import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as base from '../../testing/core-config/base.ts';
import { BROKEN_INBOUNDS } from '../../testing/core-config/broken-inbounds.ts';
import { normaliseInbound } from './normal-form.ts';
import type { InboundDraft } from './inbound/inbound-draft.ts';
import type { JsonObject } from './source.ts';

const normal = (change: Partial<InboundDraft>) => normaliseInbound(base.draft(change));
const streamOf = (streamSettings: JsonObject) => normal({ streamSettings }).streamSettings;

describe('the normal form of settings', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['vless', {}, { decryption: 'none' }],
    ['vless', { decryption: '', fallbacks: [], mine: 1 }, { decryption: 'none', mine: 1 }],
    ['vless', { decryption: 'x', fallbacks: [{ dest: 1 }] }, { decryption: 'x', fallbacks: [{ dest: 1 }] }],
    ['trojan', { fallbacks: [] }, {}],
    ['hysteria2', { version: 1 }, { version: 2 }],
    ['mixed', { auth: 'noauth', accounts: [{ user: 'a', pass: 'b' }] }, { auth: 'noauth' }],
    [
      'tunnel',
      { address: 'a', port: 1, network: 'tcp' },
      { rewriteAddress: 'a', rewritePort: 1, allowedNetwork: 'tcp' },
    ],
    ['tunnel', { address: 'a', rewriteAddress: 'b' }, { rewriteAddress: 'a' }],
    ['tunnel', { address: '', rewriteAddress: 'b', rewritePort: null }, { rewriteAddress: 'b' }],
    ['tunnel', { rewritePort: 0, portMap: { 1: 'a:2' } }, { portMap: [{ name: '1', value: 'a:2' }] }],
    ['unknown', { a: 1 }, { a: 1 }],
  ])('of %s %j is %j', (protocol, settings, expected) => {
    expect(normal({ protocol, settings }).settings).toEqual(expected);
  });

  it('keeps clients where they are', () => {
    const clients = [{ email: 'a' }];
    expect(normal({ settings: { clients } }).settings).toEqual({ clients, decryption: 'none' });
  });
});

describe('the normal form of a stream', () => {
  it.each<[string, JsonObject, JsonObject | null]>([
    [
      'method before network',
      { network: 'ws', method: 'grpc', wsSettings: {}, grpcSettings: { serviceName: 'g' } },
      { network: 'grpc', grpcSettings: { serviceName: 'g' } },
    ],
    ['an empty method', { network: 'ws', method: '' }, { network: 'ws' }],
    ['an empty network', { network: '', security: '' }, null],
    [
      'other spellings',
      { network: 'RAW', rawSettings: { acceptProxyProtocol: true }, tcpSettings: {} },
      { network: 'tcp', tcpSettings: { acceptProxyProtocol: true } },
    ],
    [
      'splithttp',
      { network: 'splithttp', splithttpSettings: { path: '/x' } },
      { network: 'xhttp', xhttpSettings: { path: '/x' } },
    ],
    [
      'blocks of other transports',
      { network: 'ws', wsSettings: { path: '/' }, kcpSettings: { seed: 'a' }, tcpSettings: {} },
      { network: 'ws', wsSettings: { path: '/' } },
    ],
    [
      'blocks of other securities',
      { network: 'tcp', security: 'none', tlsSettings: {}, realitySettings: {} },
      { network: 'tcp', security: 'none' },
    ],
    [
      'unknown members',
      { network: 'tcp', future: 1, externalProxy: [{ dest: 'a' }] },
      { network: 'tcp', future: 1, externalProxy: [{ dest: 'a' }] },
    ],
    ['an unknown network', { network: 'foo', fooSettings: 1 }, { network: 'foo', fooSettings: 1 }],
    ['an empty finalmask', { network: 'tcp', finalmask: { tcp: [], udp: [], quicParams: {} } }, { network: 'tcp' }],
    [
      'a half empty finalmask',
      { network: 'kcp', finalmask: { tcp: [], udp: [{ type: 'sudoku' }] } },
      { network: 'kcp', finalmask: { udp: [{ type: 'sudoku' }] } },
    ],
    [
      'capitals',
      { network: 'TCP', security: 'NONE', tcpSettings: { header: { type: 'HTTP', request: {} } } },
      { network: 'tcp', security: 'none', tcpSettings: { header: { type: 'http', request: {} } } },
    ],
    ['an empty sockopt', { network: 'tcp', sockopt: {} }, { network: 'tcp' }],
    ['nothing', {}, null],
  ])('of %s', (_, stored, expected) => {
    expect(streamOf(stored)).toEqual(expected);
  });

  it('moves dest to target, unless there is a target', () => {
    const settingsOf = (change: JsonObject) =>
      streamOf({ security: 'reality', realitySettings: change })?.['realitySettings'];
    expect(settingsOf({ dest: 'a:1' })).toEqual({ target: 'a:1' });
    expect(settingsOf({ dest: 'a:1', target: '' })).toEqual({ target: 'a:1' });
    expect(settingsOf({ dest: 'a:1', target: 'b:2' })).toEqual({ target: 'b:2' });
  });

  it('keeps the client-side members, which links need', () => {
    const tls = { security: 'tls', tlsSettings: { settings: { fingerprint: 'chrome' }, echSockopt: {} } };
    expect(streamOf(tls)).toEqual({ security: 'tls', tlsSettings: { settings: { fingerprint: 'chrome' } } });
    const xhttp = { network: 'xhttp', xhttpSettings: { xmux: { maxConnections: 1 }, noGRPCHeader: true } };
    expect(streamOf(xhttp)).toEqual(xhttp);
  });

  it.each(['http', 'mixed', 'tun'])('of %s does not exist', (protocol) => {
    expect(normal({ protocol, streamSettings: { network: 'tcp' } }).streamSettings).toBeNull();
  });

  it.each([
    ['socks', 'mixed'],
    ['dokodemo-door', 'tunnel'],
    ['VLESS', 'vless'],
    ['hysteria2', 'hysteria2'],
    ['foo', 'foo'],
  ])('calls %s %s', (stored, expected) => {
    expect(normal({ protocol: stored }).protocol).toBe(expected);
  });
});

describe('the normal form of sniffing', () => {
  it.each<[JsonObject | null, JsonObject | null]>([
    [null, null],
    [{}, { enabled: false }],
    [{ enabled: false, destOverride: ['http'], routeOnly: true }, { enabled: false }],
    [{ enabled: true }, { enabled: true, destOverride: ['http', 'tls', 'quic', 'fakedns'] }],
    [
      { enabled: true, destOverride: [] },
      { enabled: true, destOverride: [] },
    ],
    [
      { enabled: true, destOverride: 'HTTP,ssl,https', routeOnly: false },
      { enabled: true, destOverride: ['http', 'tls'] },
    ],
    [
      { enabled: true, destOverride: ['http'], ipsExcluded: [], domainsExcluded: 'a,b', metadataOnly: true, future: 1 },
      { enabled: true, destOverride: ['http'], metadataOnly: true, domainsExcluded: ['a', 'b'], future: 1 },
    ],
  ])('of %j is %j', (stored, expected) => {
    expect(normal({ sniffing: stored }).sniffing).toEqual(expected);
  });
});

it('changes nothing when applied twice', () => {
  for (const { inbound } of BROKEN_INBOUNDS) {
    const once = normaliseInbound(inbound);
    expect(normaliseInbound(once)).toEqual(once);
  }
  const object = fc.dictionary(
    fc.constantFrom(
      'network',
      'method',
      'security',
      'finalmask',
      'kcpSettings',
      'rawSettings',
      'xhttpSettings',
      'header',
      'seed',
    ),
    fc.jsonValue({ maxDepth: 3 }),
  ) as fc.Arbitrary<JsonObject>;
  fc.assert(
    fc.property(
      fc.constantFrom('vless', 'tunnel', 'mixed', 'hysteria'),
      object,
      object,
      (protocol, settings, streamSettings) => {
        const once = normal({ protocol, settings, streamSettings });
        expect(normaliseInbound(once)).toEqual(once);
      },
    ),
  );
});

it('keeps members of the draft it does not know', () => {
  expect(normaliseInbound({ ...base.draft(), remark: 'x', id: 7 })).toMatchObject({ remark: 'x', id: 7 });
});
