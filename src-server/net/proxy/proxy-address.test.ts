import { once } from 'node:events';
import { createServer as createHttp, type Server as HttpServer } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGuardedDialer } from '../guarded-dialer.ts';
import { parseProxyAddress } from './proxy-address.ts';
import { listening, portOf } from '../../testing/peers/local-server.ts';

const PAIR = { username: 'anna', password: 'p@ss: word' };
const SIGN_IN = 'anna:p%40ss%3A%20word';

let site: HttpServer;
let proxy: Server;
/** Targets requested from the proxies. */
let targets: string[];

/** Requests the site by a name that only the proxy knows. */
async function through(address: string): Promise<string> {
  const via = parseProxyAddress(address)!;
  const dialer = createGuardedDialer({ egress: async () => ({ via, isFar: true, takesOwnNetwork: true }) });
  const { body } = await dialer.fetch('http://far.test/', { maxBytes: 1000, timeoutMs: 5_000 });
  return String(body);
}

beforeEach(async () => {
  targets = [];
  site = createHttp((_request, response) => response.end('hello'));
  await listening(site);
});
afterEach(() => {
  site.closeAllConnections();
  site.close();
  proxy.close();
});

function join(socket: Socket): void {
  const outer = connect(portOf(site), '127.0.0.1');
  outer.on('error', () => socket.destroy());
  socket.pipe(outer).pipe(socket);
}

/** SOCKS5 that requires a user name and a password. */
async function serveSocks(socket: Socket): Promise<void> {
  socket.on('error', () => socket.destroy());
  await once(socket, 'data');
  socket.write(Uint8Array.of(5, 2));
  const [pair] = (await once(socket, 'data')) as [Buffer];
  const userEnd = 2 + (pair[1] ?? 0);
  const sent = { username: String(pair.subarray(2, userEnd)), password: String(pair.subarray(userEnd + 1)) };
  const isRight = sent.username === PAIR.username && sent.password === PAIR.password;
  socket.write(Uint8Array.of(1, isRight ? 0 : 1));
  if (!isRight) {
    socket.end();
    return;
  }
  const [request] = (await once(socket, 'data')) as [Buffer];
  targets.push(request.subarray(5, 5 + (request[4] ?? 0)).toString());
  socket.write(Uint8Array.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0));
  join(socket);
}

test('a SOCKS5 proxy gets credentials and the host name', async () => {
  proxy = createServer((socket) => void serveSocks(socket).catch(() => socket.destroy()));
  await listening(proxy);
  expect(await through(`socks5://${SIGN_IN}@127.0.0.1:${portOf(proxy)}`)).toBe('hello');
  expect(targets).toEqual(['far.test']);
  await expect(through(`socks5://anna:wrong@127.0.0.1:${portOf(proxy)}`)).rejects.toThrow(
    `far.test:80 through the proxy 127.0.0.1:${portOf(proxy)}: it refuses the user name or password`,
  );
  await expect(through(`socks5://127.0.0.1:${portOf(proxy)}`)).rejects.toThrow('another way to sign in');
});

test('an HTTP proxy opens a tunnel, and its refusal is reported', async () => {
  proxy = createHttp().on('connect', (request, socket: Socket) => {
    const pair = Buffer.from((request.headers['proxy-authorization'] ?? '').replace('Basic ', ''), 'base64');
    if (String(pair) !== `${PAIR.username}:${PAIR.password}`) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    targets.push(request.url ?? '');
    socket.write('HTTP/1.1 200 Connected\r\n\r\n');
    join(socket);
  });
  await listening(proxy);
  expect(await through(`http://${SIGN_IN}@127.0.0.1:${portOf(proxy)}`)).toBe('hello');
  expect(targets).toEqual(['far.test:80']);
  await expect(through(`http://127.0.0.1:${portOf(proxy)}`)).rejects.toThrow('it answers 407');
});

test('proxy addresses are read with their usual ports, and nothing else counts as one', () => {
  expect(parseProxyAddress('socks5://proxy.test')).toEqual({ scheme: 'socks5', host: 'proxy.test', port: 1080 });
  expect(parseProxyAddress('https://[2001:db8::1]')).toEqual({ scheme: 'https', host: '2001:db8::1', port: 443 });
  for (const text of ['', 'proxy.test:1080', 'ftp://proxy.test', 'socks4://proxy.test'])
    expect(parseProxyAddress(text)).toBeNull();
});
