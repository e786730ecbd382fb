import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { forAllTests } from '../../testing/for-each-test.ts';
import { startSubPanel } from '../../testing/panels/sub-panel.ts';

const TLS = { network: 'ws', security: 'none', wsSettings: { path: '/w' } };
const PATHS = { raw: '/sub/s1', json: '/json/s1', yaml: '/yaml/s1' } as const;

const panel = forAllTests(() => startSubPanel(1_800_000_000_000));
beforeAll(async () => {
  await panel.set({
    subEncrypt: false,
    subJsonEnable: true,
    subYamlEnable: true,
    subTitle: 'Nørd "1"',
    remarkTemplate: '{{INBOUND}}-{{HOST}}',
  });
  const socket = await panel.inbound({ protocol: 'vless', port: 8443, remark: 'ws', streamSettings: TLS });
  const kcp = await panel.inbound({
    protocol: 'vless',
    port: 8444,
    remark: 'kcp',
    streamSettings: { network: 'kcp', security: 'none', kcpSettings: {} },
  });
  const vmess = await panel.inbound({ protocol: 'vmess', port: 8445, remark: 'vm', settings: {}, streamSettings: TLS });
  await panel.add({ email: 'ann', subId: 's1' }, [socket, kcp, vmess]);
  const host = { inboundId: socket, address: 'h.example', security: 'tls' };
  await panel.done('/hosts/add', { ...host, remark: 'apps', excludeFromSubTypes: ['raw'] });
  await panel.done('/hosts/add', { ...host, remark: 'links', excludeFromSubTypes: ['json', 'yaml'] });
  // A stream that the format of VMess links cannot express.
  const settings = { publicKey: 'qX3mT0a9Yb7cV5dN2eW8fK1gR4hS6jL0pZuIoQxEwDs' };
  const realitySettings = { serverNames: ['w.example'], settings };
  const reality = { network: 'tcp', security: 'reality', realitySettings };
  panel.write('UPDATE inbounds SET streamSettings = ? WHERE id = ?', JSON.stringify(reality), vmess);
});

const text = async (path: string, headers: Record<string, string> = {}) => (await panel.fetchSub(path, headers)).text();
const namesOf = {
  raw: (body: string) =>
    body
      .trimEnd()
      .split('\n')
      .map((link) => decodeURIComponent(new URL(link).hash.slice(1))),
  json: (body: string) => (JSON.parse(body) as { remarks: string }[]).map(({ remarks }) => remarks),
  yaml: (body: string) =>
    (parse(body, { version: '1.2', strict: true }) as { proxies: { name: string }[] }).proxies.map(({ name }) => name),
};

describe('bodies', () => {
  test('each format has its own hosts, and an inbound whose host it excludes shows the others', async () => {
    expect(namesOf.raw(await text(PATHS.raw))).toEqual(['ws-links', 'kcp']);
    expect(namesOf.json(await text(PATHS.json))).toEqual(['ws-apps', 'kcp', 'vm']);
    expect(namesOf.yaml(await text(PATHS.yaml))).toEqual(['ws-apps', 'vm']);
  });

  test('entries that a format leaves out are reported with their reason', async () => {
    const found = await panel.read<Record<string, unknown>[]>('/clients/leftOut/ann');
    expect(found.map(({ format, remark, reason }) => [format, remark, reason])).toEqual([
      ['raw', 'vm', 'VMess links have no form for REALITY'],
      ['yaml', 'kcp', 'The format has no kcp for vless'],
    ]);
  });

  test('a server behind a plugin is only in the links, which name the plugin', async () => {
    const value = `ss://${Buffer.from('aes-256-gcm:pw').toString('base64url')}@p.example:1`;
    const links = ['?plugin=obfs-local%3Bobfs%3Dhttp#obfs', '?plugin=none#plain'].map((rest) => ({
      value: value + rest,
    }));
    await panel.done('/clients/ann/externalLinks', { externalLinks: links });
    expect(namesOf.raw(await text(PATHS.raw)).slice(-2)).toEqual(['obfs', 'plain']);
    expect(namesOf.json(await text(PATHS.json)).slice(-2)).toEqual(['vm', 'plain']);
    expect(namesOf.yaml(await text(PATHS.yaml)).slice(-2)).toEqual(['vm', 'plain']);
    expect(await panel.read('/clients/leftOut/ann')).toContainEqual(
      expect.objectContaining({ format: 'yaml', remark: 'obfs', reason: 'The link needs a plugin' }),
    );
    await panel.done('/clients/ann/externalLinks', { externalLinks: [] });
  });

  test('excluding the only host brings the inbound itself back', async () => {
    const hosts = await panel.read<{ id: number; remark: string; inboundId: number }[]>('/hosts/list');
    const links = hosts.find(({ remark }) => remark === 'links')!;
    await panel.done(`/hosts/setEnable/${links.id}`, { enable: false });
    expect(namesOf.raw(await text(PATHS.raw))).toEqual(['ws', 'kcp']);
    await panel.done(`/hosts/setEnable/${links.id}`, { enable: true });
  });

  test('types, profile names and downloads', async () => {
    const head = async (path: string, accept = '*/*') => {
      const { headers } = await panel.fetchSub(path, { accept });
      return [headers.get('content-type'), headers.get('content-disposition')];
    };
    expect(await head(PATHS.raw)).toEqual(['text/plain; charset=utf-8', null]);
    expect(await head(PATHS.json)).toEqual(['text/plain; charset=utf-8', null]);
    expect(await head(`${PATHS.json}?view=raw`)).toEqual([
      'application/json; charset=utf-8',
      'attachment; filename="subscription.json"',
    ]);
    expect(await head(PATHS.yaml)).toEqual([
      'application/yaml; charset=utf-8',
      "attachment; filename*=UTF-8''N%C3%B8rd%20%221%22",
    ]);
    expect(await head(`${PATHS.yaml}?view=raw`)).toEqual([
      'application/yaml; charset=utf-8',
      'attachment; filename="subscription.yaml"',
    ]);
    expect((await head(`${PATHS.yaml}?view=html`))[0]).toBe('text/html; charset=utf-8');
    // A browser gets the page, but downloads the document from the page's link.
    expect((await head(PATHS.yaml, 'text/html'))[0]).toBe('text/html; charset=utf-8');
    expect((await head(`${PATHS.yaml}?view=raw`, 'text/html'))[0]).toBe('application/yaml; charset=utf-8');
  });

  test.each(Object.entries(PATHS))(
    '%s: HEAD tells the same, and what an app has is not sent again',
    async (_, path) => {
      const full = await panel.fetchSub(path);
      const body = await full.text();
      const head = await panel.fetchSub(path, {}, 'HEAD');
      const headersOf = (response: Response) =>
        [...response.headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name));
      expect([head.status, await head.text(), headersOf(head)]).toEqual([200, '', headersOf(full)]);
      expect(full.headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
      const etag = full.headers.get('etag')!;
      const same = await panel.fetchSub(path, { 'if-none-match': `"x", W/${etag}` });
      expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag]);
      expect(same.headers.get('subscription-userinfo')).toBe(full.headers.get('subscription-userinfo'));
      expect((await panel.fetchSub(path, { 'if-none-match': '"x"' })).status).toBe(200);
    },
  );
});

describe('the format by app', () => {
  const kindFor = async (agent: string) =>
    (await panel.fetchSub(PATHS.raw, { 'user-agent': agent })).headers.get('content-type');
  const [RAW, JSON_TYPE, YAML] = ['text/plain', 'application/json', 'application/yaml'].map(
    (type) => `${type}; charset=utf-8`,
  );

  test('is the links while nothing is detected', async () => {
    expect(await kindFor('ClashMeta/1.0')).toBe(RAW);
  });

  test('follows the patterns, YAML first; browsers still get the page', async () => {
    await panel.set({ subYamlAutoDetect: true, subJsonAutoDetect: true });
    expect(await kindFor('CLASH.Meta/1.18')).toBe(YAML);
    expect(await kindFor('Happ/3.1')).toBe(RAW);
    await panel.set({ subJsonUserAgentRegex: '(?i)^(happ|streisand)/', subYamlUserAgentRegex: '^FlClash' });
    expect(await kindFor('HAPP/3.1')).toBe(JSON_TYPE);
    expect(await kindFor('mihomo')).toBe(RAW);
    expect(await kindFor('FlClash X')).toBe(YAML);
    await panel.set({ subYamlUserAgentRegex: 'happ|Happ' });
    expect(await kindFor('Happ/3.1')).toBe(YAML);
    const browser = await panel.fetchSub(PATHS.raw, { 'user-agent': 'Happ/3.1', accept: 'text/html' });
    expect(browser.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('matches only the start of long names, and slow patterns are refused', async () => {
    await panel.set({ subYamlUserAgentRegex: 'z$', subJsonUserAgentRegex: '' });
    expect(await kindFor(`${'a'.repeat(500)}z`)).toBe(YAML);
    expect(await kindFor(`${'a'.repeat(512)}z`)).toBe(RAW);
    for (const pattern of ['(', '(a+)+$', 'x'.repeat(2_049)])
      await expect(panel.set({ subYamlUserAgentRegex: pattern })).rejects.toThrow(/regex is invalid|2048/);
    expect(await kindFor(`${'a'.repeat(500)}z`)).toBe(YAML);
  });
});

test('the page lists apps on other engines unless REALITY refuses them at every link', async () => {
  const id = await panel.inbound({ protocol: 'vless', port: 8447, remark: 're', streamSettings: TLS });
  const settings = { publicKey: 'qX3mT0a9Yb7cV5dN2eW8fK1gR4hS6jL0pZuIoQxEwDs' };
  const isListed = async (more: object): Promise<boolean> => {
    const realitySettings = { serverNames: ['w.example'], settings, ...more };
    const stream = JSON.stringify({ network: 'tcp', security: 'reality', realitySettings });
    panel.write('UPDATE inbounds SET streamSettings = ? WHERE id = ?', stream, id);
    return (await text('/sub/s2?html=1', { accept: 'text/html' })).includes('>Hiddify<');
  };
  await panel.add({ email: 'eva', subId: 's2' }, [id]);
  expect(await isListed({})).toBe(false);
  expect(await isListed({ minClientVer: '26.3.27' })).toBe(false);
  expect(await isListed({ minClientVer: '1.8.0' })).toBe(true);
  expect(await isListed({ minClientVer: '0.0.0' })).toBe(true);
  const link = 'trojan://pw@a.example:443#t';
  await panel.done('/clients/eva/externalLinks', { externalLinks: [{ value: link }] });
  expect(await isListed({})).toBe(true);
});
