import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import { Client } from 'ldapts';
import { untilAbort } from '../../concurrency.ts';
import type { Settings } from '../settings/contract.ts';
import { trustedAuthorities } from '../../net/authorities.ts';
import { secureSocket } from '../../net/connect-socket.ts';
import { createDeadline } from '../../net/deadline.ts';
import { DialError } from '../../net/dial-error.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { DirectoryStage } from './contract.ts';
import { DirectoryError, directoryError } from './directory-failure.ts';

export type DirectoryPlace = Pick<
  Settings,
  | 'ldapHost'
  | 'ldapPort'
  | 'ldapUseTLS'
  | 'ldapStartTLS'
  | 'ldapInsecureSkipVerify'
  | 'ldapAllowPrivate'
  | 'ldapBindDN'
  | 'ldapPassword'
>;

interface SessionOptions {
  dialer: Pick<GuardedDialer, 'connect'>;
  /** Time limit of each step: connection, TLS, bind, one page of a search. */
  stepMs: number;
  /** Time limit of the whole session. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/** A server that sends more than this in one session is not a directory. */
const MAX_BYTES = 256 * 1024 * 1024;
const LOOK_EVERY_MS = 250;

/**
 * One session with the directory: connection, TLS, bind, and the requests of `work`. The connection is always closed at
 * the end.
 * @throws {DirectoryError} `directory.*`, with the stage that was reached
 */
export async function withDirectory<T>(
  place: DirectoryPlace,
  { dialer, stepMs, timeoutMs, signal: caller }: SessionOptions,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  checkPlace(place);
  const host = place.ldapHost.trim();
  const bindDn = place.ldapBindDN.trim();
  const deadline = createDeadline(timeoutMs, caller);
  const { signal } = deadline;
  const step = () => AbortSignal.any([signal, AbortSignal.timeout(stepMs)]);
  let stage: DirectoryStage = 'connect';
  let socket: Socket | null = null;
  const watch = setInterval(() => void (isFlooded(socket) && socket?.destroy(tooMuch())), LOOK_EVERY_MS);
  try {
    const isSecured = place.ldapUseTLS || place.ldapStartTLS;
    const tls = isSecured ? await tlsOf(place) : {};
    socket = await dialer.connect({
      host,
      port: place.ldapPort,
      allowPrivate: place.ldapAllowPrivate,
      timeoutMs: stepMs,
      signal,
    });
    // Between two steps there is no listener, and an unhandled error would end the panel; the next step reports it.
    socket.on('error', () => {});
    if (place.ldapUseTLS) {
      stage = 'tls';
      socket = await secureSocket(socket, host, { ...tls, ALPNProtocols: [] }, step());
    }
    const client = clientOver(socket, stepMs);
    if (place.ldapStartTLS && !place.ldapUseTLS) {
      stage = 'tls';
      await untilCut(step(), client.startTLS(tls));
    }
    stage = 'bind';
    if (bindDn !== '') await untilCut(step(), client.bind(bindDn, place.ldapPassword));
    stage = 'search';
    return await untilCut(signal, work(client));
  } catch (error) {
    if (caller?.aborted === true) throw new DirectoryError(stage, 'directory.stopping', {}, { cause: error });
    const limitMs = signal.aborted ? timeoutMs : isTimeout(error) ? stepMs : null;
    if (limitMs !== null)
      throw new DirectoryError(stage, 'directory.timeout', { seconds: limitMs / 1000 }, { cause: error });
    throw directoryError(stage, error);
  } finally {
    clearInterval(watch);
    deadline.close();
    socket?.destroy();
  }
}

/** Stages that a session skips. */
export const unusedStages = ({ ldapUseTLS, ldapStartTLS, ldapBindDN }: DirectoryPlace): DirectoryStage[] => [
  ...(ldapUseTLS || ldapStartTLS ? [] : (['tls'] as const)),
  ...(ldapBindDN.trim() === '' ? (['bind'] as const) : []),
];

/** @throws {DirectoryError} */
function checkPlace({ ldapHost, ldapBindDN, ldapPassword }: DirectoryPlace): void {
  if (ldapHost.trim() === '') throw new DirectoryError('connect', 'directory.noHost');
  // Such a bind succeeds anonymously, and a search then finds only what strangers may see.
  if (ldapBindDN.trim() !== '' && ldapPassword === '') throw new DirectoryError('bind', 'directory.noPassword');
}

async function tlsOf({ ldapHost, ldapInsecureSkipVerify }: DirectoryPlace) {
  const host = ldapHost.trim().replace(/^\[(.*)\]$/, '$1');
  return {
    secureContext: await trustedAuthorities(),
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: !ldapInsecureSkipVerify,
  };
}

/** Uses this connection only: the library would reconnect by itself. */
function clientOver(socket: Socket, timeout: number): Client {
  let isTaken = false;
  return new Client({
    url: 'ldap://checked.invalid',
    strictDN: false,
    timeout,
    createConnection: () => {
      if (isTaken) throw new DialError('connect', 'the directory ended the connection');
      isTaken = true;
      return socket;
    },
  });
}

/** The library waits for ever for some responses. */
const untilCut = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  untilAbort(work, signal, () => new DialError('aborted', 'given up'));

const isTimeout = (error: unknown): boolean =>
  error instanceof DialError
    ? error.code === 'timeout' || error.code === 'aborted'
    : error instanceof Error && error.message.endsWith('Operation timed out');

const isFlooded = (socket: Socket | null): boolean => socket !== null && socket.bytesRead > MAX_BYTES;
const tooMuch = () => new DirectoryError('search', 'directory.tooMany', { limit: `${MAX_BYTES / 1024 / 1024} MiB` });
