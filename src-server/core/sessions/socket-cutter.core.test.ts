import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../binary/run-command.ts';
import { createSocketCutter, type RunTool } from './socket-cutter.ts';
import { listening, portOf } from '../../testing/peers/local-server.ts';

const run: RunTool = (program, args) =>
  runCommand(program, args, { env: { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` } });

let server: ReturnType<typeof createServer>;
const open: Socket[] = [];
beforeEach(async () => {
  server = createServer({ allowHalfOpen: true }, (socket) => open.push(socket.on('error', () => undefined)));
  // Both families on one socket, as the core listens: IPv4 peers then have mapped addresses.
  await listening(server, '::');
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
  server.close();
});

async function connectFrom(localAddress: string): Promise<{ socket: Socket; isOpen: () => boolean }> {
  const port = portOf(server);
  const host = localAddress.includes(':') ? '::1' : '127.0.0.1';
  const socket = connect({ port, host, localAddress, allowHalfOpen: true });
  open.push(socket.on('error', () => undefined));
  const accepted = once(server, 'connection');
  await once(socket, 'connect');
  await accepted;
  return { socket, isOpen: () => !socket.destroyed };
}

/** The end of a connection on the server's side. */
const atServer = (address: string): Socket => open.find(({ remoteAddress }) => remoteAddress === `::ffff:${address}`)!;

test('ends exactly the named connections, open or half closed, or says that it cannot', async () => {
  const cutter = createSocketCutter(run);
  const port = portOf(server);
  const [named, second, half, six, other] = [
    await connectFrom('127.0.0.7'),
    await connectFrom('127.0.0.7'),
    await connectFrom('127.0.0.8'),
    await connectFrom('::1'),
    await connectFrom('127.0.0.9'),
  ];
  half.socket.end();
  await once(atServer('127.0.0.8').resume(), 'end');
  const { canCut, reason } = await cutter.ability();
  const many = Array.from({ length: 450 }, (_, i) => `10.1.${i >> 8}.${i & 255}`);
  const ended = await cutter.cut([
    { port, addresses: [...many, '127.0.0.7', '127.0.0.8', '::1', 'no address', '127.0.0.7 or dst = 127.0.0.9'] },
    { port: 1, addresses: ['127.0.0.9'] },
  ]);
  if (!canCut) {
    expect(reason).not.toBe('');
    expect(ended).toEqual([]);
    expect([named, second, six, other].map(({ isOpen }) => isOpen())).toEqual([true, true, true, true]);
    return;
  }
  expect(reason).toBe('');
  expect(ended.toSorted((a, b) => (a.address < b.address ? -1 : 1))).toEqual([
    { port, address: '127.0.0.7', count: 2 },
    { port, address: '127.0.0.8', count: 1 },
    { port, address: '::1', count: 1 },
  ]);
  for (const { socket, isOpen } of [named, second, six]) if (isOpen()) await once(socket, 'close');
  other.socket.write('still here');
  await once(atServer('127.0.0.9'), 'data');
  expect(other.isOpen()).toBe(true);
});

test('says why it cannot: another system, no tool, a tool that only lists', async () => {
  expect(await createSocketCutter(run, 'win32').ability()).toEqual({
    canCut: false,
    reason: 'ending single connections is only possible on Linux',
  });
  const missing = createSocketCutter((_program, args) => run('/nonexistent/ss', args), 'linux');
  expect(await missing.ability()).toEqual({
    canCut: false,
    reason: 'the program "ss" (package iproute2) is not installed',
  });
  const calls: (readonly string[])[] = [];
  const listing = createSocketCutter((_program, args) => {
    calls.push(args);
    return Promise.resolve({ exitCode: 0, stdout: 'ESTAB 0 0 127.0.0.1:1 127.0.0.1:2\n', stderr: '', timedOut: false });
  }, 'linux');
  expect(await listing.ability()).toMatchObject({ canCut: false, reason: expect.stringContaining('CAP_NET_ADMIN') });
  expect(await listing.cut([{ port: 1, addresses: ['127.0.0.1'] }])).toEqual([]);
  expect(calls).toHaveLength(1);
});
