import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { afterEach, expect, test } from 'vitest';
import { makeSelfSigned } from '../testing/peers/self-signed.ts';
import { createGuardedDialer } from './guarded-dialer.ts';
import type { KeptConnections } from './kept-connections.ts';
import { listening, portOf } from '../testing/peers/local-server.ts';

const dialer = createGuardedDialer();
const servers: Server[] = [];
const kept: KeptConnections[] = [];
afterEach(() => {
  for (const each of kept.splice(0)) void each.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server that answers with the number of the connection that carried the request. */
async function serve(
  make: (listener: Parameters<typeof createServer>[1]) => Server = (listener) => createServer(listener),
) {
  let connections = 0;
  const numbers = new WeakMap<object, number>();
  const server = make((request, response) => {
    if (!numbers.has(request.socket)) numbers.set(request.socket, ++connections);
    request.resume();
    response.end(String(numbers.get(request.socket)));
  });
  servers.push(server);
  await listening(server);
  return { server, port: portOf(server), connections: () => connections };
}
function keep(url: string, options: Parameters<typeof dialer.keep>[1]): KeptConnections {
  const made = dialer.keep(url, options);
  kept.push(made);
  return made;
}
async function request(url: string, connections: KeptConnections, method = 'GET'): Promise<string> {
  const { body } = await dialer.fetch(url, { method, maxBytes: 100, timeoutMs: 5_000, kept: connections });
  // A connection is free again in the next turn of the event loop.
  await new Promise(setImmediate);
  return body.toString();
}

test('one connection serves exchange after exchange, and another one after it was closed', async () => {
  const { port, connections } = await serve();
  const url = `http://127.0.0.1:${port}/`;
  const first = dialer.keep(url, { allowPrivate: true, timeoutMs: 5_000 });
  expect([await request(url, first), await request(url, first, 'POST'), await request(url, first)]).toEqual([
    '1',
    '1',
    '1',
  ]);
  await first.close();
  expect(await request(url, keep(url, { allowPrivate: true, timeoutMs: 5_000 }))).toBe('2');
  expect(connections()).toBe(2);
});

test('a kept connection outlives its connect timeout', async () => {
  const { port, connections } = await serve();
  const url = `http://127.0.0.1:${port}/`;
  const made = keep(url, { allowPrivate: true, timeoutMs: 1_000 });
  const over = once(AbortSignal.timeout(1_050), 'abort');
  expect(await request(url, made, 'POST')).toBe('1');
  // Node's timers for such signals do not keep a process alive.
  const alive = setInterval(() => undefined, 1_000);
  await over;
  clearInterval(alive);
  expect(await request(url, made, 'POST')).toBe('1');
  expect(connections()).toBe(1);
});

test('a request is repeated over a new connection when the kept one has ended meanwhile', async () => {
  const { server, port } = await serve();
  const url = `http://127.0.0.1:${port}/`;
  const connections = keep(url, { allowPrivate: true, timeoutMs: 5_000 });
  expect(await request(url, connections)).toBe('1');
  let isCut = false;
  server.prependListener('request', (request) => {
    if (isCut) return;
    isCut = true;
    request.socket.resetAndDestroy();
  });
  expect(await request(url, connections)).toBe('2');
  // A request that may have been carried out is not sent twice.
  isCut = false;
  await expect(request(url, connections, 'POST')).rejects.toMatchObject({ code: 'connect' });
});

test('the address is checked when the connection is made', async () => {
  const { port, connections } = await serve();
  const url = `http://127.0.0.1:${port}/`;
  await expect(request(url, keep(url, { timeoutMs: 5_000 }))).rejects.toMatchObject({ code: 'private' });
  expect(connections()).toBe(0);
});

test('the certificate is checked once for each connection, before anything is sent', async () => {
  const { certPem, keyPem } = makeSelfSigned();
  const { port, connections } = await serve(
    (listener) => createTlsServer({ cert: certPem, key: keyPem }, listener) as never,
  );
  const url = `https://127.0.0.1:${port}/`;
  let looks = 0;
  let refusal: Error | undefined;
  const checkPeer = (): Error | undefined => {
    looks += 1;
    return refusal;
  };
  const tls = { rejectUnauthorized: false, checkPeer };
  const trusted = keep(url, { allowPrivate: true, timeoutMs: 5_000, tls });
  expect([await request(url, trusted), await request(url, trusted)]).toEqual(['1', '1']);
  expect(looks).toBe(1);
  refusal = new Error('not the pinned one');
  await expect(request(url, keep(url, { allowPrivate: true, timeoutMs: 5_000, tls }))).rejects.toMatchObject({
    code: 'tls',
    message: 'not the pinned one',
  });
  expect(connections()).toBe(1);
});
