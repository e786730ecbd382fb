import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { testFolder } from '../../src-server/testing/for-each-test.ts';
import { endpoint } from '../../src-server/contract/endpoint.ts';
import { getReachability } from '../../src-server/domains/server/contract.ts';
import { bind, type BindContext } from '../../src-server/http/bind.ts';
import { makeSelfSigned } from '../../src-server/testing/peers/self-signed.ts';
import { openTestPanel, type TestPanel, type TestPanelOptions } from '../../src-server/testing/panels/test-panel.ts';
import { shownCertificate } from './checked-agent.ts';
import { SavedConnection, type ConnectionSecrets } from './connection.ts';
import { localLink, remoteLink, type Link } from './link.ts';

const who = endpoint('POST', '/panel/api/test/who', {
  body: z.object({ word: z.string().default('') }),
  summary: '',
  result: z.unknown(),
});
const mount = [
  (context: BindContext) =>
    bind(context, who, ({ body, request }) => ({ kind: request.caller.kind, word: body.word, id: request.requestId })),
];

let folder: string;
let panel: TestPanel | null = null;
let link: Link | null = null;
let cookies: Record<string, string>[] = [];
beforeEach(async () => {
  folder = await testFolder();
  cookies = [];
});
afterEach(async () => {
  link?.close();
  await panel?.close();
  panel = null;
});

async function open(options: TestPanelOptions = {}): Promise<TestPanel> {
  panel = await openTestPanel({ mount, startMs: Date.now(), ...options });
  return panel;
}

async function overTls(pair = makeSelfSigned(), server: TestPanelOptions['server'] = {}): Promise<TestPanel> {
  const files = { webCertFile: join(folder, 'cert.pem'), webKeyFile: join(folder, 'key.pem') };
  await writeFile(files.webCertFile, pair.certPem);
  await writeFile(files.webKeyFile, pair.keyPem);
  return open({ settings: { ...files, webBasePath: '/base/' }, server });
}

function remote(saved: Record<string, unknown>, secrets: ConnectionSecrets = {}): Link {
  link = remoteLink(
    SavedConnection.parse({
      id: 'r',
      name: 'Remote',
      color: 'blue',
      signIn: 'session',
      trust: { mode: 'verify' },
      lastUsedAtMs: 0,
      ...saved,
    }),
    secrets,
    (changed) => cookies.push(changed),
  );
  return link;
}

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await link!.forward({
    method,
    path,
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest', ...headers },
    body: body === undefined ? null : Readable.from([JSON.stringify(body)]),
  });
  const raw = response.body instanceof Readable ? await text(response.body) : response.body.toString();
  return { ...response, text: raw, obj: raw.startsWith('{') ? (JSON.parse(raw) as { obj: unknown }).obj : undefined };
}
const fingerprint = (pem: string): string => createHash('sha256').update(new X509Certificate(pem).raw).digest('hex');

describe('the panel of this computer', () => {
  it('is reachable whatever its web settings say', async () => {
    const socket = join(folder, 'w.sock');
    await open({
      privateSocket: socket,
      isWebOptional: true,
      settings: { webDomain: 'other.example', webBasePath: '/b/', webCertFile: '/nowhere', webKeyFile: '/nowhere' },
    });
    link = localLink(async () => ({ pid: 1, socket, panel: 'http://127.0.0.1:1/b/', sub: '' }));
    const headers = { origin: 'https://evil.example', cookie: 'panel_session=x', host: 'evil.example' };
    expect(
      (await send('POST', '/panel/api/test/who', { word: 'ö' }, { 'x-request-id': 'r1', ...headers })).obj,
    ).toEqual({
      kind: 'local',
      word: 'ö',
      id: 'r1',
    });
  });
});

describe('a call with a token of its own, as the try-out of the API sends', () => {
  it.each(['the panel of this computer', 'a remote panel'])(
    'is not made with the sign-in of the window: %s',
    async (kind) => {
      const socket = join(folder, 'w.sock');
      const panel = await open({ privateSocket: socket });
      const apiToken = await panel.token();
      if (kind === 'a remote panel')
        remote({ address: panel.listening.url, signIn: 'token' }, { token: await panel.token('other') });
      else link = localLink(async () => ({ pid: 1, socket, panel: 'http://127.0.0.1:1/', sub: '' }));
      const by = (authorization: string) => send('POST', '/panel/api/test/who', {}, { authorization });
      expect((await by(`Bearer ${apiToken}`)).obj).toMatchObject({ kind: 'token' });
      expect((await by('Bearer another')).status).toBe(401);
    },
  );
});

describe('the shareable address', () => {
  const at = (addresses: string[]) => (context: BindContext) =>
    bind(context, getReachability, () => ({ addresses, hosts: [] }));
  it.each([
    [['http://192.168.1.20:2053/b/', 'http://10.0.0.7:2053/b/'], 'http://192.168.1.20:2053/b/'],
    [[], null],
  ])('of a panel with the addresses %j is %s', async (addresses, address) => {
    const socket = join(folder, 'w.sock');
    await open({ privateSocket: socket, mount: [at(addresses)], settings: { webBasePath: '/b/' } });
    link = localLink(async () => ({ pid: 1, socket, panel: 'http://127.0.0.1:1/b/', sub: '' }));
    expect(await link.address()).toBe(address);
  });
});

describe('a remote panel', () => {
  it('by password: the session stays here, and signing out deletes it', async () => {
    const { listening, admin } = await open({ settings: { webBasePath: '/base/' } });
    remote({ address: listening.url });
    const token = (await send('GET', '/csrf-token')).obj as string;
    const login = await send(
      'POST',
      '/login',
      { username: admin.username, password: admin.password },
      { 'x-csrf-token': token },
    );
    expect(login.status).toBe(200);
    expect(cookies.at(-1)).toEqual({ panel_session: expect.stringMatching(/^[\w-]{43}$/) as string });
    const mine = (await send('GET', '/panel/csrf-token')).obj as string;
    expect((await send('POST', '/panel/api/test/who', {}, { 'x-csrf-token': mine })).obj).toMatchObject({
      kind: 'session',
    });
    // Another run of the application, with the stored cookies.
    const kept = cookies.at(-1)!;
    link?.close();
    remote({ address: listening.url }, { cookies: kept });
    expect((await send('GET', '/panel/csrf-token')).obj).toBe(mine);
    await send('POST', '/logout', undefined, { 'x-csrf-token': mine });
    expect(cookies.at(-1)).toEqual({});
    expect((await send('POST', '/panel/api/test/who', {})).status).toBe(401);
  });

  it('by token, which is sent nowhere else', async () => {
    const { listening, ...opened } = await open();
    remote({ address: listening.url, signIn: 'token' }, { token: await opened.token() });
    expect((await send('POST', '/panel/api/test/who', {})).obj).toMatchObject({ kind: 'token' });
    expect(await link!.openStream()).toBeNull();
    expect(cookies).toEqual([]);
  });

  it('verifies the certificate by default', async () => {
    const { listening } = await overTls();
    remote({ address: listening.url });
    await expect(send('GET', '/csrf-token')).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });

  it('pinned: the right certificate is enough, another one does not even get the request', async () => {
    const pair = makeSelfSigned();
    const { listening, ...opened } = await overTls(pair);
    const secrets = { token: await opened.token() };
    const pin = fingerprint(pair.certPem);
    expect(await shownCertificate(listening.url)).toEqual({
      fingerprint: pin,
      subject: 'localhost',
      validToMs: new X509Certificate(pair.certPem).validToDate.getTime(),
    });
    const written = pin.toUpperCase().replaceAll(/(..)(?!$)/g, '$1:');
    remote({ address: listening.url, signIn: 'token', trust: { mode: 'pin', fingerprint: written } }, secrets);
    expect((await send('POST', '/panel/api/test/who', {})).obj).toMatchObject({ kind: 'token' });
    link?.close();
    const other = fingerprint(makeSelfSigned().certPem);
    remote({ address: listening.url, signIn: 'token', trust: { mode: 'pin', fingerprint: other } }, secrets);
    await expect(send('POST', '/panel/api/test/who', {})).rejects.toMatchObject({
      name: 'WrongCertificate',
      shown: pin,
    });
  });

  it('by a certificate of our own', async () => {
    const client = makeSelfSigned(2, { isForClients: true });
    const pair = makeSelfSigned();
    const { listening } = await overTls(pair, { clientAuthorities: client.certPem });
    const trust = { mode: 'mutual', certificate: client.certPem, fingerprint: fingerprint(pair.certPem) };
    remote({ address: listening.url, signIn: 'certificate', trust }, { clientKey: client.keyPem });
    expect((await send('POST', '/panel/api/test/who', {})).obj).toMatchObject({ kind: 'certificate' });
  });

  it('a TLS connection to a plain HTTP port fails, and an unreachable panel says so', async () => {
    const server: Server = createServer((_request, response) => response.end('plain'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const trust = { mode: 'pin', fingerprint: '0'.repeat(64) };
    remote({ address: `https://127.0.0.1:${port}/`, trust });
    await expect(send('GET', '/csrf-token')).rejects.toThrow();
    link?.close();
    server.close();
    await once(server, 'close');
    remote({ address: `http://127.0.0.1:${port}/` });
    await expect(send('GET', '/csrf-token')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('a network that goes away without a word', () => {
  /** Answers the first call of each connection, and the later ones only when it is asked to. */
  async function forgetful(): Promise<{ url: string; calls: () => number; close: () => void }> {
    let calls = 0;
    const served = new WeakSet<object>();
    const server = createServer((request, response) => {
      calls += 1;
      if (served.has(request.socket)) return;
      served.add(request.socket);
      response.end('{"obj":1}');
    });
    server.keepAliveTimeout = 60_000;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const close = (): void => {
      server.closeAllConnections();
      server.close();
    };
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, calls: () => calls, close };
  }

  it('costs no call after it: connections that may be dead are given up', async () => {
    const server = await forgetful();
    onTestFinished(server.close);
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    remote({ address: server.url });
    expect((await send('GET', '/csrf-token')).obj).toBe(1);
    link!.renew();
    expect((await send('GET', '/csrf-token')).obj).toBe(1);
    // One that is under way is given some time.
    const stuck = send('GET', '/csrf-token');
    const failed = expect(stuck).rejects.toThrow();
    await vi.waitUntil(() => server.calls() === 3);
    link!.renew();
    vi.advanceTimersByTime(10_000);
    await failed;
    expect((await send('GET', '/csrf-token')).obj).toBe(1);
  });
});
