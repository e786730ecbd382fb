import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createGuardedDialer } from '../../net/guarded-dialer.ts';
import { serveRoutes, type ServedRoutes } from '../../testing/serve-routes.ts';
import { providerRoutes } from './routes.ts';
import { createProvidersService } from './service.ts';
import { texts } from './texts.ts';

const KEY = `${'a'.repeat(43)}=`;
const REGISTERED = { id: 'dev1', token: 'tok', account: { license: 'old' }, config: { client_id: 'AQID' } };

let peer: Server;
let panel: ServedRoutes;
let stored: Record<string, string>;
let heard: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
let answer: (url: string) => { status?: number; body: unknown };

beforeEach(async () => {
  heard = [];
  stored = {};
  answer = () => ({ body: REGISTERED });
  peer = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.once('end', () => {
      const { method = '', url = '', headers } = request;
      heard.push({ method, url, headers, body });
      const { status = 200, body: said } = answer(url);
      response.writeHead(status).end(typeof said === 'string' ? said : JSON.stringify(said));
    });
  }).listen(0, '127.0.0.1');
  await once(peer, 'listening');
  const base = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`;
  const service = createProvidersService({
    dialer: createGuardedDialer(),
    values: {
      hidden: async (key) => stored[key] ?? '',
      setHidden: async (key, value) => void (stored[key] = value),
    },
    clock: () => Date.UTC(2026, 0, 2),
    addresses: { tunnel: `${base}/v0`, vpn: base },
  });
  panel = await serveRoutes((ctx) => providerRoutes(ctx, service), texts);
});
afterEach(async () => {
  await panel.close();
  peer.closeAllConnections();
  await new Promise((done) => peer.close(done));
});

const call = async (path: string, fields: Record<string, string> = {}) =>
  panel.post(`/panel/api/core/${path}`, new URLSearchParams(fields));
const credentials = () => JSON.parse(stored['tunnel'] ?? '{}') as Record<string, string>;

it('registers a device, asks for it, and forgets it', async () => {
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

it('keeps the licence when the provider refuses another', async () => {
  await call('tunnel/reg', { privateKey: KEY, publicKey: KEY });
  answer = () => ({ status: 400, body: { errors: [{ message: 'Invalid license' }] } });
  expect(await call('tunnel/license', { license: 'new' })).toMatchObject({ success: false, msg: 'Invalid license' });
  answer = () => ({ body: {} });
  expect((await call('tunnel/license', { license: 'new' })).msg).toMatch(/^tunnel set license failed: unexpected/);
  expect(credentials()['license_key']).toBe('old');
  answer = () => ({ body: { id: 'x' } });
  expect((await call('tunnel/license', { license: 'new' })).success).toBe(true);
  expect(credentials()['license_key']).toBe('new');
});

it.each([
  [{ ...REGISTERED, id: 5 }, "tunnel register: missing 'id' in response"],
  [{ ...REGISTERED, token: undefined }, "tunnel register: missing 'token' in response"],
  [{ ...REGISTERED, account: undefined }, "tunnel register: missing 'account' in response"],
  [{ ...REGISTERED, account: {} }, "tunnel register: missing 'account.license' in response"],
])('refuses half a registration %#', async (body, msg) => {
  answer = () => ({ body });
  expect((await call('tunnel/reg', { privateKey: KEY, publicKey: KEY })).msg).toBe(msg);
  expect(stored).toEqual({});
});

it('lists countries and servers in use, and keeps the token to itself', async () => {
  answer = (url) => ({
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
  answer = () => ({ body: {} });
  expect((await call('vpn/reg', { token: 'secret' })).msg).toBe('failed to retrieve NordLynx private key');
});

it('says what else can be wrong', async () => {
  for (const path of ['tunnel/x', 'vpn/x', 'tunnel/__proto__']) expect((await call(path)).msg).toBe('unknown action');
  expect((await call('tunnel/reg', { privateKey: 'x', publicKey: KEY })).msg).toMatch(/^privateKey and publicKey must/);
  answer = () => ({ status: 503, body: 'busy' });
  expect((await call('vpn/countries')).msg).toBe('vpn api GET /v1/countries returned status 503: busy');
  expect(heard).toHaveLength(1);
});
