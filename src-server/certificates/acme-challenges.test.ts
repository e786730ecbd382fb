import { EventEmitter, once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { whenHelloIsRead } from './acme-challenges.ts';

/** The first bytes of a client that offers this protocol. */
async function helloOf(protocol: string): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ host: '127.0.0.1', port, ALPNProtocols: [protocol] });
  client.on('error', () => {});
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [hello] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  server.close();
  return hello;
}

test.each([
  ['acme-tls/1', true],
  ['http/1.1', false],
])('a hello that offers %s is understood in any number of pieces', async (protocol, isChallenge) => {
  const hello = await helloOf(protocol);
  for (const pieceBytes of [1, 3, 100, hello.length - 1, hello.length]) {
    const pieces = Array.from({ length: Math.ceil(hello.length / pieceBytes) }, (_, at) =>
      hello.subarray(at * pieceBytes, (at + 1) * pieceBytes),
    );
    const socket = new EventEmitter();
    const decided: [Buffer, boolean][] = [];
    const [first, ...rest] = pieces as [Buffer, ...Buffer[]];
    whenHelloIsRead(socket as Socket, first, (read, isIt) => decided.push([read, isIt]));
    for (const piece of rest) {
      expect(decided).toEqual([]);
      socket.emit('data', piece);
    }
    expect(decided).toEqual([[hello, isChallenge]]);
    expect(socket.listenerCount('data')).toBe(0);
  }
});
