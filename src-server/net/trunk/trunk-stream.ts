import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocket, WebSocketServer } from 'ws';
import type { Schedule } from '../../contract/schedule.ts';
import { secureSocket } from '../connect-socket.ts';
import { createDeadline } from '../deadline.ts';
import { DialError } from '../dial-error.ts';
import type { GuardedDialer } from '../guarded-dialer.ts';

/** Path below the base path of either panel. */
export const TRUNK_PATH = 'trunk';

const PING_EVERY_MS = 20_000;
/** At most a few TLS records are sent with the upgrade. */
const OPTIONS = { maxPayload: 1024 * 1024, perMessageDeflate: false } as const;

/** Completes upgrades; each socket becomes a stream. */
export function createTrunkAcceptor(schedule: Schedule) {
  const server = new WebSocketServer({ ...OPTIONS, noServer: true, clientTracking: false });
  // The other side compares the clocks: certificates from its future would silently be refused.
  server.on('headers', (headers) => headers.push(`Date: ${new Date().toUTCString()}`));
  return (request: IncomingMessage, socket: Duplex, head: Buffer, take: (stream: Duplex) => void): void =>
    server.handleUpgrade(request, socket, head, (webSocket) => take(watched(webSocket, schedule)));
}

export interface DialledTrunk {
  stream: Duplex;
  /** Clock of the other side in ms; null = not given. */
  dateMs: number | null;
}

/** A response that is not an upgrade. */
export class TrunkRefused extends Error {
  readonly status: number;
  /** Code of the refusal; empty = none given. */
  readonly code: string;
  readonly dateMs: number | null;
  constructor({ statusCode = 0, headers }: IncomingMessage) {
    super(`HTTP ${statusCode}`);
    this.status = statusCode;
    this.code = String(headers['x-error-code'] ?? '');
    this.dateMs = msOf(headers.date);
  }
}

/**
 * Opens a WebSocket to another panel. Its outer certificate is not checked: the peer is authenticated inside, where
 * both have certificates of the master's authority, so that a renewed, self-signed or missing one and proxies on the
 * way do not matter.
 * @throws {DialError} no connection
 * @throws {TrunkRefused} the other side refused
 */
export async function dialTrunk(
  url: URL,
  {
    dialer,
    schedule,
    allowPrivate,
    timeoutMs,
    signal: caller,
  }: {
    dialer: Pick<GuardedDialer, 'connect'>;
    schedule: Schedule;
    allowPrivate: boolean;
    timeoutMs: number;
    signal?: AbortSignal;
  },
): Promise<DialledTrunk> {
  const deadline = createDeadline(timeoutMs, caller);
  const { signal } = deadline;
  try {
    const isSecure = url.protocol === 'https:';
    const port = Number(url.port) || (isSecure ? 443 : 80);
    const plain = await dialer.connect({ host: url.hostname, port, allowPrivate, timeoutMs, signal });
    const socket = isSecure ? await secureSocket(plain, url.hostname, { rejectUnauthorized: false }, signal) : plain;
    // Already secured: anything sent over it from here on is plain.
    const webSocket = new WebSocket(`ws://${url.hostname}:${port}${url.pathname}${url.search}`, {
      ...OPTIONS,
      followRedirects: false,
      createConnection: () => socket,
      headers: { date: new Date().toUTCString(), 'user-agent': 'switchyard' },
    });
    return await opened(webSocket, schedule, signal);
  } catch (error) {
    throw error instanceof TrunkRefused ? error : deadline.explain(error);
  } finally {
    deadline.close();
  }
}

function opened(webSocket: WebSocket, schedule: Schedule, signal: AbortSignal): Promise<DialledTrunk> {
  return new Promise((resolve, reject) => {
    let dateMs: number | null = null;
    const abort = () => webSocket.terminate();
    signal.addEventListener('abort', abort, { once: true });
    webSocket.once('upgrade', ({ headers }) => (dateMs = msOf(headers.date)));
    webSocket.once('unexpected-response', (_request, response) => {
      reject(new TrunkRefused(response));
      webSocket.terminate();
    });
    webSocket.on('error', (cause) => reject(new DialError('connect', cause.message, { cause })));
    webSocket.once('open', () => {
      signal.removeEventListener('abort', abort);
      resolve({ stream: watched(webSocket, schedule), dateMs });
    });
  });
}

/** As a stream that ends when the other side has answered nothing between two pings: it may have vanished. */
function watched(socket: WebSocket, schedule: Schedule): Duplex {
  let isAlive = true;
  socket.on('pong', () => (isAlive = true));
  const pings = schedule.every(PING_EVERY_MS, () => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  });
  const stream = createWebSocketStream(socket);
  socket.once('close', () => {
    pings.cancel();
    // By itself it would only end, and stay open for writes that no one reads.
    stream.destroy();
  });
  // The reader learns of the end by `close`.
  stream.on('error', () => stream.destroy());
  return stream;
}

const msOf = (date: string | undefined): number | null => {
  const ms = Date.parse(date ?? '');
  return Number.isNaN(ms) ? null : ms;
};
