import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const handedOut = new Set<number>();

/** A port of 127.0.0.1 that is free for TCP and UDP, below the kernel's ephemeral range, never given out twice per run. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = 12_000 + Math.floor(Math.random() * 18_000);
    if (handedOut.has(port) || !(await isTcpFree(port)) || !(await isUdpFree(port))) continue;
    handedOut.add(port);
    return port;
  }
  throw new Error('no free port found');
}

function isTcpFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

function isUdpFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => socket.close(() => resolve(true)));
  });
}
