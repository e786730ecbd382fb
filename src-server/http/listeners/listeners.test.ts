import { once } from 'node:events';
import { chmod, lstat, writeFile } from 'node:fs/promises';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as tlsConnect, createSecureContext, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { testFolder } from '../../testing/for-each-test.ts';
import { createAcmeChallenges } from '../../certificates/acme-challenges.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { makeSelfSigned, type SelfSigned } from '../../testing/peers/self-signed.ts';
import { send } from '../../testing/peers/test-browser.ts';
import { openTestPanel, type TestPanel, type TestPanelOptions } from '../../testing/panels/test-panel.ts';
import { bind, type BindContext } from '../bind.ts';
import { listening, portOf, shut } from '../../testing/peers/local-server.ts';

const who = endpoint('POST', '/panel/api/test/who', {
  body: z.object({}),
  summary: '',
  result: z.unknown(),
});
const host = endpoint('GET', '/panel/api/test/host', { summary: '', result: z.unknown() });
const mount = [
  (context: BindContext) => bind(context, who, ({ request }) => request.caller),
  (context: BindContext) => bind(context, host, ({ request }) => request.origin.host),
];

let folder: string;
let panel: TestPanel | null = null;
beforeEach(async () => {
  folder = await testFolder();
});
afterEach(async () => {
  await panel?.close();
  panel = null;
});

async function open(options: TestPanelOptions = {}): Promise<TestPanel> {
  panel = await openTestPanel({ mount, startMs: Date.now(), ...options });
  return panel;
}

async function writePair(pair: SelfSigned): Promise<{ webCertFile: string; webKeyFile: string }> {
  const files = { webCertFile: join(folder, 'cert.pem'), webKeyFile: join(folder, 'key.pem') };
  await writeFile(files.webCertFile, pair.certPem);
  await writeFile(files.webKeyFile, pair.keyPem);
  return files;
}

async function responseTo(
  request: ClientRequest,
  body = '',
): Promise<{ status: number; headers: IncomingMessage['headers']; text: string }> {
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
}

const overTls = (port: number, options: RequestOptions = {}) =>
  responseTo(httpsRequest({ host: '127.0.0.1', port, agent: false, rejectUnauthorized: false, ...options }));

/** Certificate that the port presents now. */
async function shownCertificate(port: number): Promise<string> {
  const socket = tlsConnect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const shown = socket.getPeerX509Certificate()?.toString() ?? '';
  socket.destroy();
  return shown.trim();
}

describe('TLS', () => {
  test('serves the pair, with HSTS unless it is forbidden', async () => {
    const files = await writePair(makeSelfSigned());
    const { listening, server } = await open({ settings: files });
    expect(listening.scheme).toBe('https');
    expect(server.problem()).toBeNull();
    const response = await overTls(listening.port);
    expect(response.status).toBe(200);
    expect(response.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    await panel?.close();
    const plain = await open({ settings: files, server: { isHstsAllowed: false } });
    expect((await overTls(plain.listening.port)).headers['strict-transport-security']).toBeUndefined();
  });

  test('plain HTTP on the TLS port is redirected to https', async () => {
    const { listening } = await open({ settings: await writePair(makeSelfSigned()) });
    const response = await send(`http://127.0.0.1:${listening.port}/panel/x?y=1`, { headers: { host: 'box:2053' } });
    expect(response).toMatchObject({ status: 307, text: '', headers: { location: 'https://box:2053/panel/x?y=1' } });
    const forged = await send(`http://127.0.0.1:${listening.port}/`, { headers: { host: 'a/b@evil' } });
    expect(forged.status).toBe(400);
  });

  test('sign-in over TLS sets a Secure cookie', async () => {
    const { listening, admin } = await open({ settings: await writePair(makeSelfSigned()) });
    const csrf = await overTls(listening.port, { path: '/csrf-token' });
    const cookie = csrf.headers['set-cookie']?.[0] ?? '';
    expect(cookie).toMatch(/^panel_csrf=[\w.-]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/);
    const login = await responseTo(
      httpsRequest({
        host: '127.0.0.1',
        port: listening.port,
        path: '/login',
        method: 'POST',
        agent: false,
        rejectUnauthorized: false,
        headers: {
          'content-type': 'application/json',
          'x-csrf-token': (JSON.parse(csrf.text) as { obj: string }).obj,
          cookie: cookie.split(';')[0],
        },
      }),
      JSON.stringify({ username: admin.username, password: admin.password }),
    );
    expect(login.headers['set-cookie']?.[0]).toMatch(
      /^panel_session=[\w-]{43}; Path=\/; Max-Age=21600; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  test('a renewed pair is loaded while running; a broken one is reported and the old one stays', async () => {
    const [first, second] = [makeSelfSigned(), makeSelfSigned()];
    const files = await writePair(first);
    const { listening, server, time, log } = await open({ settings: files });
    await writePair(second);
    await time.advance(30_000);
    expect(await shownCertificate(listening.port)).toBe(second.certPem.trim());
    await writeFile(files.webKeyFile, first.keyPem);
    await time.advance(60_000);
    expect(server.problem()).toContain('does not belong');
    expect(log.lines.filter((line) => line.event === 'http.certificateUnusable')).toHaveLength(1);
    expect(await shownCertificate(listening.port)).toBe(second.certPem.trim());
    await writePair(first);
    await time.advance(30_000);
    expect(server.problem()).toBeNull();
    expect(await shownCertificate(listening.port)).toBe(first.certPem.trim());
  });

  test('an unusable pair never means plain HTTP for the network', async () => {
    const files = { webCertFile: join(folder, 'cert.pem'), webKeyFile: join(folder, 'key.pem') };
    const degraded = await open({ settings: files, listenHost: '0.0.0.0' });
    expect(degraded.listening).toMatchObject({ scheme: 'http', host: '127.0.0.1' });
    expect(degraded.server.problem()).toContain('cannot be read');
    expect(degraded.log.lines).toContainEqual(
      expect.objectContaining({ level: 'error', event: 'http.certificateUnusable' }),
    );
    expect((await send(degraded.listening.url)).status).toBe(200);
    // As soon as the files are good, the port moves to its address and speaks TLS.
    await writePair(makeSelfSigned());
    await degraded.time.advance(30_000);
    expect(degraded.server.problem()).toBeNull();
    expect((await overTls(degraded.listening.port)).status).toBe(200);
    expect((await send(degraded.listening.url)).status).toBe(307);
  });

  test.each([
    ['only one file named', { webCertFile: 'cert.pem', webKeyFile: '' }],
    ['no such block', { webCertFile: 'key.pem', webKeyFile: 'key.pem' }],
  ])('%s', async (_name, names) => {
    await writePair(makeSelfSigned());
    const settings = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, name && join(folder, name)]));
    const { server, listening } = await open({ settings });
    expect(listening.scheme).toBe('http');
    expect(server.problem()).not.toBeNull();
  });

  test('authorities are answered on the web port while an order runs, whatever host they name', async () => {
    const challenges = createAcmeChallenges();
    const files = { ...(await writePair(makeSelfSigned())), webDomain: 'panel.example.com' };
    const { listening } = await open({ settings: files, server: { challenges } });
    const url = `http://127.0.0.1:${listening.port}/.well-known/acme-challenge/token`;
    const headers = { host: 'other.example.com' };
    const end = challenges.offerHttp('token', 'token.thumb');
    expect(await send(url, { headers })).toMatchObject({ status: 200, text: 'token.thumb' });
    end();
    expect((await send(url, { headers })).status).toBe(307);

    const proof = makeSelfSigned(2, { dnsNames: ['other.example.com'] });
    const endTls = challenges.offerTls(
      'other.example.com',
      createSecureContext({ cert: proof.certPem, key: proof.keyPem }),
    );
    const options = { host: '127.0.0.1', port: listening.port, rejectUnauthorized: false };
    const handshake = tlsConnect({ ...options, servername: 'other.example.com', ALPNProtocols: ['acme-tls/1'] });
    await once(handshake, 'secureConnect');
    expect(handshake.alpnProtocol).toBe('acme-tls/1');
    expect(handshake.getPeerX509Certificate()?.toString().trim()).toBe(proof.certPem.trim());
    // Browsers notice nothing of this.
    expect((await overTls(listening.port, { headers: { host: 'panel.example.com' } })).status).toBe(200);
    endTls();
    const late = tlsConnect({ ...options, servername: 'other.example.com', ALPNProtocols: ['acme-tls/1'] });
    await expect(once(late, 'secureConnect')).rejects.toThrow();
  });

  test('names in the certificate are names of the panel', async () => {
    const { listening } = await open({
      settings: await writePair(makeSelfSigned(2, { dnsNames: ['panel.example.com'] })),
    });
    expect((await overTls(listening.port, { headers: { host: 'panel.example.com' } })).status).toBe(200);
    expect((await overTls(listening.port, { headers: { host: 'rebound.example' } })).status).toBe(403);
  });
});

describe('client certificates', () => {
  const peer = makeSelfSigned(2, { isForClients: true });
  const call = async (port: number, options: RequestOptions = {}) =>
    responseTo(
      httpsRequest({
        host: '127.0.0.1',
        port,
        path: '/panel/api/test/who',
        method: 'POST',
        agent: false,
        rejectUnauthorized: false,
        ...options,
      }),
    );
  const openWith = async (clientAuthorities: string) =>
    open({ settings: await writePair(makeSelfSigned()), server: { clientAuthorities } });

  test('one issued by our authority signs in, without CSRF', async () => {
    const { listening } = await openWith(peer.certPem);
    const response = await call(listening.port, { cert: peer.certPem, key: peer.keyPem });
    expect(response.status).toBe(200);
    expect(JSON.parse(response.text)).toMatchObject({
      obj: { kind: 'certificate', fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    });
  });

  test('one not meant for clients does not count', async () => {
    const server = makeSelfSigned();
    const { listening } = await openWith(server.certPem);
    expect((await call(listening.port, { cert: server.certPem, key: server.keyPem })).status).toBe(404);
  });

  test('without one the caller is an ordinary visitor; a foreign one ends the connection', async () => {
    const { listening } = await openWith(peer.certPem);
    expect((await call(listening.port)).status).toBe(404);
    const other = makeSelfSigned(2, { isForClients: true });
    await expect(call(listening.port, { cert: other.certPem, key: other.keyPem })).rejects.toThrow(
      /hang up|ECONNRESET|disconnected/,
    );
  });

  test('an expired one is refused', async () => {
    const expired = makeSelfSigned(-1, { isForClients: true });
    const { listening } = await openWith(expired.certPem);
    await expect(call(listening.port, { cert: expired.certPem, key: expired.keyPem })).rejects.toThrow(
      /hang up|ECONNRESET|disconnected/,
    );
  });

  test('a resumed session of a client that never showed a certificate stays a stranger', async () => {
    const { listening } = await openWith(peer.certPem);
    const first = tlsConnect({
      host: '127.0.0.1',
      port: listening.port,
      rejectUnauthorized: false,
      minVersion: 'TLSv1.3',
    });
    const ticket = once(first, 'session') as Promise<[Buffer]>;
    const [session] = await ticket;
    first.destroy();
    const second: TLSSocket = tlsConnect({
      host: '127.0.0.1',
      port: listening.port,
      rejectUnauthorized: false,
      session,
    });
    await once(second, 'secureConnect');
    expect(second.isSessionReused()).toBe(true);
    second.write(
      'POST /panel/api/test/who HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    );
    expect(await text(second)).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('a broken bundle is reported, and the panel starts without', async () => {
    const { listening, log } = await openWith('no certificate');
    expect(log.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', event: 'http.clientAuthoritiesUnusable' }),
    );
    expect((await call(listening.port)).status).toBe(404);
  });
});

describe('private socket', () => {
  const call = (socketPath: string, options: RequestOptions = {}) =>
    responseTo(httpRequest({ socketPath, path: '/panel/api/test/who', method: 'POST', ...options }));

  test('signs in the owner of the machine, whatever the web settings say', async () => {
    const path = join(folder, 'panel.sock');
    await open({ privateSocket: path, settings: { webDomain: 'panel.example.com', webBasePath: '/base/' } });
    const options = {
      path: '/base/panel/api/test/who',
      headers: { host: 'rebound.example', origin: 'https://evil.example' },
    };
    const response = await call(path, options);
    expect(JSON.parse(response.text)).toMatchObject({ success: true, obj: { kind: 'local' } });
  });

  test('has no host: links made there name this machine as its network knows it', async () => {
    const path = join(folder, 'panel.sock');
    let lan: string | null = '192.168.1.20';
    await open({ privateSocket: path, server: { localHost: () => lan } });
    const named = async () => JSON.parse((await call(path, { method: 'GET', path: '/panel/api/test/host' })).text).obj;
    expect(await named()).toBe('192.168.1.20');
    lan = null;
    expect(await named()).toBe('localhost');
  });

  test('only this user may open it, and a stale one is replaced', async () => {
    const path = join(folder, 'panel.sock');
    const stale = createServer();
    stale.listen(path);
    await once(stale, 'listening');
    await chmod(path, 0o777);
    await open({ privateSocket: path });
    expect((await lstat(path)).mode & 0o777).toBe(0o600);
    expect((await call(path)).status).toBe(200);
    stale.close();
  });

  test('a file in its place is not deleted', async () => {
    const path = join(folder, 'panel.db');
    await writeFile(path, 'precious');
    await expect(open({ privateSocket: path, isWebOptional: true })).rejects.toThrow(/is no socket/);
    // A caller that does not depend on it gets a panel, and is told.
    const opened = await open({ privateSocket: path });
    expect((await send(opened.listening.url)).status).toBe(200);
    expect(opened.log.lines).toContainEqual(
      expect.objectContaining({ level: 'error', event: 'http.privateSocketUnusable' }),
    );
    expect((await lstat(path)).isFile()).toBe(true);
  });

  test('a path that no system accepts is refused, not cut', async () => {
    const path = join(folder, 'x'.repeat(120));
    await expect(open({ privateSocket: path, isWebOptional: true })).rejects.toThrow(/longer than/);
  });
});

describe('a taken port', () => {
  let holder: ReturnType<typeof createServer>;
  let port: number;
  beforeEach(async () => {
    holder = createServer();
    await listening(holder);
    port = portOf(holder);
  });
  afterEach(() => holder.close());

  test('is an error with its code', async () => {
    await expect(open({ listenPort: port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('does not lock the desktop window out, and is taken as soon as it is free', async () => {
    const path = join(folder, 'panel.sock');
    const opened = await open({ listenPort: port, privateSocket: path, isWebOptional: true });
    expect(opened.server.problem()).toContain('EADDRINUSE');
    const pending = responseTo(httpRequest({ socketPath: path, path: '/panel/api/test/who', method: 'POST' }));
    expect((await pending).status).toBe(200);
    await opened.time.advance(30_000);
    expect(opened.log.lines.filter((line) => line.event === 'http.portUnusable')).toHaveLength(1);
    await shut(holder);
    await opened.time.advance(30_000);
    expect(opened.server.problem()).toBeNull();
    expect(opened.listening.port).toBe(port);
    expect((await send(opened.listening.url)).status).toBe(200);
  });
});

describe('slow and stuck clients', () => {
  async function ended(socket: Socket): Promise<string> {
    socket.on('error', () => {});
    return text(socket);
  }
  const limits = { headersMs: 100, bodyMs: 100 };

  test('headers that do not end are cut off', async () => {
    const { listening } = await open({ server: { limits } });
    const socket = connect(listening.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    expect(await ended(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('a silent connection on the TLS port is cut off too, before and after its first byte', async () => {
    const { listening } = await open({ settings: await writePair(makeSelfSigned()), server: { limits } });
    expect(await ended(connect(listening.port, '127.0.0.1'))).toBe('');
    const begun = connect(listening.port, '127.0.0.1');
    begun.write(Buffer.from([0x16, 0x03]));
    expect(await ended(begun)).toBe('');
    const plain = connect(listening.port, '127.0.0.1');
    plain.write('GET / HTTP/1.1\r\n');
    expect(await ended(plain)).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });

  test('a body that does not end is cut off, read or unread', async () => {
    const opened = await open({ server: { limits } });
    const token = await opened.token();
    for (const authorization of [`Bearer ${token}`, 'Bearer nothing']) {
      const socket = connect(opened.listening.port, '127.0.0.1');
      socket.write(
        `POST /panel/api/test/who HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      );
      expect(await ended(socket)).toMatch(/^HTTP\/1\.1 (408|404) /);
    }
    expect((await send(opened.listening.url)).status).toBe(200);
  });
});

describe('closing', () => {
  test('requests in flight get their response, then the port is free', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let enter = (): void => {};
    const entered = new Promise<void>((resolve) => (enter = resolve));
    const slow = endpoint('GET', '/panel/api/test/slow', { summary: '', result: z.string() });
    const opened = await open({
      mount: [
        (context) =>
          bind(context, slow, async () => {
            enter();
            await held;
            return 'done';
          }),
      ],
    });
    const headers = { authorization: `Bearer ${await opened.token()}` };
    const pending = fetch(`${opened.listening.url}panel/api/test/slow`, { headers });
    await entered;
    const closed = opened.server.close();
    await expect(send(opened.listening.url)).rejects.toThrow(/ECONNREFUSED/);
    release();
    expect(await (await pending).json()).toMatchObject({ obj: 'done' });
    await closed;
  });

  test('a browser that left before its first request does not delay the end', async () => {
    const opened = await open({
      settings: await writePair(makeSelfSigned()),
      server: { limits: { headersMs: 60_000, closeMs: 60_000 } },
    });
    await shownCertificate(opened.listening.port);
    const silent = connect(opened.listening.port, '127.0.0.1');
    await once(silent, 'connect');
    silent.end();
    await once(silent.resume(), 'close');
    await opened.server.close();
  });

  test('connections that do not end by themselves are ended', async () => {
    const opened = await open({ server: { limits: { closeMs: 50 } } });
    const socket = connect(opened.listening.port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nHost: local');
    await send(opened.listening.url);
    const ended = text(socket);
    await opened.server.close();
    expect(await ended).toBe('');
  });
});
