import { createServer } from 'node:net';

/** A TCP port on loopback that is free at this moment. */
export const freePort = (): Promise<number> => tryListen('127.0.0.1', 0).then((port) => port ?? 0);

/** Whether a program could listen there now. */
export const isFree = async (host: string, port: number): Promise<boolean> => (await tryListen(host, port)) !== null;

function tryListen(host: string, port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(null));
    probe.listen(port, host, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : null));
    });
  });
}
