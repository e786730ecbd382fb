import type { Socket } from 'node:net';
import { connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ResolvedAddress } from './checked-address.ts';
import { DialError } from './dial-error.ts';
import type { DialTls } from './dial-tls.ts';
import { plainReason } from './plain-reason.ts';

/**
 * Connects to one of the given addresses, tried side by side where the system supports that, and to no other.
 * @param to `signal` ends the attempt, but not a connection already made
 */
export function connectSocket({
  host,
  port,
  addresses,
  signal,
}: {
  host: string;
  port: number;
  addresses: ResolvedAddress[];
  signal: AbortSignal;
}): Promise<Socket> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    return Promise.reject(new DialError('address', `${port} is no port`));
  return new Promise((resolve, reject) => {
    const socket = connectTcp({
      // A name that exists nowhere: only the list below resolves it.
      host: 'checked.invalid',
      port,
      autoSelectFamily: true,
      lookup: (_name, { all }, done) => {
        const [first] = addresses;
        if (all === true) done(null, addresses);
        else done(null, first?.address ?? '', first?.family);
      },
    });
    const abort = () => socket.destroy(new DialError('aborted', 'given up'));
    const fail = (cause: Error) => {
      signal.removeEventListener('abort', abort);
      reject(new DialError('connect', `${host}:${port}: ${plainReason(cause)}`, { cause }));
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    socket.once('error', fail);
    socket.once('connect', () => {
      signal.removeEventListener('abort', abort);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

/** Starts TLS over a connection and lets the caller check the peer before anything is sent. */
export function secureSocket(plain: Socket, hostname: string, tls: DialTls, signal: AbortSignal): Promise<Socket> {
  const { checkPeer, ...options } = tls;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['http/1.1'],
      host,
      // TLS does not allow an address as server name; the certificate is still checked against `host`.
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...options,
      socket: plain,
    });
    const abort = () => socket.destroy(new DialError('aborted', 'given up'));
    const fail = (cause: Error) => {
      plain.destroy();
      reject(cause instanceof DialError ? cause : new DialError('tls', `${host}: ${plainReason(cause)}`, { cause }));
    };
    signal.addEventListener('abort', abort, { once: true });
    socket.once('error', fail);
    socket.once('secureConnect', () => {
      signal.removeEventListener('abort', abort);
      const refusal = checkPeer?.(socket);
      if (refusal) socket.destroy(new DialError('tls', refusal.message, { cause: refusal }));
      else {
        socket.off('error', fail);
        resolve(socket);
      }
    });
  });
}
