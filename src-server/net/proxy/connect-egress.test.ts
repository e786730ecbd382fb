import { once } from 'node:events';
import { createServer as createHttp, type Server as HttpServer } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Egress } from './connect-egress.ts';
import type { DialError } from '../dial-error.ts';
import { createGuardedDialer } from '../guarded-dialer.ts';
import { listening, portOf } from '../../testing/peers/local-server.ts';

const limits = { maxBytes: 1000, timeoutMs: 5_000 };

let site: HttpServer;
let proxy: Server;
/** Targets requested from the proxy. */
let targets: string[];
let direct: number;
let way: Egress | null;
let names: Record<string, string>;

const dialer = createGuardedDialer({
  lookup: async (host) => (names[host] === undefined ? [] : [{ address: names[host], family: 4 }]),
  egress: async () => way,
});
const bodyOf = async (host: string, options = {}): Promise<string> =>
  String((await dialer.fetch(`http://${host}:${portOf(site)}/`, { ...limits, ...options })).body);

beforeEach(async () => {
  targets = [];
  direct = 0;
  names = { 'public.test': '93.184.216.34', 'inside.test': '127.0.0.1' };
  site = createHttp((_request, response) => response.end('hello'));
  site.on('connection', () => (direct += 1));
  // A SOCKS5 proxy that leads everything to the site, as one with its own DNS would.
  proxy = createServer((socket) => void serve(socket).catch(() => socket.destroy()));
  for (const server of [site, proxy]) await listening(server);
  way = { via: portOf(proxy), isFar: true };
});
afterEach(() => {
  site.closeAllConnections();
  site.close();
  proxy.close();
});

async function serve(socket: Socket): Promise<void> {
  socket.on('error', () => socket.destroy());
  await once(socket, 'data');
  socket.write(Uint8Array.of(5, 0));
  const [request] = (await once(socket, 'data')) as [Buffer];
  const name = request.subarray(5, 5 + (request[4] ?? 0)).toString();
  targets.push(name);
  if (name === 'refused.test') {
    socket.end(Uint8Array.of(5, 2, 0, 1, 0, 0, 0, 0, 0, 0));
    return;
  }
  socket.write(Uint8Array.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0));
  const outer = connect(portOf(site), '127.0.0.1');
  outer.on('error', () => socket.destroy());
  socket.pipe(outer).pipe(socket);
}

describe('an egress whose far end dials', () => {
  test('an egress that also covers the local network is used for every host, named at its far end or checked here', async () => {
    way = { via: portOf(proxy), isFar: true, takesOwnNetwork: true };
    expect(await bodyOf('inside.test')).toBe('hello');
    way = { ...way, isFar: false };
    expect(await bodyOf('inside.test', { allowPrivate: true })).toBe('hello');
    expect(targets).toHaveLength(2);
    expect(targets[0]).toBe('inside.test');
    await expect(bodyOf('inside.test')).rejects.toMatchObject({ code: 'private' });
  });

  test('receives names, even those this machine does not know or resolves wrongly', async () => {
    names['poisoned.test'] = '10.10.34.36';
    for (const host of ['public.test', 'unknown.test', 'poisoned.test', 'PUBLIC.test.'])
      expect(await bodyOf(host)).toBe('hello');
    expect(targets).toEqual(['public.test', 'unknown.test', 'poisoned.test', 'public.test']);
    await dialer.check('unknown.test', false);
  });

  test.each(['127.0.0.1', '2130706433', '[::1]', '169.254.169.254', '10.0.0.1'])(
    'is never asked for %s',
    async (host) => {
      await expect(bodyOf(host)).rejects.toMatchObject({ code: 'private' });
      expect([targets, direct]).toEqual([[], 0]);
    },
  );

  test('is never asked for a part of a name that is too long', async () => {
    // 256 bytes more than `10.0.0.1`: their number, in one byte, is 8.
    const host = `10.0.0.1.${'a.'.repeat(123)}test.test`;
    await expect(bodyOf(host)).rejects.toMatchObject({ code: 'connect' });
    expect([host.length, targets, direct]).toEqual([264, [], 0]);
  });

  test('an allowed host of the local network is dialled directly, any other goes through it', async () => {
    expect(await bodyOf('inside.test', { allowPrivate: true })).toBe('hello');
    expect(await bodyOf('127.0.0.1', { allowPrivate: true })).toBe('hello');
    expect(targets).toEqual([]);
    expect(await bodyOf('public.test', { allowPrivate: true })).toBe('hello');
    expect(targets).toEqual(['public.test']);
  });

  test('refusals and a missing proxy are reported, nothing leaves directly', async () => {
    await expect(bodyOf('refused.test')).rejects.toThrow("through the panel's outbound: the outbound refused");
    way = { via: 1, isFar: true };
    await expect(bodyOf('public.test')).rejects.toMatchObject({ code: 'connect' } satisfies Partial<DialError>);
    expect(direct).toBe(0);
  });
});

describe('an egress that dials from this machine', () => {
  beforeEach(() => void (way = { via: portOf(proxy), isFar: false }));

  test('receives the checked address', async () => {
    expect(await bodyOf('public.test')).toBe('hello');
    expect(targets).toEqual(['93.184.216.34']);
    await expect(bodyOf('inside.test')).rejects.toMatchObject({ code: 'private' });
    await expect(bodyOf('unknown.test')).rejects.toMatchObject({ code: 'unresolved' });
    expect(targets).toHaveLength(1);
  });
});

test('without one everything leaves directly', async () => {
  way = null;
  await expect(bodyOf('inside.test')).rejects.toMatchObject({ code: 'private' });
  expect(await bodyOf('inside.test', { allowPrivate: true })).toBe('hello');
  expect(targets).toEqual([]);
});
