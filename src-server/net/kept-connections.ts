import type { Socket } from 'node:net';
import { Pool, type buildConnector } from 'undici';

/** Connections to one server that outlive an exchange. */
export type KeptConnections = Pick<Pool, 'request' | 'close'>;

/** An idle connection ends after this. */
const IDLE_MS = 60_000;
const SOCKETS = 8;

/**
 * Connections to one server, made by `connect`: for one exchange, or kept between exchanges. The checks made when it
 * was opened, of its address and its certificate, hold as long as it is open. `close` lets exchanges under way end.
 */
export function connectionsTo(
  { origin }: URL,
  connect: () => Promise<Socket>,
  { isKept }: { isKept: boolean },
): KeptConnections {
  return new Pool(origin, {
    connect: (_options, done) => void dial(connect, done),
    connections: isKept ? SOCKETS : 1,
    // No connection is kept: the other side is told to close it after its response.
    pipelining: isKept ? 1 : 0,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxHeaderSize: 65_536,
    // The deadline of the exchange applies.
    headersTimeout: 0,
  });
}

async function dial(connect: () => Promise<Socket>, done: buildConnector.Callback): Promise<void> {
  let socket: Socket;
  try {
    socket = await connect();
  } catch (error) {
    done(error as Error, null);
    return;
  }
  done(null, socket);
}
