import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseLink } from '../../links/parse/parse-link.ts';
import { forAllTests } from '../../testing/for-each-test.ts';
import { ProxyDocument } from '../../testing/proxy-document.ts';
import { startSubPanel } from '../../testing/panels/sub-panel.ts';

/** Markup, line ends, direction marks, YAML specials, template braces, NUL. */
const NASTY = `</code></style><script>alert(1)</script>"'&\r\nSet-Cookie: x=1\r\n\u2028\u202e- !!js &a *b: |{{EMAIL}}{{X}} {EMAIL} %0d%0a #?@\u0000\ud800`;
const LONG = `<b>${'🟥"'.repeat(1_500)}`;
/** The same where the panel saves one line without control characters. */
const ONE_LINE = NASTY.replaceAll(/\p{Cc}/gu, '').toWellFormed();

const panel = forAllTests(() => startSubPanel(1_800_000_000_000));
beforeAll(async () => {
  await panel.set({ subEncrypt: false, subJsonEnable: true, subYamlEnable: true });
  const inbound = async (protocol: string, port: number, settings: object, streamSettings: object | null) =>
    panel.inbound({ protocol, port, settings, streamSettings });
  const ids = [
    await inbound('vless', 8443, { decryption: 'none', encryption: 'none' }, { network: 'ws', wsSettings: {} }),
    await inbound('vmess', 8444, {}, { network: 'tcp' }),
    await inbound('trojan', 8445, {}, { network: 'grpc', grpcSettings: {} }),
    await inbound('vless', 8446, { decryption: 'none', encryption: 'none' }, { network: 'xhttp', xhttpSettings: {} }),
  ];
  await panel.add({ email: 'ann', subId: 's1' }, ids);
  await panel.done('/hosts/add', { inboundId: ids[0], remark: 'h', address: 'h.example', security: 'tls' });
});

/** A list that is neither Base64 nor a server leaves the entry out of YAML. */
const echOf = (text: string): string => (text === '' ? '' : `${text}+https://dns.example`);

/** Writes a text into every column that accepts it, past every check. */
function store(text: string): void {
  const stream = (network: string, settings: object) => ({
    network,
    security: 'tls',
    [`${network}Settings`]: settings,
    tlsSettings: { serverName: text, alpn: [text], settings: { fingerprint: text, echConfigList: echOf(text) } },
  });
  const headers = { Host: text, ...(text !== '' && { [text]: text }) };
  const streams = [
    stream('ws', { path: text, headers }),
    stream('tcp', { header: { type: 'http', request: { path: [text], headers: { Host: [text] } } } }),
    stream('grpc', { serviceName: text, authority: text }),
    stream('xhttp', {
      path: text,
      mode: 'auto',
      headers,
      xPaddingBytes: text,
      sessionKey: text,
      xmux: { [text]: text },
    }),
  ];
  for (const [at, value] of streams.entries())
    panel.write('UPDATE inbounds SET streamSettings = ? WHERE id = ?', JSON.stringify(value), at + 1);
  panel.write('UPDATE inbounds SET remark = ?', text);
  panel.write(
    'UPDATE clients SET comment = ?, password = ?, auth = ?, security = ?, email = ?',
    ...Array<string>(5).fill(text),
  );
  panel.write('UPDATE clientInbounds SET flowOverride = ?', text);
  const content = {
    remark: 'h',
    hostHeader: text,
    path: text,
    sni: text,
    fingerprint: text,
    echConfigList: echOf(text),
  };
  panel.write('UPDATE hosts SET content = ?', JSON.stringify({ ...content, security: 'tls' }));
}

/** Reads everything that the subscription server shows of it. */
async function expectSound({ links: linkCount, proxies }: { links: number; proxies: number }): Promise<void> {
  const bodies = { raw: '', json: '', yaml: '' };
  for (const [format, path] of [
    ['raw', '/sub/s1'],
    ['json', '/json/s1'],
    ['yaml', '/yaml/s1'],
  ] as const) {
    const response = await panel.fetchSub(path);
    expect([format, response.status, response.headers.get('set-cookie')]).toEqual([format, 200, null]);
    for (const [, value] of response.headers) expect(value).toMatch(/^[\u0020-\u007e]*$/);
    bodies[format] = await response.text();
  }

  const links = bodies.raw.split('\n');
  expect(links.pop()).toBe('');
  expect(links).toHaveLength(linkCount);
  for (const link of links) {
    expect(link).toMatch(/^(vless|vmess|trojan):\/\/[\u0021-\u007e]+$/);
    expect(parseLink(link)).not.toHaveProperty('error');
  }
  const configs = JSON.parse(bodies.json) as { outbounds: { tag: string }[] }[];
  expect(configs.map(({ outbounds }) => outbounds.map(({ tag }) => tag))).toEqual(
    Array.from({ length: linkCount }, () => ['proxy', 'direct', 'block']),
  );
  for (const version of ['1.1', '1.2'] as const) {
    const read: unknown = parse(bodies.yaml, { version, strict: true, maxAliasCount: 0 });
    const document = ProxyDocument.parse(read);
    expect(document.proxies).toHaveLength(proxies);
  }

  const page = await panel.fetchSub('/sub/s1', { accept: 'text/html' });
  expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null]);
  const html = await page.text();
  expect(Buffer.byteLength(html)).toBeLessThan(30_000);
  // Its own script comes last and contains no foreign text.
  const markup = html
    .replace(/<script>.*?<\/script>(?=<\/body>)/s, '')
    .replaceAll(/<img class="qr" alt="QR" width="\d+" height="\d+" src="data:image\/png;base64,[\w+/=]+">/g, '');
  expect(markup).not.toMatch(/<script|<b>🟥|\son\w+=|"javascript:|<img|<iframe/i);
  expect(html.match(/<style>/g)).toHaveLength(1);
  expect(markup).toMatch(/<\/main><\/body><\/html>$/);
  const info = (await (await panel.fetchSub('/sub/s1?format=info')).json()) as { sId: string };
  expect(info.sId).toBe('s1');
}

const ALL = { links: 4, proxies: 3 };

test.each([
  ['nasty', NASTY, ALL],
  ['very long', LONG, ALL],
  // Without a password there is no Trojan entry.
  ['empty', '', { links: 3, proxies: 2 }],
])('%s text in every field of clients, inbounds and hosts', async (_, text, expected) => {
  store(text);
  await expectSound(expected);
  await panel.set({ remarkTemplate: '{{INBOUND}}{{EMAIL}}{{COMMENT}}{{HOST}}|{{TRAFFIC_LEFT}}' });
  await expectSound(expected);
  await panel.set({ remarkTemplate: '' });
});

test('hostile text in every setting', async () => {
  store('x');
  const lines = ['subTitle', 'remarkTemplate'] as const;
  const texts = ['subAnnounce', 'subRoutingRules'] as const;
  for (const field of lines) await panel.set({ [field]: ONE_LINE.slice(0, 512) });
  const saved = NASTY.replaceAll(/[\0\ud800]/g, '');
  for (const field of texts) await panel.set({ [field]: saved });
  await panel.set({ subYamlRules: `- ${JSON.stringify(saved)}\n- MATCH,PROXY` });
  await panel.set({
    subEnableRouting: true,
    subYamlEnableRouting: true,
    subSupportUrl: `https://x.example/"'<b>${'ü'.repeat(50)}`,
  });
  await expectSound(ALL);
  await expect(panel.set({ subPageColor: 'red;}' })).rejects.toThrow(/subPageColor/);
  for (const wrong of ['data:image/svg+xml;base64,AAAA', 'https://x.example/a.png', 'data:image/png;base64,A"><b>'])
    await expect(panel.set({ subPagePicture: wrong })).rejects.toThrow(/subPagePicture/);
  await expect(panel.set({ subTitle: 'a\r\nSet-Cookie: x=1' })).rejects.toThrow(/subTitle/);
  // Without a known scheme it counts as a name, so it cannot become a script URL.
  await panel.set({ subSupportUrl: 'javascript:alert(1)' });
  await expectSound(ALL);
});
