import { describe, expect, it } from 'vitest';
import { MAX_ENTRIES, parseBody } from './parse-body.ts';
import { parseInThread } from './parse-in-thread.ts';
import { safeOutbound } from './safe-outbound.ts';

const TROJAN = 'trojan://pw@a.example:443?sni=a.example#Tokyo%201';
const SS = 'ss://YWVzLTEyOC1nY206c2VjcmV0@b.example:8388#B';

describe('bodies', () => {
  it.each([
    ['lines', `# a list\r\n\r\n${TROJAN}\r\nsome words\n${SS}\n`],
    ['one line with written line ends', `${TROJAN}\\n${SS}`],
    ['base64', Buffer.from(`${TROJAN}\n${SS}`).toString('base64')],
    [
      'base64url without padding, wrapped',
      Buffer.from(`${TROJAN}\n${SS}`)
        .toString('base64url')
        .replace(/(.{20})/g, '$1\n'),
    ],
    ['a JSON list of links', JSON.stringify([TROJAN, SS])],
  ])('%s', (_name, body) => {
    const { entries, leftOut } = parseBody(body);
    expect(entries.map(({ name, outbound }) => [name, outbound['protocol']])).toEqual([
      ['Tokyo 1', 'trojan'],
      ['B', 'shadowsocks'],
    ]);
    expect(leftOut).toEqual([]);
  });

  it('JSON: an outbound, a list of them, and complete configs of apps', () => {
    const server = { tag: 'proxy', protocol: 'VLESS', settings: { address: 'a.example', port: 443, id: 'x' } };
    const rest = [
      { tag: 'direct', protocol: 'freedom' },
      { tag: 'block', protocol: 'blackhole' },
    ];
    const names = (body: unknown): string[] => parseBody(JSON.stringify(body)).entries.map(({ name }) => name);
    expect(names(server)).toEqual(['proxy']);
    expect(names([server, { ...server, tag: 'two' }])).toEqual(['proxy', 'two']);
    expect(names({ outbounds: [server, ...rest] })).toEqual(['proxy']);
    expect(names([{ remarks: 'Tokyo', outbounds: [server, ...rest] }, { outbounds: [server] }])).toEqual([
      'Tokyo',
      'proxy',
    ]);
    expect(parseBody(JSON.stringify(server)).entries[0]?.outbound['protocol']).toBe('vless');
  });

  it('lists entries that look like servers but cannot be used, and ignores the rest', () => {
    const { entries, leftOut } = parseBody(`<html>\n${TROJAN}\ntuic://x@y:1#T\nss://?@:#bad`);
    expect(entries).toHaveLength(1);
    expect(leftOut).toEqual([
      { tag: 'tuic', reason: 'unsupported link scheme' },
      { tag: 'ss', reason: expect.any(String) },
    ]);
    expect(parseBody(JSON.stringify([{ tag: 'a', type: 'vless' }])).leftOut).toEqual([
      { tag: 'a', reason: 'it names no protocol' },
    ]);
  });

  it('identity covers everything but the name; copies are numbered', () => {
    const [first, renamed, copy, other] = parseBody(
      [TROJAN, TROJAN.replace('Tokyo%201', 'Osaka'), TROJAN, TROJAN.replace('pw@', 'pw2@')].join('\n'),
    ).entries.map(({ identity }) => identity);
    expect(renamed).toBe(`${first}#2`);
    expect(copy).toBe(`${first}#3`);
    expect(other).not.toContain(first);
    const reordered = parseBody(
      'trojan://pw@a.example:443?fp=chrome&sni=s#x\ntrojan://pw@a.example:443?sni=s&fp=chrome#y',
    );
    expect(reordered.entries[1]?.identity).toBe(`${reordered.entries[0]?.identity}#2`);
  });

  it('takes a limited number of entries and reports it', () => {
    const body = Array.from({ length: MAX_ENTRIES + 3 }, (_, at) => TROJAN.replace('pw@', `pw${at}@`)).join('\n');
    const { entries, leftOut } = parseBody(body);
    expect(entries).toHaveLength(MAX_ENTRIES);
    expect(leftOut).toHaveLength(3);
    expect(leftOut[0]?.reason).toBe('only 1000 entries are used');
  });

  it('hostile JSON is dropped, not followed', () => {
    const deep = `[{"tag":"d","protocol":"vless","settings":${'{"a":'.repeat(100)}1${'}'.repeat(100)}}]`;
    expect(parseBody(deep)).toMatchObject({ entries: [], leftOut: [{ tag: 'd' }] });
    expect(parseBody('[{"tag":"p","protocol":"vless","__proto__":{"x":1}}]').entries).toEqual([]);
  });
});

it('a worker thread yields the same', async () => {
  const body = `${TROJAN}\n${SS}\ntuic://x@y:1`;
  expect(await parseInThread(Buffer.from(body))).toEqual(parseBody(body));
});

describe('what a provider may not include', () => {
  it.each(['freedom', 'blackhole', 'dns', 'loopback', 'Freedom', ''])('an outbound of kind %j', (protocol) => {
    expect(safeOutbound({ protocol, settings: {} })).toHaveProperty('problem');
  });

  it.each([
    'masterKeyLog',
    'MASTERKEYLOG',
    'masterKeyLog'.replace('s', 'ſ'),
    'masterKeyLog'.replace('K', '\u212A'),
    'certificates',
    'sockopt',
    'echSockopt',
    'reverse',
  ])('the member %s at any depth', (key) => {
    const hidden = { [key]: { tag: 'in', certificateFile: '/etc/shadow' } };
    const safe = safeOutbound({
      protocol: 'vless',
      sendThrough: '127.0.0.1',
      proxySettings: { tag: 'direct' },
      settings: { vnext: [{ users: [{ id: 'x', ...hidden }] }], ...hidden },
      streamSettings: {
        ...hidden,
        tlsSettings: { serverName: 'a', ...hidden },
        xhttpSettings: { downloadSettings: { tlsSettings: hidden } },
      },
    });
    expect(safe).toEqual({
      outbound: {
        protocol: 'vless',
        settings: { vnext: [{ users: [{ id: 'x' }] }] },
        streamSettings: { tlsSettings: { serverName: 'a' }, xhttpSettings: { downloadSettings: { tlsSettings: {} } } },
      },
    });
  });

  it("a member hidden in a link's parameter", () => {
    const extra = encodeURIComponent(JSON.stringify({ downloadSettings: { tlsSettings: { masterKeyLog: '/tmp/x' } } }));
    const { entries } = parseBody(`vless://id@a.example:443?type=xhttp&security=tls&extra=${extra}#x`);
    expect(JSON.stringify(entries)).not.toContain('masterKeyLog');
    expect(JSON.stringify(entries)).toContain('downloadSettings');
  });

  it('a kernel device', () => {
    expect(safeOutbound({ protocol: 'wireguard', settings: { noKernelTun: false } })).toEqual({
      outbound: { protocol: 'wireguard', settings: { noKernelTun: true } },
    });
  });
});
