import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { isAnyAddress, isSocketPath } from '../core/config/inbound/listen-address.ts';

type Transport = 'tcp' | 'udp';

/**
 * Binds the place briefly to see whether another program on this machine uses it: the core shares ports silently, and
 * the kernel then distributes connections to both programs.
 * @returns the first transport in use, or null. Anything but "in use" (a privileged port, an address that comes later)
 *   is left to the core, whose rights may be greater.
 */
export async function findForeignUse(
  listen: string,
  port: number,
  transports: readonly Transport[],
): Promise<Transport | null> {
  if (isSocketPath(listen)) return null;
  const bare = listen.trim().replace(/^\[(.*)\]$/, '$1');
  // The core's wildcard covers both families; a machine without IPv6 has only the other one.
  const addresses = isAnyAddress(listen) ? ['::', '0.0.0.0'] : [bare];
  for (const transport of transports) {
    for (const address of addresses) if (await isInUse(transport, address, port)) return transport;
  }
  return null;
}

async function isInUse(transport: Transport, address: string, port: number): Promise<boolean> {
  try {
    await (transport === 'tcp' ? bindTcp(address, port) : bindUdp(address, port));
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  }
}

function bindTcp(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
}

function bindUdp(address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    socket.once('error', (error) => {
      socket.close();
      reject(error);
    });
    socket.bind({ address, port, exclusive: true }, () => socket.close(() => resolve()));
  });
}
