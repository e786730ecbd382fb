import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { zstdDecompressSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { createSay } from '../../http/texts.ts';
import { createGuardedDialer } from '../../net/guarded-dialer.ts';
import { DomainError } from '../../contract/domain-error.ts';
import { makeSelfSigned } from '../../testing/peers/self-signed.ts';
import { createNodeClient, isRefusal, type NodeAddress } from './node-client.ts';
import { refusalOf } from './sync/refusal.ts';
import { texts } from './texts.ts';

const TOKEN = 'token-of-the-node';
const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }
});

const { certPem, keyPem } = makeSelfSigned();

/** A server that records every request. */
async function serve(respond: RequestListener, isTls = false) {
  const requests: { request: IncomingMessage; body: Buffer }[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push({ request, body: Buffer.concat(chunks) });
      respond(request, response);
    });
  };
  const server = isTls ? createHttps({ cert: certPem, key: keyPem }, listener) : createHttp(listener);
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { requests, port: (server.address() as AddressInfo).port };
}

const says =
  (body: unknown): RequestListener =>
  (_request, response) =>
    response.end(JSON.stringify(body));
const fine = says({ success: true, msg: '', obj: { id: 7, more: 'ignored' } });

const identity = makeSelfSigned(2, { isForClients: true });
const calls = {
  dialer: createGuardedDialer(),
  clientIdentity: async () => ({ cert: identity.certPem, key: identity.keyPem }),
};

function clientOf(port: number, more: Partial<NodeAddress> = {}) {
  return createNodeClient(calls, {
    scheme: 'http',
    address: '127.0.0.1',
    port,
    basePath: '/base/',
    token: TOKEN,
    isPrivateAllowed: true,
    tlsVerifyMode: 'verify',
    pinnedCertSha256: '',
    ...more,
  });
}

const callNode = (client: ReturnType<typeof clientOf>, body?: object) =>
  client.call({
    method: body === undefined ? 'GET' : 'POST',
    path: 'some/call',
    ...(body === undefined ? {} : { body }),
    result: z.object({ id: z.int() }),
  });

/** The failure as text, as in the row of the node. */
async function failure(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DomainError)) throw new Error(`not refused: ${String(error)}`);
  return createSay(texts)(error.code, error.params);
}

test('sends the token to the path below the base path and reads the fields it needs', async () => {
  const { port, requests } = await serve(fine);
  expect(await callNode(clientOf(port))).toEqual({ id: 7 });
  const [{ request }] = requests as [(typeof requests)[number]];
  expect(request.url).toBe('/base/panel/api/some/call');
  expect(request.headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, accept: 'application/json' });
  expect(request.headers).not.toHaveProperty('x-requested-with');
});

test('a body carries its hash, and is compressed only for a node that has announced support', async () => {
  let caps = {};
  const { port, requests } = await serve((request, response) => {
    for (const [name, value] of Object.entries<string>(caps)) response.setHeader(name, value);
    fine(request, response);
  });
  const client = clientOf(port);
  const body = { text: 'x'.repeat(2_000) };
  const sha256 = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  caps = { 'X-Node-Caps': 'other, ZSTD' };
  await callNode(client, body);
  await callNode(client, body);
  await callNode(client, { text: 'short' });
  const seen = requests.map(({ request }) => request.headers);
  expect(seen.map((headers) => headers['content-encoding'])).toEqual([undefined, 'zstd', undefined]);
  expect(seen.slice(0, 2).map((headers) => headers['x-config-sha256'])).toEqual([sha256, sha256]);
  expect(JSON.parse(zstdDecompressSync(requests[1]!.body).toString())).toEqual(body);
});

test('an untrusted certificate is refused unless the operator skips the check; mutual TLS keeps it', async () => {
  const { port, requests } = await serve(fine, true);
  const unknown =
    'the certificate of the node is not from a known authority: pin its fingerprint, or give it another one';
  expect(await failure(callNode(clientOf(port, { scheme: 'https' })))).toBe(unknown);
  expect(await failure(callNode(clientOf(port, { scheme: 'https', tlsVerifyMode: 'mtls', token: '' })))).toBe(unknown);
  expect(requests).toEqual([]);
  expect(await callNode(clientOf(port, { scheme: 'https', tlsVerifyMode: 'skip' }))).toEqual({ id: 7 });
  const plain = await serve(fine);
  expect(await failure(callNode(clientOf(plain.port, { scheme: 'https', tlsVerifyMode: 'skip' })))).toBe(
    'the server speaks HTTP, not HTTPS; set the node scheme to http',
  );
});

test('describes failures in one sanitised line; only a message of the node itself is a refusal', async () => {
  const { port } = await serve((request, response) => {
    const isRead = request.method === 'GET';
    response.statusCode = isRead ? 404 : 200;
    response.end(isRead ? 'no\u001b[31m such\nplace' : '{"success":false,"msg":"client\\nnot found"}');
  });
  const client = clientOf(port);
  expect(await failure(callNode(client))).toBe(
    String.raw`HTTP 404 from remote panel: GET some/call: "no\u001b[31m such\nplace"`,
  );
  await expect(callNode(client).catch(isRefusal)).resolves.toBe(false);
  expect(await failure(callNode(client, {}))).toBe('remote: client not found');
  await expect(callNode(client, {}).catch(isRefusal)).resolves.toBe(true);
});

test('refused fields are passed on with their codes; an older node sends none', async () => {
  const newer = {
    field: 'port',
    rule: 'lte',
    param: '9',
    code: 'config.atMost',
    params: { max: 9 },
    message: 'port > 9',
  };
  const older = { field: 'tag', rule: 'format', message: 'tag\nis wrong' };
  const obj = { message: '', issues: [newer, older] };
  const { port } = await serve((_request, response) =>
    response.end(
      JSON.stringify({ success: false, msg: 'invalid', obj, error: { code: 'request.invalid', params: {} } }),
    ),
  );
  const error = await callNode(clientOf(port)).catch((thrown: DomainError) => thrown);
  expect(refusalOf(error as DomainError)).toEqual({
    code: 'node.refused',
    params: { text: 'port > 9; tag is wrong' },
    issues: [newer, { ...older, code: '', params: {}, message: 'tag is wrong' }],
  });
});

test('an invalid response, a redirect and an address of this machine’s networks are failures', async () => {
  const page = await serve((_request, response) => response.end('<html>hello</html>'));
  expect(await failure(callNode(clientOf(page.port)))).toBe('decode response: not an answer of a panel');
  const wrong = await serve(says({ success: true, obj: { id: 'seven' } }));
  expect(await failure(callNode(clientOf(wrong.port)))).toContain('decode response: ');
  const moved = await serve((_request, response) => response.writeHead(302, { location: '/elsewhere' }).end());
  expect(await failure(callNode(clientOf(moved.port)))).toBe(
    'the server redirects to another address: set the node scheme to https, or enter the address it redirects to',
  );
  expect(moved.requests).toHaveLength(1);
  const inside = await serve(fine);
  expect(await failure(callNode(clientOf(inside.port, { isPrivateAllowed: false })))).toBe(
    'blocked private/internal address 127.0.0.1: switch on “Allow a private address” for this node',
  );
  expect(await failure(callNode(clientOf(inside.port, { token: '' })))).toBe('node has no API token configured');
  expect(inside.requests).toEqual([]);
});
