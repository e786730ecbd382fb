import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../contract/json.ts';
import { difference } from '../../core/apply/diff.ts';
import { snapshotOf } from '../../core/apply/snapshot.ts';
import { buildCoreConfig } from '../../core/config/core-config.ts';
import { defaultTemplate } from '../../core/config/template/default-template.ts';
import { parseTemplate } from '../../core/config/template/template-rules.ts';
import { linesOfBody, parseLink } from '../../links/parse/parse-link.ts';

/** Mistakes that panels of this kind have made with core settings, each with the number it has in the specification. */
describe('13.10: a change of the running config', () => {
  const inbound = (clients: JsonObject[], security = 'reality', port = 443): JsonObject => ({
    tag: 'in',
    listen: '0.0.0.0',
    port,
    protocol: 'vless',
    settings: { decryption: 'none', clients },
    streamSettings: { network: 'tcp', security, realitySettings: { shortIds: ['ab'] } },
  });
  const user = (email: string): JsonObject => ({ email, id: email });
  const [direct, second, third] = ['direct', 'second', 'third'].map((tag): JsonObject => ({
    tag,
    protocol: 'freedom',
  }));
  const config = (more: JsonObject = {}): JsonObject => ({
    log: { loglevel: 'warning' },
    inbounds: [inbound([user('a')])],
    outbounds: [direct!, second!, third!],
    routing: { rules: [{ port: 1, outboundTag: 'second' }] },
    ...more,
  });
  const verdict = async (next: JsonObject): Promise<string> => {
    const found = await difference(await snapshotOf(config()), next, await snapshotOf(next));
    return found.kind === 'live' ? `live: ${found.change.users.map(({ tag }) => tag).join()}` : found.kind;
  };

  it.each<[string, JsonObject, string]>([
    [
      'written in another way is none',
      { routing: { rules: [{ outboundTag: 'second', balancerTag: null, port: 1 }] }, dns: null },
      'none',
    ],
    ['of the order of later outbounds is none', { outbounds: [direct!, third!, second!] }, 'none'],
    [
      'of the first outbound is a restart',
      { outbounds: [{ ...direct, protocol: 'blackhole' }, second!, third!] },
      'restart',
    ],
    ['of clients of a REALITY inbound alone is live', { inbounds: [inbound([user('a'), user('b')])] }, 'live: in'],
    ['of the stream of a REALITY inbound is a restart', { inbounds: [inbound([user('a')], 'none')] }, 'restart'],
    [
      'that brings an outbound without a tag is a restart',
      { outbounds: [direct!, second!, { protocol: 'freedom' }] },
      'restart',
    ],
  ])('%s', async (_name, change, wanted) => {
    expect(await verdict(config(change))).toBe(wanted);
  });
});

describe('13.11: the way to the API', () => {
  const toApi = { type: 'field', inboundTag: ['api'], outboundTag: 'api' };
  const catchAll = { type: 'field', network: 'tcp,udp', outboundTag: 'direct' };
  const built = (rules: JsonObject[]): JsonObject => {
    const template = { ...defaultTemplate(), routing: { domainStrategy: 'AsIs', rules } };
    const source = { template, inbounds: [], subscribedOutbounds: { prepend: [], append: [] } };
    return buildCoreConfig(source, { apiListen: '/run/core.sock', logFolder: '' }).config;
  };

  it.each<[string, JsonObject[], JsonObject[]]>([
    ['the first rule', [toApi, catchAll], [catchAll]],
    ['a rule in the middle', [catchAll, toApi, catchAll], [catchAll, catchAll]],
    ['a rule with one inbound as a text', [catchAll, { ...toApi, inboundTag: 'api' }], [catchAll]],
    ['no rule at all', [catchAll], [catchAll]],
  ])('does not depend on routing: %s', (_name, rules, left) => {
    const config = built(rules);
    expect(config['api']).toMatchObject({ listen: '/run/core.sock' });
    expect(config['routing']).toMatchObject({ rules: left });
    expect(config['inbounds']).toEqual([]);
  });

  it('a template that is no JSON is told apart and never rewritten', () => {
    for (const text of ['{"outbounds":[', '', '[]']) expect(parseTemplate(text)).toBeNull();
  });
});

describe('13.13: share links', () => {
  const outboundOf = (link: string): JsonObject => {
    const result = parseLink(link);
    if ('error' in result) throw new Error(result.error);
    return { ...result.outbound };
  };
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const server = (password: string, method = 'aes-128-gcm'): JsonObject => ({
    settings: { servers: [{ address: 'a.example', port: 8388, password, method }] },
  });

  it('shadowsocks as SIP002 with a plugin and a slash', () => {
    const link = `ss://${base64('aes-128-gcm:secret')}@a.example:8388/?plugin=obfs-local%3Bobfs%3Dhttp#A%20B`;
    expect(outboundOf(link)).toMatchObject({ tag: 'A B', ...server('secret') });
  });

  it('shadowsocks with base64url user info', () => {
    const userInfo = Buffer.from('aes-128-gcm:s?>~ÿ').toString('base64url');
    expect(outboundOf(`ss://${userInfo}@a.example:8388#x`)).toMatchObject(server('s?>~ÿ'));
  });

  it('shadowsocks 2022 with percent-encoded keys', () => {
    const [method, keys] = ['2022-blake3-aes-128-gcm', 'YWJjZGVmZ2hpamtsbW5vcA==:cXJzdHV2d3h5ejAxMjM0NQ=='];
    expect(outboundOf(`ss://${method}:${encodeURIComponent(keys)}@a.example:8388#x`)).toMatchObject(
      server(keys, method),
    );
  });

  it('shadowsocks with a port that is none', () => {
    expect(parseLink(`ss://${base64('aes-128-gcm:secret')}@a.example:eighty#x`)).toEqual({ error: 'bad ss port' });
  });

  it('vmess with the port as a text', () => {
    const link = `vmess://${base64(JSON.stringify({ ps: 'v', add: 'a.example', port: '443', id: 'x', net: 'ws' }))}`;
    expect(outboundOf(link)).toMatchObject({ settings: { vnext: [{ address: 'a.example', port: 443 }] } });
  });

  it('xhttp with extra', () => {
    const extra = encodeURIComponent(JSON.stringify({ xPaddingBytes: '1-2', scMaxEachPostBytes: 5 }));
    expect(outboundOf(`vless://id@a.example:443?type=xhttp&path=/p&extra=${extra}`)).toMatchObject({
      streamSettings: { xhttpSettings: { path: '/p', xPaddingBytes: '1-2', scMaxEachPostBytes: 5 } },
    });
  });

  it('numbers of QUIC in fm', () => {
    const quicParams = {
      keepAlivePeriod: '1s',
      maxIdleTimeout: 1000,
      maxIncomingStreams: 1,
      initStreamReceiveWindow: -1,
    };
    const fm = encodeURIComponent(JSON.stringify({ quicParams }));
    expect(outboundOf(`hysteria2://auth@a.example:443?fm=${fm}`)).toMatchObject({
      streamSettings: { finalmask: { quicParams: { keepAlivePeriod: 2, maxIdleTimeout: 120, maxIncomingStreams: 8 } } },
    });
  });

  it('in a body, one a line', () => {
    expect(linesOfBody(base64('a://1\r\n\r\n# note\nb://2\\nc://3'))).toEqual(['a://1', 'b://2', 'c://3']);
  });
});
