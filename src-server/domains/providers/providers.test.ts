import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../contract/json.ts';
import { openPanel, type TestPanel } from '../../testing/panels/open-panel.ts';
import { recordRuntime } from '../../testing/recording-runtime.ts';

const KEY = `${'a'.repeat(43)}=`;
const REGISTERED = { id: 'dev1', token: 'tok', account: { license: 'old' }, config: { client_id: 'AQID' } };

let peer: Server;
let panel: TestPanel;
let heard: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
let respond: (url: string, method: string) => { status?: number; body: unknown; after?: Promise<void> };

beforeEach(async () => {
  heard = [];
  respond = () => ({ body: REGISTERED });
  peer = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.once('end', () => {
      const { method = '', url = '', headers } = request;
      heard.push({ method, url, headers, body });
      const { status = 200, body: said, after } = respond(url, method);
      const send = () => response.writeHead(status).end(typeof said === 'string' ? said : JSON.stringify(said));
      if (after === undefined) send();
      else void after.then(send);
    });
  }).listen(0, '127.0.0.1');
  await once(peer, 'listening');
  const base = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`;
  vi.stubEnv('PANEL_TUNNEL_PROVIDER', `${base}/v0`);
  vi.stubEnv('PANEL_VPN_PROVIDER', base);
  panel = await openPanel({ startMs: Date.UTC(2026, 0, 2) });
});
afterEach(async () => {
  await panel.close();
  vi.unstubAllEnvs();
  peer.closeAllConnections();
  await new Promise((done) => peer.close(done));
});

const call = (path: string, fields: Record<string, string> = {}) =>
  panel.post(`/core/${path}`, new URLSearchParams(fields));
const settings = () => panel.parts.base.settings;
const credentials = async () => JSON.parse((await settings().hidden('tunnel')) || '{}') as Record<string, string>;

it('registers a device, queries it, and deletes it', async () => {
  expect((await call('tunnel/data')).obj).toBe('');
  const { obj } = await call('tunnel/reg', { privateKey: KEY, publicKey: KEY });
  const data = { access_token: 'tok', device_id: 'dev1', license_key: 'old', private_key: KEY, client_id: 'AQID' };
  expect(JSON.parse(String(obj))).toEqual({ data, config: REGISTERED });
  expect(heard[0]).toMatchObject({ method: 'POST', url: '/v0/reg', headers: { 'cf-client-version': 'a-6.30-3596' } });
  expect(JSON.parse(heard[0]?.body ?? '')).toMatchObject({ key: KEY, tos: '2026-01-02T00:00:00.000Z', type: 'PC' });
  expect(JSON.parse(String((await call('tunnel/data')).obj))).toEqual(data);
  expect(JSON.parse(String((await call('tunnel/config')).obj))).toEqual(REGISTERED);
  expect(heard[1]).toMatchObject({ method: 'GET', url: '/v0/reg/dev1', headers: { authorization: 'Bearer tok' } });
  expect((await call('tunnel/del')).obj).toBe('');
  expect((await call('tunnel/config')).msg).toBe('tunnel not registered: missing access_token or device_id');
});

it('keeps the licence when the provider refuses a new one', async () => {
  await call('tunnel/reg', { privateKey: KEY, publicKey: KEY });
  respond = () => ({ status: 400, body: { errors: [{ message: 'Invalid license' }] } });
  expect(await call('tunnel/license', { license: 'new' })).toMatchObject({ success: false, msg: 'Invalid license' });
  respond = () => ({ body: {} });
  expect((await call('tunnel/license', { license: 'new' })).msg).toMatch(/^tunnel set license failed: unexpected/);
  expect((await credentials())['license_key']).toBe('old');
  respond = () => ({ body: { id: 'x' } });
  expect((await call('tunnel/license', { license: 'new' })).success).toBe(true);
  expect((await credentials())['license_key']).toBe('new');
});

it.each([
  [{ ...REGISTERED, id: 5 }, "tunnel register: missing 'id' in response"],
  [{ ...REGISTERED, token: undefined }, "tunnel register: missing 'token' in response"],
  [{ ...REGISTERED, account: undefined }, "tunnel register: missing 'account' in response"],
  [{ ...REGISTERED, account: {} }, "tunnel register: missing 'account.license' in response"],
])('refuses incomplete registration %#', async (body, msg) => {
  respond = () => ({ body });
  expect((await call('tunnel/reg', { privateKey: KEY, publicKey: KEY })).msg).toBe(msg);
  expect(await credentials()).toEqual({});
});

it('lists countries and servers in use, and never returns the token', async () => {
  respond = (url) => ({
    body: url.startsWith('/v2')
      ? { servers: [{ load: 7 }, { load: 8 }], locations: [] }
      : url.includes('credentials')
        ? { nordlynx_private_key: 'pk' }
        : [{ id: 1 }],
  });
  expect((await call('vpn/countries')).obj).toBe('[{"id":1}]');
  expect((await call('vpn/servers', { countryId: '5' })).obj).toBe('{"servers":[{"load":8}],"locations":[]}');
  expect(decodeURIComponent(heard[1]?.url ?? '')).toContain('filters[servers_technologies][id]=35');
  for (const countryId of ['', 'x', '1;2'])
    expect((await call('vpn/servers', { countryId })).msg).toBe('invalid country ID');
  expect((await call('vpn/reg', { token: 'secret' })).obj).toBe('{"private_key":"pk","hasToken":true}');
  expect(heard.at(-1)?.headers.authorization).toBe(`Basic ${Buffer.from('token:secret').toString('base64')}`);
  expect((await call('vpn/data')).obj).toBe('{"private_key":"pk","hasToken":true}');
  expect((await call('vpn/setKey', { key: 'own' })).obj).toBe('{"private_key":"own","hasToken":false}');
  expect((await call('vpn/setKey')).msg).toBe('private key cannot be empty');
  await call('vpn/del');
  expect((await call('vpn/data')).obj).toBe('');
  respond = () => ({ body: {} });
  expect((await call('vpn/reg', { token: 'secret' })).msg).toBe('failed to retrieve NordLynx private key');
});

it('reports other errors', async () => {
  for (const path of ['tunnel/x', 'vpn/x', 'tunnel/__proto__']) expect((await call(path)).msg).toBe('unknown action');
  expect((await call('tunnel/reg', { privateKey: 'x', publicKey: KEY })).msg).toMatch(/^privateKey and publicKey must/);
  respond = () => ({ status: 503, body: 'busy' });
  expect((await call('vpn/countries')).msg).toBe('vpn API error: 503');
  expect(heard).toHaveLength(1);
});

describe('another address', () => {
  const PAID = 'paid-license-of-26-characters';
  const NEXT = {
    id: 'dev2',
    token: 'tok2',
    account: { license: '' },
    config: {
      client_id: 'BAUG',
      interface: { addresses: { v4: '172.16.0.3', v6: '2606::3' } },
      peers: [{ public_key: 'peer-key', endpoint: { host: 'engage.example:2408' } }],
    },
  };
  const outbound = (): JsonObject => ({
    tag: 'warp',
    protocol: 'wireguard',
    settings: {
      mtu: 1420,
      secretKey: 'old',
      address: ['172.16.0.2/32'],
      reserved: [1, 2, 3],
      noKernelTun: true,
      peers: [{ publicKey: 'old', endpoint: 'old:1', keepAlive: 5 }, { publicKey: 'second' }],
    },
    streamSettings: { sockopt: { mark: 7 } },
  });

  const useTemplate = (outbounds: JsonObject[]) =>
    settings().setHidden('coreTemplateConfig', JSON.stringify({ log: {}, outbounds }));
  let runtime: ReturnType<typeof recordRuntime>;

  beforeEach(async () => {
    await useTemplate([{ tag: 'direct', protocol: 'freedom' }, outbound()]);
    runtime = recordRuntime(panel.parts.engine.runtime);
    await call('tunnel/reg', { privateKey: KEY, publicKey: KEY });
    respond = () => ({ body: { id: 'dev1' } });
    await call('tunnel/license', { license: PAID });
    heard = [];
    respond = (_url, method) => ({ body: method === 'POST' ? NEXT : { id: 'dev2' } });
  });

  it('is a new device in the same outbound; everything else of the outbound stays', async () => {
    const { success, obj } = await call('tunnel/changeIp');
    expect(success).toBe(true);
    const { data, config, warning } = JSON.parse(String(obj)) as Record<string, Record<string, string>>;
    expect(config).toEqual(NEXT);
    expect(warning).toBeUndefined();
    expect(data).toMatchObject({ access_token: 'tok2', device_id: 'dev2', license_key: PAID, client_id: 'BAUG' });
    expect(await credentials()).toEqual(data);
    expect((await panel.parts.engine.templates.read())['outbounds']).toEqual([
      { tag: 'direct', protocol: 'freedom' },
      {
        ...outbound(),
        settings: {
          mtu: 1420,
          secretKey: data?.['private_key'],
          address: ['172.16.0.3/32', '2606::3/128'],
          reserved: [4, 5, 6],
          noKernelTun: true,
          peers: [{ publicKey: 'peer-key', endpoint: 'engage.example:2408', keepAlive: 5 }, { publicKey: 'second' }],
        },
      },
    ]);
    expect(heard.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /v0/reg', 'PUT /v0/reg/dev2/account']);
    const sent = JSON.parse(heard[0]?.body ?? '') as { key: string };
    expect(Buffer.from(sent.key, 'base64')).toHaveLength(32);
    expect(sent.key).not.toBe(KEY);
    expect(runtime.applied).toEqual([{ everything: true }]);
    expect(runtime.staged).toEqual([{ everything: true }]);
  });

  it('13.14: the licence survives a provider that does not accept it again', async () => {
    respond = (_url, method) =>
      method === 'POST' ? { body: NEXT } : { status: 400, body: { errors: [{ message: 'too many devices' }] } };
    const { success, obj } = await call('tunnel/changeIp');
    expect(success).toBe(true);
    expect((JSON.parse(String(obj)) as { warning: string }).warning).toContain('too many devices');
    expect(await credentials()).toMatchObject({ device_id: 'dev2', license_key: PAID });
  });

  it('a licence that the provider accepts late stays with its device and never brings back the old one', async () => {
    const release = Promise.withResolvers<void>();
    respond = (url, method) =>
      method === 'POST'
        ? { body: NEXT }
        : { body: { id: 'x' }, ...(url.includes('dev1') && { after: release.promise }) };
    const license = call('tunnel/license', { license: 'another-license-of-the-operator' });
    await expect.poll(() => heard.length).toBe(1);
    const change = call('tunnel/changeIp');
    // As long as a change of the device would take that does not wait.
    await Promise.race([change, sleep(200)]);
    release.resolve();
    expect([(await license).success, (await change).success]).toEqual([true, true]);
    expect(await credentials()).toMatchObject({ device_id: 'dev2', license_key: 'another-license-of-the-operator' });
  });

  it('an incomplete response changes nothing', async () => {
    const before = await credentials();
    respond = () => ({ body: { ...NEXT, config: { ...NEXT.config, peers: [] } } });
    expect((await call('tunnel/changeIp')).msg).toBe("tunnel register: missing 'config.peers' in response");
    respond = () => ({ status: 500, body: 'no' });
    expect((await call('tunnel/changeIp')).msg).toContain('returned status 500');
    expect(await credentials()).toEqual(before);
    expect(runtime.applied).toEqual([]);
    await call('tunnel/del');
    expect((await call('tunnel/changeIp')).msg).toBe('tunnel not registered: missing access_token or device_id');
  });

  it('reports when no outbound uses it', async () => {
    await useTemplate([{ tag: 'warp', protocol: 'freedom' }]);
    const { obj } = await call('tunnel/changeIp');
    expect((JSON.parse(String(obj)) as { warning: string }).warning).toContain('no outbound "warp" or "tunnel"');
    expect(runtime.applied).toEqual([]);
  });

  it('is rotated automatically after the interval, which starts when it is first seen', async () => {
    const hour = 3_600_000;
    const registrations = (): number => heard.filter(({ method }) => method === 'POST').length;
    const pass = (hours: number): Promise<void> => panel.wakeAfter(hours * hour);
    await panel.set({ tunnelUpdateInterval: 2 });
    await pass(1);
    expect(registrations()).toBe(0);
    await pass(47);
    expect(registrations()).toBe(0);
    respond = () => ({ status: 503, body: 'busy' });
    await pass(1);
    expect(registrations()).toBe(1);
    respond = (_url, method) => ({ body: method === 'POST' ? NEXT : { id: 'dev2' } });
    await pass(1);
    expect([registrations(), (await credentials())['device_id']]).toEqual([2, 'dev2']);
    await pass(47);
    expect(registrations()).toBe(2);
    await panel.set({ tunnelUpdateInterval: 0 });
    await pass(1000);
    expect(registrations()).toBe(2);
    // Set again, it starts anew.
    await panel.set({ tunnelUpdateInterval: 2 });
    await pass(1);
    await pass(47);
    expect(registrations()).toBe(2);
    await pass(1);
    expect(registrations()).toBe(3);
  });

  it('is rotated after the interval when the clock was set back', async () => {
    const hour = 3_600_000;
    const registrations = (): number => heard.filter(({ method }) => method === 'POST').length;
    respond = (_url, method) => ({ body: method === 'POST' ? NEXT : { id: 'dev2' } });
    panel.jumpClock(20 * 24 * hour);
    await panel.set({ tunnelUpdateInterval: 2 });
    await panel.wakeAfter(hour);
    panel.jumpClock(-20 * 24 * hour);
    await panel.wakeAfter(hour);
    await panel.wakeAfter(47 * hour);
    expect(registrations()).toBe(0);
    await panel.wakeAfter(hour);
    expect(registrations()).toBe(1);
  });

  it('the interval is in days, and setting it restarts the clock', async () => {
    for (const interval of ['', '-1', '1.5', 'x', '99999'])
      expect((await call('tunnel/interval', { interval })).msg).toMatch(/^invalid tunnel update interval/);
    await panel.advance(5000);
    expect(await call('tunnel/interval', { interval: '3' })).toMatchObject({ success: true, obj: '' });
    expect(settings().current().tunnelUpdateInterval).toBe(3);
    expect(await settings().hidden('tunnelLastUpdate')).toBe(String(Date.UTC(2026, 0, 2) / 1000 + 5));
  });
});
