import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { endpoint } from '../contract/endpoint.ts';
import { StoreError } from '../store/sqlite/sqlite-thread.ts';
import { afterTest, forAllTests } from '../testing/for-each-test.ts';
import { send } from '../testing/peers/test-browser.ts';
import { openTestPanel } from '../testing/panels/test-panel.ts';
import { bind, type BindContext } from './bind.ts';
import { checkMounted, routesWithoutContract } from './registry.ts';

const broken = endpoint('GET', '/panel/api/test/broken/:how', { summary: '', result: z.null() });
const long = endpoint('GET', '/panel/api/test/long', { summary: '', result: z.array(z.string()) });
const who = endpoint('POST', '/panel/api/test/who', { summary: '', result: z.unknown() });
const rows = Array.from({ length: 500 }, (_, i) => `row ${i} ✓`);

function testRoutes(context: BindContext): void {
  bind(context, broken, ({ koa }) => {
    const how = (koa['params'] as { how: string }).how;
    if (how === 'bug') throw new TypeError('a secret detail');
    throw new StoreError('from the thread', how);
  });
  bind(context, long, () => rows);
  bind(context, who, ({ request }) => request);
}

let url: string;
let token: string;
const panel = forAllTests(() => openTestPanel({ settings: { webBasePath: 'deep/down' }, mount: [testRoutes] }));
beforeAll(async () => {
  url = panel.listening.url;
  token = await panel.token();
});

const bearer = () => ({ authorization: `Bearer ${token}` });
const xhr = { 'x-requested-with': 'XMLHttpRequest' };

describe('deny by default', () => {
  const concrete = (path: string) => url + path.slice(1).replaceAll(/:\w+/g, '1');

  test('every mounted endpoint is closed to strangers or public', async () => {
    const open: string[] = [];
    for (const { method, path, access } of panel.server.mounted.endpoints) {
      const target = concrete(path);
      if (access === 'public') open.push(`${method} ${path}`);
      else if (path.startsWith('/panel/api/')) {
        expect(await send(target, { method }), path).toMatchObject({ status: 404, text: '' });
        expect(await send(target, { method, headers: xhr }), path).toMatchObject({ status: 401, text: '' });
        const forged = { authorization: 'Bearer nothing', cookie: 'panel_session=nothing' };
        expect(await send(target, { method, headers: forged }), path).toMatchObject({ status: 404, text: '' });
      } else {
        expect(await send(target, { method }), path).toMatchObject({ status: 307 });
        expect(await send(target, { method, headers: xhr }), path).toMatchObject({ status: 401 });
      }
    }
    expect(open.sort()).toEqual([
      'GET /csrf-token',
      'GET /setup/:token',
      'POST /getTwoFactorEnable',
      'POST /login',
      'POST /logout',
      'POST /setup/:token',
    ]);
  });

  test('missing and existing paths look the same', async () => {
    for (const path of ['panel/api', 'panel/api/', 'panel/api/nothing', 'panel/api/../api/x', 'panel/api/%00'])
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'])
        expect(await send(url + path, { method }), `${method} ${path}`).toMatchObject({ status: 404, text: '' });
  });

  test('other spellings of a path do not slip past the gate', async () => {
    for (const path of [
      'PANEL/api/test/long',
      'panel/API/test/long',
      '/panel/api/test/long',
      'panel%2Fapi/test/long',
      'panel//api/test/long',
      './panel/api/test/long',
    ]) {
      const response = await send(url + path);
      expect(response.status, path).not.toBe(200);
      expect(response.text, path).not.toContain('row 1');
    }
  });

  test('protected pages redirect strangers to sign-in, and tell open pages that the session is over', async () => {
    const navigation = await send(`${url}panel/inbounds`);
    expect(navigation.status).toBe(307);
    expect(navigation.headers).toMatchObject({ location: '/deep/down/', 'cache-control': 'no-store' });
    const page = await send(`${url}panel/inbounds`, { headers: xhr });
    expect(page.status).toBe(401);
    expect(page.json).toEqual({
      success: false,
      msg: 'Your session has expired, please log in again',
      obj: null,
      error: { code: 'request.sessionExpired', params: {} },
    });
  });

  test('every route has a contract, and every contract a route', () => {
    expect(routesWithoutContract(panel.server.router, panel.server.mounted)).toEqual({
      routesWithoutEndpoint: [],
      endpointsWithoutRoute: [],
    });
  });

  test('an endpoint whose path contradicts its access stops the start', () => {
    const open = endpoint('GET', '/panel/api/open', { access: 'public', summary: '', result: z.null() });
    const stray = endpoint('GET', '/stray', { summary: '', result: z.null() });
    for (const endpoints of [[open], [stray], [long, long]])
      expect(() => checkMounted({ endpoints })).toThrow(/\/panel|stray/);
  });
});

describe('paths', () => {
  test('nothing exists outside the base path', async () => {
    const origin = url.replace('/deep/down/', '');
    for (const path of ['/', '/panel/api/test/long', '/deep', '/deep/downer/', '/login'])
      expect(await send(origin + path, { headers: bearer() }), path).toMatchObject({ status: 404, text: '' });
    expect(await send(`${origin}/deep/down`)).toMatchObject({ status: 307, headers: { location: '/deep/down/' } });
  });

  test('the base path shows that a panel runs, without scripts', async () => {
    const response = await send(url);
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toContain('text/html');
    expect(response.text).toContain('/deep/down/panel/api/');
    expect(response.text).not.toContain('<script');
  });

  test('callers with credentials learn that an endpoint is unknown', async () => {
    const response = await send(`${url}panel/api/nothing`, { headers: bearer() });
    expect(response.status).toBe(404);
    const error = { code: 'request.unknown', params: {} };
    expect(response.json).toEqual({ success: false, msg: 'There is no such endpoint.', obj: null, error });
  });

  test('a wrong method is answered with the right ones', async () => {
    const response = await send(`${url}panel/api/test/long`, { method: 'POST', headers: bearer() });
    expect(response).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    expect(response.json?.msg).toBe('This endpoint answers GET, HEAD only.');
    const options = await send(`${url}panel/api/test/long`, { method: 'OPTIONS', headers: bearer() });
    expect(options).toMatchObject({ status: 204, text: '', headers: { allow: 'GET, HEAD' } });
  });

  test('HEAD returns the headers of GET', async () => {
    const response = await send(`${url}panel/api/test/long`, { method: 'HEAD', headers: bearer() });
    const length = Buffer.byteLength(JSON.stringify({ success: true, msg: '', obj: rows }));
    expect(response).toMatchObject({ status: 200, text: '', headers: { 'content-length': String(length) } });
  });
});

describe('headers', () => {
  test('every response carries the security headers, refusals included', async () => {
    for (const path of ['', 'panel/api/x', 'nothing', 'csrf-token']) {
      const { headers } = await send(url + path);
      expect(headers, path).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      });
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'self'; script-src 'self' 'nonce-[A-Za-z0-9+/]{22}=='; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' ws: wss:; object-src 'none'; frame-ancestors 'none'; base-uri 'self'; form-action 'self'$/,
      );
      expect(headers['strict-transport-security']).toBeUndefined();
    }
  });

  test('each response has its own nonce', async () => {
    const nonceOf = async () => (await send(url)).headers['content-security-policy'];
    expect(await nonceOf()).not.toBe(await nonceOf());
  });

  test('API responses are not stored, and offer zstd only to signed-in callers', async () => {
    const { headers } = await send(`${url}panel/api/test/long`, { headers: bearer() });
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-node-caps': 'zstd' });
    expect((await send(`${url}panel/api/test/long`)).headers['x-node-caps']).toBeUndefined();
  });
});

describe('compression', () => {
  const envelope = JSON.stringify({ success: true, msg: '', obj: rows });
  test.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ])('%s', async (encoding, decompress) => {
    const response = await fetchRaw({ ...bearer(), 'accept-encoding': encoding });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toContain('Accept-Encoding');
    expect(decompress(response.bytes).toString()).toBe(envelope);
  });

  test('responses stay plain when they are small or compression was not requested', async () => {
    const plain = await send(`${url}panel/api/test/long`, { headers: bearer() });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.text).toBe(envelope);
    const small = await send(`${url}csrf-token`, { headers: { 'accept-encoding': 'gzip' } });
    expect(small.headers['content-encoding']).toBeUndefined();
  });

  async function fetchRaw(headers: Record<string, string>) {
    const { request } = await import('node:http');
    return new Promise<{ headers: Headers; bytes: Buffer }>((resolve, reject) => {
      request(`${url}panel/api/test/long`, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ headers: new Headers(response.headers as Record<string, string>), bytes: Buffer.concat(chunks) }),
        );
      })
        .on('error', reject)
        .end();
    });
  }
});

describe('boundary', () => {
  test('a bug is answered with a reference, under which it is logged once with its stack', async () => {
    const before = panel.log.lines.length;
    const response = await send(`${url}panel/api/test/broken/bug`, { headers: bearer() });
    expect(response.status).toBe(500);
    const reference = /^unexpected error \(reference ([0-9a-f]{12})\)$/.exec(response.json?.msg ?? '')?.[1];
    const error = { code: 'request.unexpected', params: { reference } };
    expect(response.json).toEqual({
      success: false,
      msg: `unexpected error (reference ${reference})`,
      obj: null,
      error,
    });
    const errors = panel.log.lines.slice(before).filter((line) => line.level === 'error');
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ event: 'http.unexpected', fields: { reference } });
    expect((errors[0]?.fields['error'] as Error | undefined)?.stack).toContain('a secret detail');
  });

  test.each([
    ['SQLITE_FULL', /disk is full/],
    ['SQLITE_READONLY_DIRECTORY', /cannot be written/],
    ['SQLITE_IOERR_WRITE', /disk reported an error/],
    ['SQLITE_CORRUPT', /unexpected error/],
  ])('%s is reported as what it is', async (code, text) => {
    const response = await send(`${url}panel/api/test/broken/${code}`, { headers: bearer() });
    expect(response.status).toBe(500);
    expect(response.json?.msg).toMatch(text);
  });

  test('a request is one debug line, without query, and without sign-in secrets', async () => {
    await send(`${url}panel/api/test/long?secret=1`, { headers: bearer() });
    await send(`${url}setup/the-ticket`);
    const lines = panel.log.lines.filter((line) => line.event === 'http.request').map(({ fields }) => fields);
    expect(lines.at(-2)).toMatchObject({
      method: 'GET',
      path: '/deep/down/panel/api/test/long',
      status: 200,
      caller: 'token',
    });
    expect(JSON.stringify(panel.log.lines)).not.toContain('the-ticket');
    expect(JSON.stringify(panel.log.lines)).not.toContain('secret=1');
  });
});

describe('CSRF and Origin', () => {
  test('an unsafe request of a session needs its token', async () => {
    const browser = await panel.signedIn();
    const csrf = await browser.fetchCsrf();
    const post = (headers: Record<string, string>) =>
      send(`${url}panel/api/test/who`, { method: 'POST', headers: { cookie: browser.cookieHeader(), ...headers } });
    expect(await post({})).toMatchObject({ status: 403, text: '' });
    expect(await post({ 'x-csrf-token': '' })).toMatchObject({ status: 403, text: '' });
    expect(await post({ 'x-csrf-token': `${csrf}x` })).toMatchObject({ status: 403, text: '' });
    expect(await post({ 'x-csrf-token': csrf.replace(/./, (first) => (first === '-' ? '_' : '-')) })).toMatchObject({
      status: 403,
      text: '',
    });
    expect(await post({ 'x-csrf-token': csrf })).toMatchObject({ status: 200 });
    const get = await send(`${url}panel/api/test/long`, { headers: { cookie: browser.cookieHeader() } });
    expect(get.status).toBe(200);
  });

  test('a foreign Origin is refused even with the token; another port of this host is not foreign', async () => {
    const browser = await panel.signedIn();
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example'])
      expect(await browser.post('panel/api/test/who', {}, { origin })).toMatchObject({ status: 403, text: '' });
    expect((await browser.post('panel/api/test/who', {}, { origin: 'https://127.0.0.1' })).status).toBe(200);
  });

  test('strangers learn nothing from CSRF: they are refused before', async () => {
    const response = await send(`${url}panel/api/test/who`, {
      method: 'POST',
      headers: { ...xhr, origin: 'https://evil.example' },
    });
    expect(response).toMatchObject({ status: 401, text: '' });
  });

  test('a bearer needs no token; a bad bearer next to a good cookie is a session, with CSRF', async () => {
    expect((await send(`${url}panel/api/test/who`, { method: 'POST', headers: bearer() })).json?.obj).toMatchObject({
      caller: { kind: 'token', name: 'test' },
    });
    const browser = await panel.signedIn();
    const cookie = browser.cookieHeader();
    const bad = { authorization: 'Bearer nothing' };
    const refused = await send(`${url}panel/api/test/who`, { method: 'POST', headers: { cookie, ...bad } });
    expect(refused).toMatchObject({ status: 403, text: '' });
    expect((await browser.post('panel/api/test/who', {}, bad)).json?.obj).toMatchObject({
      caller: { kind: 'session' },
    });
  });

  test.each(['bearer', 'BEARER', 'Bearer ', 'Token'])('"%s" is not a bearer', async (scheme) => {
    const headers = { authorization: `${scheme} ${token}` };
    expect(await send(`${url}panel/api/test/long`, { headers })).toMatchObject({ status: 404 });
  });

  test('public unsafe calls need the visitor token', async () => {
    for (const path of ['login', 'logout', 'getTwoFactorEnable'])
      expect(await send(url + path, { method: 'POST', body: {} }), path).toMatchObject({ status: 403, text: '' });
    const response = await panel.browser().post('getTwoFactorEnable');
    expect(response.json).toEqual({ success: true, msg: '', obj: false });
  });
});

describe('Host', () => {
  test('a foreign name is refused, with one warning for the operator', async () => {
    const headers = { host: 'rebound.example' };
    for (let i = 0; i < 3; i++) expect(await send(url, { headers })).toMatchObject({ status: 403, text: '' });
    expect(await send(`${url}csrf-token`, { headers: { ...headers, authorization: 'Bearer x' } })).toMatchObject({
      status: 403,
    });
    expect(panel.log.lines.filter((line) => line.event === 'http.hostRefused')).toHaveLength(1);
  });

  test('another panel calls with its token under any name', async () => {
    const headers = { host: 'node.example.com', ...bearer() };
    expect((await send(`${url}panel/api/test/long`, { headers })).status).toBe(200);
    const guess = await send(`${url}panel/api/test/long`, { headers: { ...headers, authorization: 'Bearer guess' } });
    expect(guess).toMatchObject({ status: 404, text: '' });
  });

  test('a domain is matched exactly, for tokens too, and until the next start', async () => {
    const named = await openTestPanel({ settings: { webDomain: 'panel.example.com' }, mount: [testRoutes] });
    afterTest(() => named.close());
    const authorization = `Bearer ${await named.token()}`;
    const statusFor = async (host: string) =>
      (await send(`${named.listening.url}panel/api/test/long`, { headers: { authorization, host } })).status;
    named.settings.webDomain = 'node.example.com';
    expect(await statusFor('127.0.0.1')).toBe(403);
    expect(await statusFor('node.example.com')).toBe(403);
    expect(await statusFor('panel.example.com:9')).toBe(200);
    const refused = named.log.lines.find((line) => line.event === 'http.hostRefused');
    expect(refused?.fields).toMatchObject({
      remedy: 'open the panel as panel.example.com, or change webDomain and restart',
    });
  });
});

test('forwarded headers reach handlers only from a trusted proxy', async () => {
  const forged = {
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'panel.example.com',
  };
  const call = async () =>
    (await send(`${url}panel/api/test/who`, { method: 'POST', headers: { ...bearer(), ...forged } })).json?.obj;
  expect(await call()).toMatchObject({
    address: '203.0.113.9',
    origin: { scheme: 'https', host: 'panel.example.com' },
  });
  panel.settings.trustedProxyCIDRs = '10.0.0.0/8';
  try {
    expect(await call()).toMatchObject({ address: '127.0.0.1', origin: { scheme: 'http', host: new URL(url).host } });
  } finally {
    panel.settings.trustedProxyCIDRs = '';
  }
});
