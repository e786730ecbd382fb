import { chmod, lstat, rm } from 'node:fs/promises';
import type { Server } from 'node:http';

/** Longest path of a socket, without its final NUL; a longer one would silently be cut. */
const MAX_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/**
 * Listens on a Unix socket or Windows pipe that only this user may open: the entrance that no web setting can block. A
 * socket left by an earlier run is removed; the data folder's lock ensures that no process serves it any more.
 * @throws {Error} when the path is too long, or holds something other than a socket.
 */
export async function listenPrivately(server: Server, path: string): Promise<void> {
  if (process.platform === 'win32') return listen(server, path);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw new Error(`the path of the private socket is longer than ${MAX_PATH_BYTES} bytes: ${path}`);
  const found = await lstat(path).catch(() => null);
  if (found !== null && !found.isSocket()) throw new Error(`${path} exists and is no socket`);
  await rm(path, { force: true });
  // The file gets its mode when it is bound; changed afterwards, it would be open to others for a moment.
  const mask = process.umask(0o177);
  try {
    const listening = listen(server, path);
    process.umask(mask);
    await listening;
  } finally {
    process.umask(mask);
  }
  return chmod(path, 0o600);
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}
