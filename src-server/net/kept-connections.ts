import { Agent } from 'node:http';
import type { Socket } from 'node:net';

/** How a connection is made. The signal ends the attempt. */
type Connect = (signal: AbortSignal) => Promise<Socket>;

/** Connections to one server that outlive an exchange. */
export interface KeptConnections {
  readonly agent: Agent;
  /** Ends those that are idle now, and each of the others after its exchange. */
  close(): void;
}

/** An idle connection ends after this. */
const IDLE_MS = 60_000;
const SOCKETS = 8;

/**
 * Connections that are made by `connect` and kept between exchanges. What a connection was checked for when it was made, its
 * address and its certificate, holds as long as it is open.
 * @param connectMs most time to make one
 */
export function keepConnections(connect: Connect, connectMs: number): KeptConnections {
  const closing = new AbortController();
  const agent = new Agent({
    keepAlive: true,
    maxSockets: SOCKETS,
    maxFreeSockets: SOCKETS,
    timeout: IDLE_MS,
    scheduling: 'lifo',
  });
  agent.createConnection = (_options, done) => {
    void dial(done ?? (() => undefined));
    return null;
  };

  async function dial(done: (error: Error | null, socket: Socket) => void): Promise<void> {
    let socket: Socket;
    try {
      socket = await connect(AbortSignal.any([AbortSignal.timeout(connectMs), closing.signal]));
    } catch (error) {
      // A failure comes without a connection, whatever the types say.
      (done as (error: unknown) => void)(error);
      return;
    }
    done(null, socket);
  }

  const keepSocketAlive = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket) => !closing.signal.aborted && keepSocketAlive(socket);
  return {
    agent,
    close() {
      closing.abort();
      for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    },
  };
}
