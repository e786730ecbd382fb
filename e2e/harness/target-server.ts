import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TestCertificate } from './certificate.ts';
import { listening, originOf, portOf } from '../../src-server/testing/peers/local-server.ts';

export interface TargetServer {
  url: string;
  /** Bytes written to all connections so far, headers included. */
  sentBytes(): number;
  close(): Promise<void>;
}

const CHUNK = Buffer.alloc(16 * 1024, 'x');

/**
 * The web site behind the proxy. `/bytes/N` answers N bytes; `/drip/N` answers N bytes per second until the connection
 * ends; a POST is read to its end and answered with the number of bytes received.
 */
export async function startTargetServer(host = '127.0.0.1'): Promise<TargetServer> {
  const server = createServer((request, response) => {
    const [, verb, amount] = (request.url ?? '').split('/');
    if (request.method === 'POST') {
      let received = 0;
      request.on('data', (chunk: Buffer) => (received += chunk.length));
      request.on('end', () => response.end(String(received)));
    } else if (verb === 'drip') drip(response, Number(amount));
    else response.end(Buffer.alloc(Number(amount) || 0, 'x'));
  });
  let closedBytes = 0;
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      closedBytes += socket.bytesWritten;
    });
  });
  await listening(server, host);
  return {
    sentBytes: () => [...open].reduce((sum, socket) => sum + socket.bytesWritten, closedBytes),
    url: originOf(server),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function drip(response: ServerResponse, bytesPerSec: number): void {
  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  const every = 20;
  const timer = setInterval(() => {
    let due = Math.ceil((bytesPerSec * every) / 1000);
    while (due > 0) {
      const part = Math.min(due, CHUNK.length);
      response.write(CHUNK.subarray(0, part));
      due -= part;
    }
  }, every);
  response.on('close', () => clearInterval(timer));
}

/** A TLS 1.3 site, for REALITY to imitate. */
export async function startTlsSite(certificate: TestCertificate): Promise<{ port: number; close(): Promise<void> }> {
  const server = createTlsServer(
    { cert: certificate.certPem, key: certificate.keyPem, minVersion: 'TLSv1.3', ALPNProtocols: ['h2', 'http/1.1'] },
    (socket) => {
      socket.on('error', () => socket.destroy());
      socket.resume();
    },
  );
  server.on('tlsClientError', () => {});
  await listening(server);
  return {
    port: portOf(server),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
