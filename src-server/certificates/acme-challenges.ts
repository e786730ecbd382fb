import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createServer as createTlsServer, type SecureContext, type Server as TlsServer } from 'node:tls';

const PATH = '/.well-known/acme-challenge/';
/** Name of the protocol by which an authority validates over TLS (RFC 8737). */
const ALPN = 'acme-tls/1';
/** A client's handshake message is never longer; one that claims to be is not waited for. */
const MAX_HELLO_BYTES = 16 * 1024 + 5;
/** Record type, version and length. */
const RECORD_HEADER_BYTES = 5;
/** How long an authority may stay silent after connecting, in ms. */
const HANDSHAKE_MS = 5_000;

/** Responses to authorities while orders run; empty at any other time. Every listener of the panel consults it. */
export function createAcmeChallenges() {
  const keyAuthorizations = new Map<string, string>();
  const certificates = new Map<string, SecureContext>();
  let server: TlsServer | null = null;

  /** Presents the certificate that answers the challenge; no data is ever sent over the connection. */
  function tlsServer(): TlsServer {
    const made = createTlsServer({
      ALPNProtocols: [ALPN],
      handshakeTimeout: HANDSHAKE_MS,
      minVersion: 'TLSv1.2',
      SNICallback(name, done) {
        const found = certificates.get(name.toLowerCase());
        if (found === undefined) done(new Error('nobody waits for this name'));
        else done(null, found);
      },
    });
    made.on('secureConnection', (socket) => socket.on('error', () => socket.destroy()).end());
    made.on('tlsClientError', (_error, socket) => socket.destroy());
    return made;
  }

  return {
    /** Answers an authority's challenge over HTTP. @returns false when no order waits for it */
    respondHttp(request: IncomingMessage, response: ServerResponse): boolean {
      const { method, url = '' } = request;
      if (keyAuthorizations.size === 0 || (method !== 'GET' && method !== 'HEAD') || !url.startsWith(PATH))
        return false;
      const keyAuthorization = keyAuthorizations.get(url.slice(PATH.length));
      if (keyAuthorization === undefined) return false;
      response
        .writeHead(200, { 'Content-Type': 'application/octet-stream', Connection: 'close' })
        .end(keyAuthorization);
      return true;
    },
    /** Whether challenges over TLS may come. */
    isExpectingTls: (): boolean => certificates.size > 0,
    /** Takes a connection that begins with a TLS handshake, before anything is read from it. */
    respondTls(socket: Socket): void {
      server ??= tlsServer();
      server.emit('connection', socket);
    },
    /** @returns ends the challenge */
    offerHttp(token: string, keyAuthorization: string): () => void {
      keyAuthorizations.set(token, keyAuthorization);
      return () => keyAuthorizations.delete(token);
    },
    /** @returns ends the challenge */
    offerTls(name: string, certificate: SecureContext): () => void {
      certificates.set(name, certificate);
      return () => {
        if (certificates.get(name) === certificate) certificates.delete(name);
      };
    },
  };
}
export type AcmeChallenges = ReturnType<typeof createAcmeChallenges>;

/**
 * Whether a client's first bytes are an authority's challenge. They come in several pieces where the hello is longer
 * than a packet.
 * @param first begins with a TLS handshake record
 * @param decide receives everything that was read
 */
export function whenHelloIsRead(
  socket: Socket,
  first: Buffer,
  decide: (read: Buffer, isChallenge: boolean) => void,
): void {
  let read = first;
  const look = (): boolean => {
    const length = read.length < RECORD_HEADER_BYTES ? Infinity : read.readUInt16BE(3) + RECORD_HEADER_BYTES;
    return read.length < Math.min(length, MAX_HELLO_BYTES);
  };
  const end = (): void => decide(read, read.includes(ALPN));
  if (!look()) return end();
  const take = (chunk: Buffer): void => {
    read = Buffer.concat([read, chunk]);
    if (look()) return;
    socket.removeListener('data', take);
    end();
  };
  socket.on('data', take);
}
