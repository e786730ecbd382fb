import { createSocket } from 'node:dgram';
import { isFree } from '../core/process/free-port.ts';

/** Below the kernel's ephemeral ports. */
const FIRST = 12_000;
const PER_WORKER = 3_000;
const WORKERS = 6;

const handedOut = new Set<number>();

/**
 * A port of 127.0.0.1 that is free for TCP and UDP, and assigned once. Each of up to six workers of a test run has its
 * own ports: two cores that listen at one port both succeed (SO_REUSEPORT), and each gets half of the connections.
 */
export async function freePort(): Promise<number> {
  const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) % WORKERS;
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = FIRST + worker * PER_WORKER + Math.floor(Math.random() * PER_WORKER);
    if (handedOut.has(port) || !(await isFree('127.0.0.1', port)) || !(await isUdpFree(port))) continue;
    handedOut.add(port);
    return port;
  }
  throw new Error('no free port found');
}

function isUdpFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => socket.close(() => resolve(true)));
  });
}
