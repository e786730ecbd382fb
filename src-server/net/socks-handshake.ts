import type { Socket } from 'node:net';

/**
 * Asks the SOCKS5 proxy at the other end of `socket` for a connection; afterwards the socket belongs to the target. A name
 * is resolved by the proxy. @throws {Error} when it refuses or ends
 */
export async function socksHandshake(socket: Socket, host: string, port: number): Promise<void> {
  socket.write(Uint8Array.of(5, 1, 0));
  await readExactly(socket, 2);
  const name = Buffer.from(host);
  socket.write(Buffer.concat([Uint8Array.of(5, 1, 0, 3, name.length), name, Uint8Array.of(port >> 8, port & 255)]));
  const head = await readExactly(socket, 4);
  if (head[1] !== 0) throw new Error('the outbound refused the connection');
  const length = head[3] === 1 ? 4 : head[3] === 4 ? 16 : (await readExactly(socket, 1))[0]!;
  await readExactly(socket, length + 2);
}

function readExactly(socket: Socket, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const finish = (): void => void socket.off('readable', take).off('close', fail);
    const fail = (): void => {
      finish();
      reject(new Error('the connection was closed'));
    };
    const take = (): void => {
      const bytes = socket.read(length) as Buffer | null;
      if (bytes === null) return;
      finish();
      resolve(bytes);
    };
    socket.on('readable', take).once('close', fail);
    take();
  });
}
