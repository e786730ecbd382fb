import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../contract/json.ts';
import { EXAMPLES, golden } from '../../testing/golden-links.ts';
import { linesOfBody, parseLink } from './parse-link.ts';

const PARSED = golden('parsed-links') as { id: string; link: string; outbound: JsonObject }[];
const RENDERED = EXAMPLES.flatMap(({ links }) => links);

test.each(PARSED)('$id', ({ link, outbound }) => {
  expect(parseLink(` ${link}\n`)).toEqual({ outbound });
});

test.each(RENDERED.filter((link) => !link.startsWith('hysteria://')))('reads what is rendered: %s', (link) => {
  expect(parseLink(link)).toHaveProperty('outbound.tag');
});

test.each([
  ['ftp://a@b:1', 'unsupported link scheme'],
  ['nothing', 'unsupported link scheme'],
  ['hysteria://a@b:1', 'unsupported link scheme'],
  ['vmess://not base64!', 'bad vmess link'],
  ['vmess://W10=', 'bad vmess link'],
  ['ss://YWVzOnB3@h:port', 'bad ss port'],
  ['ss://h:1', 'bad ss link'],
  ['vless://@h:1', 'bad vless link'],
  ['trojan://pw@', 'bad trojan link'],
  ['hy2://a@h:20000-', 'bad hysteria2 ports'],
  ['hy2://a@h:50000-20000', 'bad hysteria2 ports'],
  ['hy2://a@h:443,70000', 'bad hysteria2 ports'],
])('refuses %s', (link, error) => expect(parseLink(link)).toEqual({ error }));

describe('details', () => {
  const streamOf = (link: string): JsonObject => {
    const parsed = parseLink(link);
    if (!('outbound' in parsed)) throw new Error(parsed.error);
    return parsed.outbound.streamSettings ?? {};
  };

  test('QUIC numbers are adjusted so that the core starts', () => {
    const quic = {
      keepAlivePeriod: '90s',
      maxIdleTimeout: 1,
      maxIncomingStreams: '4',
      initStreamReceiveWindow: 'x',
      other: 'y',
    };
    const masks = encodeURIComponent(JSON.stringify({ quicParams: quic }));
    expect(streamOf(`vless://u@h:1?fm=${masks}`)['finalmask']).toEqual({
      quicParams: { keepAlivePeriod: 60, maxIdleTimeout: 4, maxIncomingStreams: 8, other: 'y' },
    });
  });

  test('a QUIC number of 0 stays: it leaves the choice to the core', () => {
    const quicParams = { keepAlivePeriod: 0, maxIdleTimeout: '0s', maxIncomingStreams: '0' };
    const masks = encodeURIComponent(JSON.stringify({ quicParams }));
    expect(streamOf(`vless://u@h:1?fm=${masks}`)['finalmask']).toEqual({
      quicParams: { keepAlivePeriod: 0, maxIdleTimeout: 0, maxIncomingStreams: 0 },
    });
  });

  test('an xhttp link: the alias, then extra, then own parameters win', () => {
    const extra = encodeURIComponent(
      '{"xPaddingBytes":"5-6","seqKey":"a","sessionKey":"old","__proto__":{"polluted":1}}',
    );
    expect(
      streamOf(`vless://u@h:1?type=xhttp&x_padding_bytes=1-2&extra=${extra}&seqKey=b&noGRPCHeader=1`),
    ).toMatchObject({
      xhttpSettings: { xPaddingBytes: '5-6', seqKey: 'b', sessionIDKey: 'old', noGRPCHeader: true, mode: 'auto' },
    });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test.each([
    ['splithttp', { network: 'xhttp', xhttpSettings: { path: '/p', host: 'h.example' } }],
    ['websocket', { network: 'ws', wsSettings: { path: '/p', host: 'h.example' } }],
    ['WS', { network: 'ws', wsSettings: { path: '/p', host: 'h.example' } }],
    ['raw', { network: 'tcp', tcpSettings: { header: { type: 'http', request: { path: ['/p'] } } } }],
    ['hysteria', { network: 'tcp' }],
  ])('the name %s of a transport is read as the core reads it', (type, streamSettings) => {
    const query = `type=${type}&path=%2Fp&host=h.example&headerType=http`;
    expect(parseLink(`trojan://pw@h:1?${query}`)).toMatchObject({ outbound: { streamSettings } });
    const members = { add: 'h', port: 1, id: 'x', net: type, type: 'http', path: '/p', host: 'h.example' };
    const vmess = `vmess://${Buffer.from(JSON.stringify(members)).toString('base64')}`;
    expect(parseLink(vmess)).toMatchObject({ outbound: { streamSettings } });
  });

  test('pins in base64 become hex, which alone the core reads', () => {
    const [pin, other] = [Buffer.alloc(32, 7), Buffer.alloc(32, 9)];
    const given = encodeURIComponent(`${pin.toString('base64')}, ${other.toString('hex').toUpperCase()}`);
    const tlsSettings = { pinnedPeerCertSha256: `${pin.toString('hex')},${other.toString('hex')}` };
    expect(streamOf(`vless://u@h:1?security=tls&pcs=${given}`)).toMatchObject({ tlsSettings });
    expect(streamOf(`hy2://u@h:1?pinSHA256=${given}`)).toMatchObject({ tlsSettings });
  });

  test('a Hysteria link keeps the ports to hop over, wherever it has them', () => {
    const hop = (link: string) => {
      const parsed = parseLink(link);
      if (!('outbound' in parsed)) throw new Error(parsed.error);
      return { settings: parsed.outbound.settings, finalmask: parsed.outbound.streamSettings?.['finalmask'] };
    };
    const over = (ports: string) => ({ quicParams: { udpHop: { ports, interval: '5-10' } } });
    for (const [link, port, ports] of [
      ['hy2://a@h:20000-50000', 20_000, '20000-50000'],
      ['hysteria2://a@[::1]:443,5000-6000/?sni=x', 443, '443,5000-6000'],
      ['hy2://a@h:443?mport=4000-4100', 443, '4000-4100'],
      ['hy2://a@h:443-444?mport=4000-4100', 443, '4000-4100'],
    ] as const)
      expect(hop(link)).toMatchObject({ settings: { port }, finalmask: over(ports) });
    expect(hop('hy2://a@h:x')).toMatchObject({ settings: { port: 443 }, finalmask: undefined });
    for (const link of ['hy2://a@h:1?mport=1000-', 'hy2://a@h:1?mport=0', 'hy2://a@h:1-70000', 'hy2://a@h:1?mport=x'])
      expect(parseLink(link)).toEqual({ error: 'bad hysteria2 ports' });
  });

  test('a WireGuard link without an address gets one of its own, not everything', () => {
    expect(parseLink('wg://a@h:1?publickey=b')).toMatchObject({
      outbound: { settings: { address: ['10.0.0.2/32'], peers: [{ allowedIPs: ['0.0.0.0/0', '::/0'] }] } },
    });
  });

  test('a vmess link with an invalid port is none, without a port it has 443', () => {
    const linkOf = (port?: unknown) => `vmess://${Buffer.from(JSON.stringify({ add: 'h', port })).toString('base64')}`;
    for (const port of [99_999, '99999', 0, -1, 1.5, 'x'])
      expect(parseLink(linkOf(port))).toEqual({ error: 'bad vmess link' });
    for (const port of [undefined, '', null])
      expect(parseLink(linkOf(port))).toMatchObject({ outbound: { settings: { vnext: [{ port: 443 }] } } });
    expect(parseLink(linkOf('8443'))).toMatchObject({ outbound: { settings: { vnext: [{ port: 8443 }] } } });
  });

  test('invalid ports fall back', () => {
    for (const port of ['', ':0', ':99999', ':x'])
      expect(parseLink(`vless://u@h${port}`)).toMatchObject({ outbound: { settings: { address: 'h', port: 443 } } });
  });

  test('shadowsocks 2022 keeps both keys, the oldest form is base64 as a whole, user info may be base64url', () => {
    expect(parseLink(`ss://${Buffer.from('aes-128-gcm:s?>~ÿ').toString('base64url')}@h:1`)).toMatchObject({
      outbound: { settings: { servers: [{ method: 'aes-128-gcm', password: 's?>~ÿ' }] } },
    });
    expect(parseLink('ss://2022-blake3-aes-128-gcm:a%3D%3D:b%3D%3D@h:1')).toMatchObject({
      outbound: { settings: { servers: [{ method: '2022-blake3-aes-128-gcm', password: 'a==:b==' }] } },
    });
    expect(parseLink(`ss://${Buffer.from('aes-128-gcm:p@w@h:1').toString('base64')}#n`)).toMatchObject({
      outbound: {
        tag: 'n',
        settings: { servers: [{ address: 'h', port: 1, method: 'aes-128-gcm', password: 'p@w' }] },
      },
    });
  });

  test('bodies of subscriptions', () => {
    const lines = ['vless://a@b:1', 'ss://c'];
    const plain = `# note\r\n${lines.join('\n\n')}\n`;
    expect(linesOfBody(plain)).toEqual(lines);
    expect(linesOfBody(Buffer.from(plain).toString('base64').replaceAll(/=+$/g, ''))).toEqual(lines);
    expect(linesOfBody(lines.join(String.raw`\n`))).toEqual(lines);
  });
});

test('no text makes it throw', () => {
  const schemes = ['vmess://', 'vless://', 'trojan://', 'ss://', 'hy2://', 'wg://', ''];
  const pieces = fc.constantFrom(
    '@',
    ':',
    '/',
    '?',
    '#',
    '&',
    '=',
    '%',
    '%ff',
    '[',
    ']',
    '{',
    '}',
    'fm=',
    'extra=',
    'type=xhttp',
    '+',
  );
  const body = fc
    .array(fc.oneof(fc.string({ unit: 'binary' }), pieces, fc.base64String()))
    .map((parts) => parts.join(''));
  const whole = fc.constantFrom(...PARSED.map(({ link }) => link), ...RENDERED);
  const damaged = fc
    .tuple(whole, fc.nat({ max: 300 }), body, fc.nat({ max: 8 }))
    .map(([link, at, text, cut]) => link.slice(0, at) + text + link.slice(at + cut));
  const foreign = fc.tuple(fc.constantFrom(...schemes), body).map(([scheme, text]) => scheme + text);
  fc.assert(
    fc.property(fc.oneof(foreign, damaged), (text) => {
      const parsed = parseLink(text);
      expect('outbound' in parsed ? typeof parsed.outbound.protocol : typeof parsed.error).toBe('string');
    }),
    { numRuns: 5_000 },
  );
});
