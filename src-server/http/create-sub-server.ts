import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SubServer {
  /** @returns address with the port that was bound. @throws when the place is taken. */
  listen(place: { host: string; port: number }): Promise<string>;
  close(): Promise<void>;
}

/**
 * The subscription server's own door: apart from the panel's, without cookies, and silent about what exists. A path that
 * names no subscription is answered 404 with nothing else, whatever it looks like.
 */
export function createSubServer(): SubServer {
  const server = createServer((_request, response) => {
    response.writeHead(404, { 'Cache-Control': 'no-store' }).end();
  });
  server.headersTimeout = 5_000;
  server.requestTimeout = 10_000;
  return {
    async listen({ host, port }) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host === '' ? undefined : host, () => resolve());
      });
      const bound = (server.address() as AddressInfo).port;
      const shown = host === '' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
      return `http://${shown}:${bound}`;
    },
    async close() {
      if (!server.listening) return;
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
