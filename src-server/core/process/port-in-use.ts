import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { isAnyAddress, isSocketPath } from '../config/inbound/listen-address.ts';
import { transportsOf } from '../config/inbound/inbound-traits.ts';
import type { InboundSource } from '../config/source.ts';

type Transport = ReturnType<typeof transportsOf>[number];

/**
 * What the core would say of an inbound whose port another program has; empty where it may be able to listen. Only "in
 * use" counts: this program's rights, for instance, may be fewer than the core's.
 */
export async function portInUse(
  inbound: Pick<InboundSource, 'listen' | 'port' | 'protocol' | 'settings' | 'streamSettings'>,
): Promise<string> {
  const { listen, port } = inbound;
  if (isSocketPath(listen)) return '';
  // The core's wildcard covers both families; a machine without IPv6 has only the other one.
  const hosts = isAnyAddress(listen) ? ['::', '0.0.0.0'] : [listen.trim().replace(/^\[(.*)\]$/, '$1')];
  for (const transport of transportsOf(inbound)) {
    for (const host of hosts) {
      if (await isInUse(transport, host, port))
        return `listen ${transport} ${listen}:${port}: bind: address already in use`;
    }
  }
  return '';
}

function isInUse(transport: Transport, host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const failed = ({ code }: NodeJS.ErrnoException): void => resolve(code === 'EADDRINUSE');
    if (transport === 'tcp') {
      const server = createServer((socket) => socket.destroy()).once('error', failed);
      server.listen({ host, port }, () => server.close(() => resolve(false)));
      return;
    }
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    socket.once('error', (error) => {
      socket.close();
      failed(error);
    });
    socket.bind({ address: host, port, exclusive: true }, () => socket.close(() => resolve(false)));
  });
}
