import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer, type Server as TlsServer, type TLSSocket } from 'node:tls';
import { whenHelloIsRead, type AcmeChallenges } from '../../certificates/acme-challenges.ts';
import type { CertificatePair } from './certificate-pair.ts';
import { hasBadCertificate, type ClientAuthorities } from './client-certificate.ts';
import { headerText } from '../guards/client-address.ts';
import { hostName } from '../guards/host-name.ts';
import { startDeadline } from '../request-deadline.ts';
import { endAtUnreadBody } from '../body/unread-body.ts';

/** First byte of a TLS handshake record. */
const TLS_HANDSHAKE = 0x16;

export interface ListenerLimits {
  /** For the first byte, the TLS handshake and the headers. */
  headersMs: number;
  /** For an ordinary body. */
  bodyMs: number;
  /** For any body, large uploads included. */
  uploadMs: number;
  connections: number;
}

export interface RequestHandlers {
  onRequest(request: IncomingMessage, response: ServerResponse): void;
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Headers of every response of either server, bare refusals included; pages set their own policy. */
const BARE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

/** How long an idle connection is kept, in ms. */
const KEPT_MS = 65_000;

/**
 * An HTTP server with our time limits, not listening yet. Responses may take any time; only WebSocket upgrades are
 * upgrades.
 * @param challenges handled before anything else, whatever host they name
 */
export function createHttpListener(
  limits: ListenerLimits,
  handlers: RequestHandlers,
  challenges?: AcmeChallenges,
): Server {
  const take = (request: IncomingMessage, response: ServerResponse) => {
    if (challenges?.respondHttp(request, response) === true) return;
    for (const [name, value] of Object.entries(BARE_HEADERS)) response.setHeader(name, value);
    if (namesTwoHosts(request)) return refuseMalformed(response);
    startDeadline(request, response, limits.bodyMs);
    endAtUnreadBody(request, response);
    handlers.onRequest(request, response);
  };
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.uploadMs,
      connectionsCheckingInterval: Math.min(limits.headersMs, 1_000),
      shouldUpgradeCallback: (request) => headerText(request.headers.upgrade).toLowerCase() === 'websocket',
    },
    take,
  );
  // A client that waits for 100 Continue gets it from the body reader, after its length has been checked.
  server.on('checkContinue', take);
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (namesTwoHosts(request)) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else handlers.onUpgrade(request, socket, head);
  });
  // Longer than the interval between two requests of a page or of a panel above.
  server.keepAliveTimeout = KEPT_MS;
  server.maxConnections = limits.connections;
  return server;
}

interface TlsOptions {
  authorities: ClientAuthorities | null;
  limits: ListenerLimits;
  challenges: AcmeChallenges | undefined;
}

/**
 * Makes a listener speak TLS. The first byte of a connection tells what the client speaks; plain HTTP is redirected to
 * the same address under https instead of being dropped. The returned TLS server accepts new certificates while it
 * runs.
 */
export function serveTls(
  server: Server,
  pair: CertificatePair,
  { authorities, limits, challenges }: TlsOptions,
): TlsServer {
  const [serve] = server.listeners('connection') as ((socket: Duplex) => void)[];
  if (serve === undefined) throw new Error('the HTTP server takes no connections');
  const tls = createTlsServer({
    cert: pair.cert,
    key: pair.key,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: limits.headersMs,
    ...(authorities === null ? {} : { ca: authorities.pem, requestCert: true, rejectUnauthorized: false }),
  });
  tls.on('secureConnection', (socket: TLSSocket) => {
    if (authorities !== null && hasBadCertificate(socket)) socket.destroy();
    else serve.call(server, socket);
  });
  tls.on('tlsClientError', (_error, socket) => socket.destroy());

  server.removeListener('connection', serve);
  server.on('connection', (socket: Socket) => {
    const giveUp = () => socket.destroy();
    socket.setTimeout(limits.headersMs, giveUp);
    socket.once('error', giveUp);
    socket.once('end', giveUp);
    const handOver = (read: Buffer, take: () => void): void => {
      socket.pause();
      socket.setTimeout(0);
      socket.removeListener('timeout', giveUp);
      socket.removeListener('error', giveUp);
      socket.removeListener('end', giveUp);
      socket.unshift(read);
      take();
      // Both servers attach their readers synchronously; the bytes put back must reach them, not the void.
      process.nextTick(() => socket.resume());
    };
    const takeTls = (): void => {
      // HTTP sockets may be half open; under TLS that would keep the sockets of clients that have gone away.
      socket.allowHalfOpen = false;
      tls.emit('connection', socket);
    };
    socket.once('data', (first: Buffer) => {
      if (first[0] !== TLS_HANDSHAKE) handOver(first, () => serve.call(server, socket));
      else if (challenges?.isExpectingTls() === true)
        whenHelloIsRead(socket, first, (read, isChallenge) =>
          handOver(read, isChallenge ? () => challenges.respondTls(socket) : takeTls),
        );
      else handOver(first, takeTls);
    });
  });
  return tls;
}

/** Redirects plain HTTP on a TLS port; true when it did. */
export function redirectToTls(request: IncomingMessage, response: ServerResponse): boolean {
  if ((request.socket as Partial<TLSSocket>).encrypted === true) return false;
  const host = headerText(request.headers.host);
  const path = request.url?.startsWith('/') === true ? request.url : '/';
  if (hostName(host) === null) refuseMalformed(response);
  else response.writeHead(307, { Location: `https://${host}${path}`, Connection: 'close', 'Content-Length': 0 }).end();
  return true;
}

/** Node keeps the first of two; a proxy in front of the panel may use the second. */
function namesTwoHosts(request: IncomingMessage): boolean {
  return (request.headersDistinct['host']?.length ?? 0) > 1;
}

function refuseMalformed(response: ServerResponse): void {
  response.writeHead(400, { Connection: 'close', 'Content-Length': 0 }).end();
}
