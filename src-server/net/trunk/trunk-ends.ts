import { connect, performServerHandshake, type ClientHttp2Stream, type ServerHttp2Stream } from 'node:http2';
import type { Duplex, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { DialError } from '../dial-error.ts';
import { limitedBody } from '../limited-body.ts';

/** Window of one stream; the default of 64 KiB would make a far node slow. */
const WINDOW_BYTES = 1024 * 1024;
const SESSION_WINDOW_BYTES = 4 * WINDOW_BYTES;
const MAX_STREAMS = 64;
const MAX_MESSAGE_BYTES = 64 * 1024;
const SETTINGS = { initialWindowSize: WINDOW_BYTES, maxConcurrentStreams: MAX_STREAMS, enablePush: false };

/** How long open streams may take to end, in ms. */
const CLOSE_WITHIN_MS = 5_000;

interface TrunkEnd {
  readonly isOpen: boolean;
  /** Resolves when it has ended, for whatever reason. */
  readonly closed: Promise<void>;
  /** Closes after open streams have ended. */
  close(): void;
  destroy(): void;
}

/**
 * The master's end of a trunk: HTTP/2, whose streams are connections to the node's API (`CONNECT`) or requests about
 * the trunk itself. The master is the client, whichever side has dialled.
 */
export interface MasterEnd extends TrunkEnd {
  /** A connection to the node's API, for HTTP/1.1. @throws {DialError} `connect` */
  connect(): Promise<Duplex>;
  /** Sends the node a request about the trunk; JSON both ways. @throws {DialError} `connect`, `tooLarge`, `protocol` */
  request(path: string, body: object, signal: AbortSignal): Promise<unknown>;
}

export function openMasterEnd(socket: TLSSocket): MasterEnd {
  const session = connect('http://node.internal', { createConnection: () => socket, settings: SETTINGS });
  session.once('connect', () => session.setLocalWindowSize(SESSION_WINDOW_BYTES));
  const end = endOf(session, socket);

  /** @returns once the node has accepted the stream */
  function begin(
    headers: Record<string, string>,
    body: string | null,
    signal?: AbortSignal,
  ): Promise<ClientHttp2Stream> {
    return new Promise((resolve, reject) => {
      const fail = (cause?: Error): void =>
        reject(
          new DialError('connect', `the node has ended the connection${cause ? `: ${cause.message}` : ''}`, { cause }),
        );
      if (!end.isOpen) return fail();
      const stream = session.request(headers, { endStream: false, ...(signal === undefined ? {} : { signal }) });
      stream.on('error', fail);
      stream.once('close', () => fail());
      stream.once('response', ({ ':status': status }) => {
        if (status === 200) return resolve(stream);
        reject(new DialError('protocol', `the node answers with status ${status}`));
        stream.close();
      });
      if (body !== null) stream.end(body);
    });
  }

  return Object.assign(end, {
    connect: () => begin({ ':method': 'CONNECT', ':authority': 'node.internal' }, null),
    async request(path: string, body: object, signal: AbortSignal) {
      const stream = await begin({ ':method': 'POST', ':path': path }, JSON.stringify(body), signal);
      return readJson(stream);
    },
  });
}

/** How a node serves a trunk. */
export interface NodeEndHandlers {
  /** A connection to the API. */
  take: (stream: Duplex) => void;
  /** A request of the master about the trunk itself; null = unknown request. */
  respond: (path: string, request: unknown) => Promise<object | null>;
}

export function openNodeEnd(socket: TLSSocket, { take, respond }: NodeEndHandlers): TrunkEnd {
  const session = performServerHandshake(socket, { settings: SETTINGS });
  session.setLocalWindowSize(SESSION_WINDOW_BYTES);

  async function reply(stream: ServerHttp2Stream, path: string): Promise<void> {
    const response = await respond(path, await readJson(stream));
    stream.respond({ ':status': response === null ? 404 : 200 });
    stream.end(JSON.stringify(response ?? {}));
  }

  session.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    if (headers[':method'] === 'CONNECT') {
      stream.respond({ ':status': 200 });
      take(stream);
    } else reply(stream, headers[':path'] ?? '').catch(() => stream.close());
  });
  return endOf(session, socket);
}

function endOf(
  session: ReturnType<typeof connect> | ReturnType<typeof performServerHandshake>,
  socket: TLSSocket,
): TrunkEnd {
  // If only destroyed, a session waits for the other side to end first, which may be gone.
  const destroy = (): void => {
    session.destroy();
    socket.destroy();
  };
  session.on('error', destroy);
  const closed = new Promise<void>((resolve) => {
    session.once('close', () => {
      socket.destroy();
      resolve();
    });
    // A session does not always notice that its connection is gone.
    socket.once('close', () => session.destroy());
  });
  return {
    get isOpen() {
      return !session.closed && !session.destroyed;
    },
    closed,
    close() {
      session.close();
      setTimeout(destroy, CLOSE_WITHIN_MS).unref();
    },
    destroy,
  };
}

async function readJson(stream: Readable): Promise<unknown> {
  const body = await text(limitedBody(stream, { host: 'the other panel', maxBytes: MAX_MESSAGE_BYTES, encoding: '' }));
  try {
    return JSON.parse(body) as unknown;
  } catch (cause) {
    throw new DialError('protocol', 'the other panel says something that is no JSON', { cause });
  }
}
