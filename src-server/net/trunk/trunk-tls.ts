import type { X509Certificate } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { DialError } from '../dial-error.ts';

/** Certificate and key of one side, PEM; the certificate may be followed by its authority's. */
export interface TrunkIdentity {
  cert: string;
  key: string;
}

/** The certificate that the other side presented, and whose key it has proven to hold. */
export interface TrunkPeer {
  certificate: X509Certificate;
  /** The certificate after it, as sent: nothing is proven of it; null = none. */
  issuer: X509Certificate | null;
}

const PROTOCOL = { minVersion: 'TLSv1.3', ALPNProtocols: ['h2'] } as const;

/** Name in the certificate of a node. */
export const nodeHostName = (trunkId: string): string => `${trunkId}.node.internal`;

/**
 * The master's side of the inner TLS, whichever side has dialled.
 * @param expects authority and name that the node's certificate has to have; null = the caller checks it (an enrolment)
 * @throws {DialError} `tls`, `aborted`
 */
export function secureAsMaster(
  stream: Duplex,
  identity: TrunkIdentity,
  expects: { authority: string; name: string } | null,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const socket = connect({
    socket: stream,
    ...PROTOCOL,
    ...identity,
    ...(expects === null ? { rejectUnauthorized: false } : { ca: [expects.authority], servername: expects.name }),
  });
  return settled(stream, signal, (done, fail) => {
    socket.once('secureConnect', () => done(socket));
    socket.on('error', fail);
  });
}

/**
 * The node's side of the inner TLS.
 * @param accepts whether the peer with this certificate is the master; called before anything is read
 * @throws {DialError} `tls`, `aborted`
 */
export function secureAsNode(
  stream: Duplex,
  identity: TrunkIdentity,
  accepts: (peer: TrunkPeer) => boolean,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const server = createServer({ ...PROTOCOL, ...identity, requestCert: true, rejectUnauthorized: false });
  return settled(stream, signal, (done, fail) => {
    server.once('secureConnection', (socket) => {
      socket.on('error', fail);
      const peer = peerOf(socket);
      if (peer !== null && accepts(peer)) done(socket);
      else fail(new Error('this is another master'));
    });
    server.once('tlsClientError', fail);
    server.emit('connection', stream);
  });
}

/** Null when no certificate was presented. */
export function peerOf(socket: TLSSocket): TrunkPeer | null {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return null;
  return { certificate, issuer: certificate.issuerCertificate ?? null };
}

function settled(
  stream: Duplex,
  signal: AbortSignal,
  start: (done: (socket: TLSSocket) => void, fail: (error: Error) => void) => void,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error): void => {
      stream.destroy();
      reject(new DialError('tls', cause.message, { cause }));
    };
    const abort = (): void => fail(new DialError('aborted', 'given up'));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    stream.once('close', () => fail(new Error('the other side has ended the connection')));
    start((socket) => {
      signal.removeEventListener('abort', abort);
      // Neither side always notices the end of the other.
      socket.once('close', () => stream.destroy());
      stream.once('close', () => socket.destroy());
      resolve(socket);
    }, fail);
  });
}
