import { connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { listening } from '../../../src-server/testing/peers/local-server.ts';

/** Connections through this proxy. */
export const through = new Set<Socket>();

/** A proxy in front of panels. @param delayMs before each chunk of a response is forwarded */
function pass(socket: Socket, { url }: { url: string }, delayMs: number): void {
  const inner = connect(Number(new URL(url).port), '127.0.0.1');
  through.add(socket);
  for (const end of [socket, inner]) end.on('error', () => undefined);
  socket.pipe(inner);
  inner.on('data', (piece) => setTimeout(() => socket.writable && socket.write(piece), delayMs));
  socket.once('close', () => {
    inner.destroy();
    through.delete(socket);
  });
  inner.once('close', () => socket.destroy());
}

/** A TLS proxy to a panel. @returns its address */
export function byTls(panel: { url: string }, { certPem, keyPem }: { certPem: string; keyPem: string }) {
  const server = createTls({ cert: certPem, key: keyPem }, (socket) => pass(socket, panel, 0));
  server.on('tlsClientError', () => undefined);
  return listen(panel, server, 'https');
}

/** A slow proxy to a panel. @param delayMs before each chunk of a response is forwarded */
export function slowly(panel: { url: string }, delayMs: number) {
  return listen(
    panel,
    createServer((socket) => pass(socket, panel, delayMs)),
    'http',
  );
}

async function listen(panel: { url: string }, server: Server, scheme: string) {
  const port = await listening(server);
  return {
    address: `${scheme}://127.0.0.1:${port}${new URL(panel.url).pathname}`,
    close: () => void server.close(),
  };
}
