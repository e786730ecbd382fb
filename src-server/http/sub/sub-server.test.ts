import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Settings } from '../../domains/settings/contract.ts';
import { forEachTest } from '../../testing/for-each-test.ts';
import { startClientPanel, GIB } from '../../testing/panels/client-panel.ts';
import { parseLink } from '../../links/parse/parse-link.ts';
import { sendRaw } from '../../testing/peers/raw-request.ts';
import { makeSelfSigned } from '../../testing/peers/self-signed.ts';

const MIB = 1024 * 1024;

let origin: string;

const panel = forEachTest(startClientPanel);
beforeEach(async () => {
  origin = panel.app.sub;
  panel.parts.engine.traffic.onlineEverywhere = () => new Set(['nina']);
  use({
    trustedProxyCIDRs: '',
    subTitle: 'Nord {{SUB_ID}} {{NOPE}}',
    subUpdates: 12,
    subEncrypt: false,
    subYamlEnable: true,
    remarkTemplate: '',
    subSupportUrl: 'https://t.example/?u={{EMAIL}}',
  });
  const inboundId = await panel.inbound();
  await panel.add({ email: 'nina', subId: 'k3v9', totalGB: 20 * GIB, expiryTime: 1_800_781_300_000 }, [inboundId]);
  await panel.setState('nina', { upBytes: 2 * GIB, downBytes: 3 * GIB, lastOnlineAtMs: 1_799_990_000_000 });
});

/** Changes settings directly, even to values that a save would refuse. */
const use = (changes: Partial<Settings>): void => panel.parts.base.settings.override(changes);
const request = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(origin + path, { method, headers, redirect: 'manual' });
/** When an app last fetched the subscription. */
async function fetchedAtMs(): Promise<number> {
  await panel.advance(5_000);
  return (await panel.stored('nina'))!.lastSubFetchAtMs;
}

const BARE = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

describe('whatever the request', () => {
  test('every response forbids sniffing, framing, referrers and active content', async () => {
    for (const path of ['/', '/sub/', '/sub/nobody', '/sub/k3v9', '/yaml/k3v9', '/sub/k3v9?format=info'])
      expect(Object.fromEntries((await request(path)).headers), path).toMatchObject(BARE);
    use({ subDomain: 's.example' });
    const refused = await request('/sub/k3v9');
    expect([refused.status, Object.fromEntries(refused.headers)]).toEqual([403, expect.objectContaining(BARE)]);
  });

  test('the longest matching path decides the format', async () => {
    use({ subPath: '/', subJsonEnable: true, subJsonPath: '/s/json/', subYamlPath: '/s/' });
    const bodies = await Promise.all(
      ['/k3v9', '/s/json/k3v9', '/s/k3v9'].map(async (path) => (await request(path)).text()),
    );
    expect(bodies.map((body) => body.slice(0, 8))).toEqual(['vless://', '[\n  {\n  ', 'proxies:']);
    use({ subYamlEnable: false });
    expect((await request('/s/k3v9')).status).toBe(404);
  });

  test.each([
    ['- A,a,DIRECT\n- "B,b,DIRECT\n- C,c,DIRECT', ['- A,a,DIRECT', '- "B,b,DIRECT', '- C,c,DIRECT', 'MATCH,PROXY']],
    ['# note\n[A,a,DIRECT\n B,b,DIRECT', ['[A,a,DIRECT', 'B,b,DIRECT', 'MATCH,PROXY']],
    ['&a [*a]', ['&a [*a]', 'MATCH,PROXY']],
    ['x: &x [A,a]\nrules: [&r "B,b,DIRECT", *r]', ['B,b,DIRECT', 'B,b,DIRECT', 'MATCH,PROXY']],
  ])('rules that cannot be read as YAML are taken line by line: %j', async (subYamlRules, rules) => {
    use({ subYamlEnableRouting: true, subYamlRules });
    expect(parse(await (await request('/yaml/k3v9')).text())).toMatchObject({ rules });
  });

  test('a large body is refused at its headers', async () => {
    const lines = ['POST /sub/k3v9 HTTP/1.1', 'Host: s.example', 'Content-Length: 104857600'];
    const { text, sentBytes, isEnded } = await sendRaw(origin, lines, 100 * MIB);
    expect(text).toMatch(/^HTTP\/1\.1 404 Not Found\r\n.*Connection: close/s);
    expect([isEnded, sentBytes < 10 * MIB]).toEqual([true, true]);
    const expecting = await sendRaw(origin, [...lines, 'Expect: 100-continue']);
    expect(expecting.text).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
  });

  test('a request that names two hosts is malformed', async () => {
    const lines = ['GET /sub/k3v9 HTTP/1.1', 'Host: s.example', 'Host: t.example'];
    expect((await sendRaw(origin, lines)).text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });
});

describe('the info view', () => {
  test('shows what the subscriber may know', async () => {
    const response = await request('/sub/k3v9?format=INFO', { 'x-forwarded-host': 's.example', accept: 'text/html' });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-store, must-revalidate');
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(await response.json()).toEqual({
      sId: 'k3v9',
      enabled: true,
      isOnline: true,
      download: '3.00GB',
      upload: '2.00GB',
      total: '20.00GB',
      used: '5.00GB',
      remained: '15.00GB',
      expire: 1_800_781_300,
      lastOnline: 1_799_990_000_000,
      downloadByte: 3 * GIB,
      uploadByte: 2 * GIB,
      totalByte: 20 * GIB,
      subUrl: `http://s.example:${new URL(origin).port}/sub/k3v9`,
      subJsonUrl: '',
      subYamlUrl: `http://s.example:${new URL(origin).port}/yaml/k3v9`,
      subTitle: 'Nord k3v9 {{NOPE}}',
      subSupportUrl: 'https://t.example/?u=nina',
      emails: ['nina'],
      datepicker: 'gregorian',
      announce: '',
    });
  });

  test('a client sees whether anything limits it', async () => {
    const status = async () => /class="tag on">([^<·]*?) ·/.exec(await (await request('/sub/k3v9?html=1')).text())?.[1];
    expect(await status()).toBe('Active');
    await panel.setState('nina', { expiresAtMs: 0 });
    expect(await status()).toBe('Active');
    // Replaces: what is left out is no limit.
    await panel.done('/clients/update/nina', { email: 'nina' });
    expect(await status()).toBe('Unlimited');
  });

  test('a switched-off client still sees why', async () => {
    await panel.setState('nina', { enable: 0, disabledBy: 'loop' });
    expect(await (await request('/sub/k3v9?format=info')).json()).toMatchObject({ enabled: false });
    const status = async () =>
      /class="tag off">([^<·]*?) ·/.exec(await (await request('/sub/k3v9?html=1')).text())?.[1];
    expect(await status()).toBe('Inactive');
    await panel.setState('nina', { upBytes: 21 * GIB });
    expect(await status()).toBe('Data used up');
    await panel.setState('nina', { expiresAtMs: 1_000 });
    expect(await status()).toBe('Expired');
  });
});

describe('the page', () => {
  test('is small and loads nothing from elsewhere; its one script only adds the buttons that copy', async () => {
    const response = await request('/sub/k3v9', { accept: 'text/html' });
    const html = await response.text();
    expect(Buffer.byteLength(html)).toBeLessThan(20_000);
    expect(html).not.toMatch(/<link|@import|url\(|src="(?!data:image\/png;base64,[\w+/=]+")/i);
    const [script = '', ...others] = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text]) => text!);
    expect([others, script.length > 0, script.length < 1_000]).toEqual([[], true, true]);
    const scriptHash = createHash('sha256').update(script).digest('base64');
    expect(response.headers.get('content-security-policy')).toContain(`; script-src 'sha256-${scriptHash}'; `);
    expect(html).toContain('<button type="button" hidden data-done="Copied">Copy</button>');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/);
    expect(html).toContain('15.00\u{a0}GB');
    const head = await request('/sub/k3v9', { accept: 'text/html' }, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(Buffer.byteLength(html)),
      '',
    ]);
  });

  test.each([
    ['fa', 'rtl', 'اشتراک'],
    ['ru', 'ltr', 'Подписка'],
    ['zh-CN,en', 'ltr', '订阅'],
    ['xx', 'ltr', 'Subscription'],
  ])('speaks %s', async (language, direction, word) => {
    use({ subTitle: '' });
    const html = await (await request('/sub/k3v9?html=1', { 'accept-language': language })).text();
    expect(html).toContain(`dir="${direction}"`);
    expect(html).toContain(`<title>${word}</title>`);
  });

  test('the apps of this device come first, the others are one link away', async () => {
    const agent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)';
    const own = await (await request('/sub/k3v9?html=1', { 'user-agent': agent })).text();
    expect(own).toContain('streisand://import/http%3A%2F%2F');
    expect(own).not.toMatch(/v2rayng:|clash:/);
    const others = await (await request('/sub/k3v9?html=1&os=windows', { 'user-agent': agent })).text();
    expect(others).toContain('clash://install-config?url=http%3A%2F%2F');
    expect(others).not.toContain('streisand:');
    expect(others).toContain('href="?html=1&amp;lang=fa&amp;os=windows"');
  });

  test('has the colour and the picture of the operator', async () => {
    const picture = `data:image/png;base64,${Buffer.alloc(3_000, 7).toString('base64')}`;
    use({ subPageColor: '#E8590C', subPagePicture: picture });
    const response = await request('/sub/k3v9?html=1');
    const html = await response.text();
    expect(html).toContain(`<img class="logo" alt="" src="${picture}">`);
    const [, own = ''] = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text]) => text!);
    expect(own).toContain('--accent:#e8590c');
    const hash = createHash('sha256').update(own).digest('base64');
    expect(response.headers.get('content-security-policy')).toContain(` 'sha256-${hash}'; script-src`);
    expect(response.headers.get('content-security-policy')).toContain('; img-src data:; ');
  });

  test('shows when the term renews, and days that start with the first connection', async () => {
    await panel.setState('nina', { resetDays: 30 });
    expect(await (await request('/sub/k3v9?html=1')).text()).toContain('<dt>Renews on</dt>');
    await panel.setState('nina', { resetDays: 0, expiresAtMs: -30 * 86_400_000 });
    expect(await (await request('/sub/k3v9?html=1')).text()).toContain(
      '<dt>Valid until</dt><dd><bdi>30 days</bdi><small>from the first connection</small>',
    );
  });

  test('dates follow the calendar of the operator; Persian has its own, and its digits', async () => {
    use({ datepicker: 'jalalian' });
    expect(await (await request('/sub/k3v9?html=1&lang=fa')).text()).toContain('۱۴۰۵');
    use({ datepicker: 'gregorian' });
    expect(await (await request('/sub/k3v9?html=1&lang=en')).text()).toContain('2027');
    const persian = await (await request('/sub/k3v9?html=1&lang=fa')).text();
    expect(persian).toContain('۱۴۰۵');
    expect(persian).toContain('۱۵٫۰۰\u{a0}GB');
  });

  test('hostile texts stay texts', async () => {
    const hostile = `"><script>alert(1)</script>\u202e'&\r\nSet-Cookie: a=b`;
    use({ subTitle: hostile });
    use({ subAnnounce: hostile });
    use({ subSupportUrl: 'https://x.example/"onmouseover="alert(1)' });
    const response = await request('/sub/k3v9?html=1');
    const html = await response.text();
    expect(html.match(/<script>/g)).toHaveLength(1);
    expect(html).not.toContain('alert(1)</script>');
    expect(html).not.toContain('"onmouseover');
    expect(response.headers.get('set-cookie')).toBeNull();
  });
});

describe('the links of inbounds', () => {
  const lines = async (query = '') => (await (await request(`/sub/k3v9${query}`)).text()).trimEnd().split('\n');
  const nameOf = (link: string) => decodeURIComponent(link.split('#')[1] ?? '');

  test('one link per inbound and host, in order, usage shown once', async () => {
    use({ remarkTemplate: '{{INBOUND}}-{{EMAIL}}|{{TRAFFIC_LEFT}}' });
    const second = await panel.inbound('vless', {}, { network: 'ws', wsSettings: { path: '/w' } });
    const third = await panel.inbound('trojan');
    await panel.ok(panel.post('/nina/attach', { inboundIds: [second, third] }));
    await panel.store.write(async (trx) => {
      await trx.updateTable('inbounds').set({ remark: 'Oslo' }).where('id', '=', 1).execute();
      await trx.updateTable('inbounds').set({ remark: 'Bergen' }).where('id', '=', second).execute();
      await trx.updateTable('inbounds').set({ enable: 0 }).where('id', '=', third).execute();
      const host = { groupId: 'g', inboundId: second, enable: 1 as const, port: 8443, createdAtMs: 0, updatedAtMs: 0 };
      const content = (remark: string) => JSON.stringify({ remark, hostHeader: 'h.example' });
      await trx
        .insertInto('hosts')
        .values([
          { ...host, sortOrder: 2, address: 'b.example', content: content('B') },
          { ...host, sortOrder: 1, address: '2001:db8::1', content: content('A') },
          { ...host, sortOrder: 0, address: 'off.example', content: content('off'), enable: 0 },
        ])
        .execute();
    });
    const found = await lines();
    expect(found.map((link) => link.replace(/^vless:\/\/[^@]+@([^?]+)\?.*#/, '$1 '))).toEqual([
      'localhost:10001 Oslo-nina%7C15.00GB',
      '[2001:db8::1]:8443 Bergen',
      'b.example:8443 Bergen',
    ]);
    expect(found[1]).toContain('host=h.example&path=%2Fw');
    // Displayed and shared links show no usage.
    const shownLinks = (await panel.call('GET', '/clients/links/nina')).obj as string[];
    expect(shownLinks.map(nameOf)[0]).toBe('Oslo-nina');
    // Only a subscription leaves out inbounds that are switched off.
    expect(shownLinks.map((link) => link.split(':')[0])).toEqual(['vless', 'vless', 'vless', 'trojan']);
    expect((await panel.call('GET', '/clients/subLinks/k3v9')).obj).toEqual(shownLinks.slice(0, 3));
    expect((await panel.call('GET', '/clients/subLinks/nobody')).obj).toEqual([]);
    expect((await panel.call('GET', '/inbounds/allLinks')).obj).toEqual(shownLinks);
    expect((await panel.call('GET', '/clients/links/nobody')).success).toBe(false);
  });

  test('the tokens in the remark of a host are filled in for each client', async () => {
    await panel.add({ email: 'omar', subId: 'o' }, [1]);
    const host = { groupId: 'g', inboundId: 1, enable: 1 as const, port: 0, createdAtMs: 0, updatedAtMs: 0 };
    const hosts = ['CDN {{EMAIL}}', 'Relay {{HOST}}{{EMAIL}}'].map((remark, sortOrder) => {
      return { ...host, sortOrder, address: '', content: JSON.stringify({ remark }) };
    });
    await panel.store.write(async (trx) => {
      await trx.updateTable('inbounds').set({ remark: 'Oslo' }).execute();
      await trx.insertInto('hosts').values(hosts).execute();
    });
    expect((await lines()).map(nameOf)).toEqual(['Oslo-CDN nina-nina', 'Oslo-Relay-nina']);
    use({ remarkTemplate: '{{HOST}}' });
    expect((await lines()).map(nameOf)).toEqual(['CDN nina', 'Relay']);
    const links = (await panel.call('GET', '/inbounds/1/links')).obj as { link: string }[];
    expect(links.map(({ link }) => nameOf(link))).toEqual(['CDN nina', 'Relay nina', 'CDN omar', 'Relay omar']);
    const preview = await panel.call('POST', '/hosts/preview', { inboundId: 1, host: { remark: 'New {{EMAIL}}' } });
    expect(nameOf((preview.obj as { link: string }).link)).toBe('New nina');
  });

  test('a change applies from the next request', async () => {
    expect((await lines())[0]).toContain('@localhost:10001?');
    await panel.store.write(async (trx) => {
      await trx.updateTable('inbounds').set({ port: 9, listen: 'in.example' }).execute();
    });
    expect((await lines())[0]).toContain('@in.example:9?');
    use({ remarkTemplate: 'named' });
    expect(nameOf((await lines())[0]!)).toBe('named');
  });

  test('an inbound on an abstract socket is behind the one whose fallback leads there', async () => {
    const masterId = await panel.inbound();
    const rule = { masterId, childId: 0, name: '', alpn: '', path: '', dest: '@ws', xver: 0, sortOrder: 0 };
    await panel.store.write(async (trx) => {
      await trx.updateTable('inbounds').set({ listen: '@ws' }).where('id', '=', 1).execute();
      await trx.insertInto('inboundFallbacks').values(rule).execute();
    });
    expect((await lines())[0]).toContain('@localhost:10002?');
  });

  test('unreadable stored text removes no other entry', async () => {
    const broken = await panel.inbound('vmess');
    await panel.ok(panel.post('/nina/attach', { inboundIds: [broken] }));
    await panel.store.write(async (trx) => {
      const columns = { settings: '{', streamSettings: '[1,', remark: '\u202e<b>\r\n' };
      await trx.updateTable('inbounds').set(columns).where('id', '=', broken).execute();
    });
    const found = await lines();
    expect(found).toHaveLength(2);
    expect(found[0]).toMatch(/^vless:/);
    expect(found[1]).toMatch(/^vmess:\/\/[\w+/]+=*$/);
  });
});

describe('what does not exist', () => {
  test('looks alike', async () => {
    const headersOf = (response: Response) => [...response.headers].filter(([name]) => name !== 'date');
    const first = await request('/sub/nobody', { accept: 'text/html' });
    expect([first.status, await first.text()]).toEqual([404, '']);
    for (const path of [
      '/',
      '/sub/',
      '/sub/a/b',
      '/json/k3v9?html=1',
      '/sub/%ff',
      `/sub/${'x'.repeat(600)}`,
      '/panel/',
      '/sub/..%2f',
    ]) {
      const response = await request(path, { accept: 'text/html' });
      expect([path, response.status, await response.text(), headersOf(response)]).toEqual([
        path,
        404,
        '',
        headersOf(first),
      ]);
    }
    expect((await request('/sub/k3v9?html=1', {}, 'POST')).status).toBe(404);
  });

  test('guessing is slowed down, known ids are not', async () => {
    for (let miss = 0; miss < 30; miss += 1) expect((await request(`/sub/guess${miss}?html=1`)).status).toBe(404);
    expect((await request('/sub/guess?html=1')).status).toBe(429);
    expect((await request('/sub/k3v9?html=1')).status).toBe(200);
    panel.time.nowMs += 60_000;
    expect((await request('/sub/guess?html=1')).status).toBe(404);
  });

  test('a host other than the configured one is refused', async () => {
    use({ subDomain: 's.example' });
    const response = await request('/sub/k3v9?html=1');
    expect([response.status, await response.text()]).toEqual([403, '']);
  });
});

test('the listener follows its own settings, and only those', async () => {
  use({ subTitle: 'other' });
  expect((await request('/sub/k3v9?html=1')).status).toBe(200);
  use({ subEnable: false });
  const door = () =>
    request('/sub/k3v9?html=1').then(
      () => 'open',
      () => 'closed',
    );
  await expect.poll(door).toBe('closed');
});

test('with a certificate it speaks TLS and redirects plain HTTP', async () => {
  const { certPem, keyPem } = makeSelfSigned();
  const [subCertFile, subKeyFile] = [join(panel.dataDir, 'c.pem'), join(panel.dataDir, 'k.pem')];
  await writeFile(subCertFile, certPem);
  await writeFile(subKeyFile, keyPem);
  use({ subCertFile, subKeyFile });
  const { hostname, port } = new URL(origin);
  await expect.poll(async () => (await request('/').catch(() => null))?.status).toBe(307);
  const socket = connectTls({ host: hostname, port: Number(port), ca: certPem, servername: 'localhost' });
  socket.write('GET /sub/k3v9?format=info HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 200 /);
  const plain = connect(Number(port), hostname);
  plain.write('GET /sub/k3v9 HTTP/1.1\r\nHost: s.example\r\nConnection: close\r\n\r\n');
  expect(await textOf(plain)).toMatch(/^HTTP\/1\.1 307 [\s\S]*Location: https:\/\/s\.example\/sub\/k3v9/);
});

async function textOf(socket: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

describe('what apps get', () => {
  beforeEach(() =>
    panel.store.write(async (trx) => {
      await trx.updateTable('inbounds').set({ enable: 0 }).execute();
    }),
  );
  const setLinks = (externalLinks: object[]) => panel.ok(panel.post('/nina/externalLinks', { externalLinks }));
  const LINK = 'trojan://pw@a.example:443?sni=a.example#Nørd%20one';

  test("links with all headers; caches keep nothing, and an app's current version is not sent again", async () => {
    await setLinks([{ value: LINK }]);
    const response = await request('/sub/k3v9?x=1', {
      'x-forwarded-host': 's.example:444',
      'x-forwarded-proto': 'https',
    });
    expect(await response.text()).toBe(`${LINK}\n`);
    const { headers } = response;
    expect(Object.fromEntries([...headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name)))).toEqual({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(Buffer.byteLength(LINK) + 1),
      'subscription-userinfo': `upload=${2 * GIB}; download=${3 * GIB}; total=${20 * GIB}; expire=1800781300`,
      'profile-update-interval': '12',
      'profile-title': `base64:${Buffer.from('Nord k3v9 {{NOPE}}').toString('base64')}`,
      'profile-web-page-url': 'https://s.example:444/sub/k3v9?x=1',
      'support-url': 'https://t.example/?u=nina',
      'routing-enable': 'false',
      'cache-control': 'private, no-cache',
      ...BARE,
      vary: 'Accept, User-Agent',
      etag: headers.get('etag'),
    });
    const firstAtMs = panel.clock();
    expect(await fetchedAtMs()).toBe(firstAtMs);
    const againAtMs = panel.clock();
    const again = await request('/sub/k3v9', { 'if-none-match': `"other", W/${headers.get('etag')}` });
    expect([again.status, await again.text(), again.headers.get('subscription-userinfo')]).toEqual([
      304,
      '',
      headers.get('subscription-userinfo'),
    ]);
    expect(await fetchedAtMs()).toBe(againAtMs);
    const head = await request('/sub/k3v9', {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([
      200,
      headers.get('content-length'),
      headers.get('etag'),
    ]);
    expect(await fetchedAtMs()).toBe(againAtMs);
  });

  test('base64 when the operator wants it; external links in order, providers in between', async () => {
    use({ subEncrypt: true });
    const body = Buffer.from('vless://a@b.example:1#A\nvless://a@b.example:2#B');
    panel.parts.coreTools.fetcher.fetch = async (url) => ({ status: 200, headers: {}, url, body });
    const vmess = { v: '2', ps: 'old', add: 'v.example', port: 443, id: 'x' };
    await setLinks([
      { value: LINK, remark: 'Mine #1 (ü)' },
      { kind: 'subscription', value: 'https://p.example/s', remark: 'not used' },
      { value: `vmess://${Buffer.from(JSON.stringify(vmess)).toString('base64')}`, remark: 'new' },
    ]);
    const text = await (await request('/sub/k3v9')).text();
    expect(text).toMatch(/^[\w+/]+=*$/);
    const lines = Buffer.from(text, 'base64').toString('utf8').split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'trojan://pw@a.example:443?sni=a.example#Mine%20%231%20%28%C3%BC%29',
      'vless://a@b.example:1#A',
      'vless://a@b.example:2#B',
    ]);
    expect(JSON.parse(Buffer.from(lines[3]!.slice(8), 'base64').toString('utf8'))).toEqual({ ...vmess, ps: 'new' });
    expect(lines.slice(4)).toEqual(['']);
    const nowMs = panel.clock();
    await panel.advance(5_000);
    const { externalLinks } = await panel.read<{ externalLinks: object[] }>('/clients/get/nina');
    expect(externalLinks[1]).toMatchObject({ kind: 'subscription', lastFetchAt: nowMs, lastFetchError: '' });
  });

  test('an empty subscription and one without enabled clients are 404 without headers, and no miss', async () => {
    await setLinks([{ value: LINK }]);
    await panel.setState('nina', { enable: 0, disabledBy: 'loop' });
    for (let round = 0; round < 40; round += 1) {
      const response = await request('/sub/k3v9');
      expect([response.status, response.headers.get('subscription-userinfo'), await response.text()]).toEqual([
        404,
        null,
        '',
      ]);
    }
    expect((await request('/sub/nobody')).status).toBe(404);
    expect(await fetchedAtMs()).toBe(0);
  });

  test('hostile texts of the operator and the client stay inside their headers', async () => {
    await setLinks([{ value: LINK }]);
    const hostile = `a\r\nSet-Cookie: x=1\u0000\u202e é <b>"\ud800`;
    use({ subTitle: hostile });
    use({ subAnnounce: hostile });
    use({ subSupportUrl: `https://t.example/${hostile}` });
    use({ subProfileUrl: `https://p.example/${hostile}` });
    use({ subEnableRouting: true });
    use({ subRoutingRules: hostile });
    const { status, headers } = await request('/sub/k3v9');
    expect([status, headers.get('set-cookie')]).toEqual([200, null]);
    expect(headers.get('routing-enable')).toBe('true');
    expect(headers.get('routing')).toBe('aSet-Cookie: x=1%E2%80%AE %C3%A9 <b>"%EF%BF%BD');
    expect(headers.get('support-url')).toMatch(/^https:\/\/t\.example\/a%0D%0ASet-Cookie:%20x=1%00/);
    expect(headers.get('announce')).toBe(`base64:${Buffer.from(hostile).toString('base64')}`);
  });

  test('forwarded names count only from declared proxies', async () => {
    await setLinks([{ value: LINK }]);
    use({ trustedProxyCIDRs: '10.0.0.0/8' });
    const forwarded = { 'x-forwarded-host': 's.example', 'x-forwarded-proto': 'https' };
    const url = async () => (await request('/sub/k3v9', forwarded)).headers.get('profile-web-page-url');
    expect(await url()).toBe(`${origin}/sub/k3v9`);
    use({ trustedProxyCIDRs: '127.0.0.1' });
    expect(await url()).toBe('https://s.example/sub/k3v9');
  });

  test.each<[Record<string, string>, string]>([
    [{}, 'localhost'],
    [{ 'x-real-ip': '203.0.113.7' }, '203.0.113.7'],
    [{ 'x-real-ip': 'no address' }, 'localhost'],
    [{ 'x-forwarded-host': 's.example:444', 'x-real-ip': '203.0.113.7' }, 's.example'],
    [{ 'x-forwarded-host': 'a:b:c', 'x-real-ip': '203.0.113.7' }, '203.0.113.7'],
  ])('a link without an address of its own has that of the request: %j', async (headers, address) => {
    await panel.store.write(async (trx) => {
      await trx.updateTable('inbounds').set({ enable: 1 }).execute();
    });
    expect(await (await request('/sub/k3v9', headers)).text()).toContain(`@${address}:`);
  });

  test('the page lists every link as text', async () => {
    await setLinks([{ value: LINK, remark: '<script>alert(1)</script>' }]);
    const html = await (await request('/sub/k3v9?html=1')).text();
    expect(html).toContain('<summary>Single links (1)</summary>');
    expect(html).toContain('%3Cscript%3E');
    expect(html.match(/<script>/g)).toHaveLength(1);
  });
});

test('the peers of a WireGuard inbound have links and files, as far as the panel has their keys', async () => {
  const [secretKey, privateKey] = [
    Buffer.alloc(32, 0x41).toString('base64'),
    Buffer.alloc(32, 0x42).toString('base64'),
  ];
  const peers = [
    { privateKey, publicKey: secretKey, allowedIPs: ['10.0.0.2/32'], comment: 'router', keepAlive: 25 },
    { publicKey: privateKey, allowedIPs: ['10.0.0.3/32'], comment: 'own key' },
  ];
  const id = await panel.inbound('wireguard', { secretKey, mtu: 1420, peers, dns: '1.1.1.1' });
  await panel.store.write(async (trx) => {
    await trx.updateTable('inbounds').set({ listen: '203.0.113.9' }).where('id', '=', id).execute();
  });
  const found = (await panel.call('GET', `/inbounds/${id}/links`)).obj as Record<string, string>[];
  expect(found.map(({ email }) => email)).toEqual(['router']);
  const port = /@203\.0\.113\.9:(\d+)\?/.exec(found[0]!['link']!)?.[1];
  // The public key of 32 letters A, as `wg pubkey` prints it.
  const serverKey = createPublicKey(
    createPrivateKey({
      key: Buffer.concat([Buffer.from('302e020100300506032b656e04220420', 'hex'), Buffer.alloc(32, 0x41)]),
      format: 'der',
      type: 'pkcs8',
    }),
  )
    .export({ format: 'der', type: 'spki' })
    .subarray(-32)
    .toString('base64');
  expect(found[0]!['config']).toBe(
    `[Interface]\nPrivateKey = ${privateKey}\nAddress = 10.0.0.2/32\nDNS = 1.1.1.1\nMTU = 1420\n\n[Peer]\n` +
      `PublicKey = ${serverKey}\nAllowedIPs = 0.0.0.0/0, ::/0\nEndpoint = 203.0.113.9:${port}\nPersistentKeepalive = 25\n`,
  );
  expect(parseLink(found[0]!['link']!)).toMatchObject({
    outbound: { settings: { secretKey: privateKey, peers: [{ publicKey: serverKey, keepAlive: 25 }] } },
  });
  expect(await panel.call('POST', '/hosts/preview', { inboundId: id, host: { remark: 'a' } })).toMatchObject({
    success: false,
  });
});

test('the links of an inbound, and the link that an unsaved host would give', async () => {
  const links = (await panel.call('GET', '/inbounds/1/links')).obj as { email: string; link: string }[];
  expect(links.map(({ email }) => email)).toEqual(['nina']);
  const preview = (inboundId: number, host: object) =>
    panel.call('POST', '/hosts/preview', { inboundId, host: { remark: 'CDN', ...host } });
  const { obj } = await preview(1, { address: 'cdn.example', port: 8443 });
  expect(obj).toMatchObject({ email: 'nina', reason: '', link: expect.stringContaining('@cdn.example:8443') });
  expect((await panel.call('GET', '/inbounds/1/links')).obj).toEqual(links);
  const ofGroup = { inboundId: 1, host: { remark: 'CDN' }, entry: '[2001:db8::1]:444' };
  expect((await panel.call('POST', '/hosts/preview', ofGroup)).obj).toMatchObject({
    link: expect.stringContaining('@[2001:db8::1]:444'),
  });
  expect(await preview(99, {})).toMatchObject({ success: false });
});
