import { once } from 'node:events';
import { connect, type AddressInfo, type Server } from 'node:net';

/** Lets a server listen on a free port of this machine. @returns the port */
export async function listening(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  return portOf(server);
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** The address of a listening HTTP server, without a path. */
export const originOf = (server: Server): string => `http://127.0.0.1:${portOf(server)}`;

/** Ends a server, and the open connections of an HTTP server. */
export async function shut(server: Server & { closeAllConnections?: () => void }): Promise<void> {
  server.close();
  server.closeAllConnections?.();
  await once(server, 'close');
}

/** Whether something listens on this port of 127.0.0.1. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
