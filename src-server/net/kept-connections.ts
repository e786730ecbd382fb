import type { Socket } from 'node:net';
import { Pool, type buildConnector } from 'undici';

/** Connections to one server that outlive an exchange. */
export type KeptConnections = Pick<Pool, 'request' | 'close'>;

/** An idle connection ends after this. */
const IDLE_MS = 60_000;
const SOCKETS = 8;

/**
 * Connections to one server, made by `connect`: for one exchange, or kept between exchanges. What a connection was checked for
 * when it was made, its address and its certificate, holds as long as it is open. `close` lets exchanges under way end.
 */
export function connectionsTo(
  { origin }: URL,
  connect: () => Promise<Socket>,
  { isKept }: { isKept: boolean },
): KeptConnections {
  return new Pool(origin, {
    connect: (_options, done) => void dial(connect, done),
    connections: isKept ? SOCKETS : 1,
    // None ahead: the other side is told to close the connection after its answer.
    pipelining: isKept ? 1 : 0,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxHeaderSize: 65_536,
    // The deadline of the exchange counts.
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
