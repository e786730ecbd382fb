import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer as createTcpServer, type Server } from 'node:net';
import type { AcmeChallenges } from '../../../certificates/acme-challenges.ts';
import { AcmeFailure } from '../acme/acme-failure.ts';

/** An authority's request is short. */
const LIMIT_MS = 5_000;
const MAX_CONNECTIONS = 100;

export interface ChallengePlace {
  /** Literal IP; empty = all addresses. */
  address: string;
  port: number;
  isTls: boolean;
}

/** A listener of the panel that answers authorities, too. */
export interface OwnListener {
  port: number;
  isTls: boolean;
}

/**
 * Listens for validation requests of an authority and answers nothing else. Where the panel itself listens, its own
 * listener answers.
 * @param whoHas throws an error that names the user of a taken port, if known
 * @returns stops listening
 * @throws {DomainError} `certificate.portTaken` and what `whoHas` throws, `certificate.portForbidden`, `certificate.portNoTls`,
 * `certificate.addressElsewhere`
 */
export async function listenForAuthority(
  place: ChallengePlace,
  challenges: AcmeChallenges,
  listeners: readonly OwnListener[],
  whoHas: (address: string, port: number) => Promise<void>,
): Promise<() => Promise<void>> {
  const { address, port, isTls } = place;
  const own = listeners.find((listener) => listener.port === port);
  if (own !== undefined) {
    if (isTls && !own.isTls) throw new AcmeFailure('certificate.portNoTls', { port });
    return () => Promise.resolve();
  }
  const server = isTls ? tlsListener(challenges) : httpListener(challenges);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, ...(address === '' ? {} : { host: address }) }, resolve);
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') throw new AcmeFailure('certificate.portForbidden', { port }, { cause: error });
    if (code === 'EADDRNOTAVAIL') throw new AcmeFailure('certificate.addressElsewhere', { address }, { cause: error });
    if (code !== 'EADDRINUSE') throw error;
    await whoHas(address, port);
    throw new AcmeFailure('certificate.portTaken', { port }, { cause: error });
  }
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      if ('closeAllConnections' in server) server.closeAllConnections();
    });
}

function httpListener(challenges: AcmeChallenges): HttpServer {
  const server = createHttpServer(
    { headersTimeout: LIMIT_MS, requestTimeout: LIMIT_MS, connectionsCheckingInterval: 1_000 },
    (request, response) => {
      response.setHeader('X-Content-Type-Options', 'nosniff');
      if (!challenges.respondHttp(request, response))
        response.writeHead(404, { Connection: 'close', 'Content-Length': 0 }).end();
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.on('clientError', (_error, socket) => socket.destroy());
  return server;
}

function tlsListener(challenges: AcmeChallenges): Server {
  const server = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.setTimeout(LIMIT_MS, () => socket.destroy());
    challenges.respondTls(socket);
  });
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}
