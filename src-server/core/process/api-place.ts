import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiEndpoint } from '../api/endpoint.ts';
import { freePort } from './free-port.ts';

/** Unix socket paths are limited to 103 (macOS) or 107 bytes, and the core adds `.lock`. */
const LONGEST_PATH = 100;
const SOCKET = 'core-api.sock';

/**
 * A socket in the data folder, or in our own private folder when that path is too long; a free loopback port on
 * Windows, where the core has no sockets that we could dial.
 */
export function createApiPlace(dataDir: string, platform: NodeJS.Platform = process.platform) {
  let path = join(dataDir, SOCKET);
  let privateDir = '';
  return {
    async next(): Promise<ApiEndpoint> {
      if (platform === 'win32') return { kind: 'tcp', port: await freePort() };
      if (Buffer.byteLength(path) > LONGEST_PATH) {
        privateDir = mkdtempSync(join(tmpdir(), 'sy-'));
        path = join(privateDir, SOCKET);
        if (Buffer.byteLength(path) > LONGEST_PATH) return { kind: 'tcp', port: await freePort() };
      }
      return { kind: 'unix', path };
    },
    /** Called right before a start, when no older core lives: the core does not start over a stale socket. */
    clear(endpoint: ApiEndpoint): void {
      // The core removes its socket only when it ends cleanly.
      if (endpoint.kind === 'unix') rmSync(endpoint.path, { force: true });
    },
    close(): void {
      if (privateDir !== '') rmSync(privateDir, { recursive: true, force: true });
    },
  };
}
/** Chooses where a new core process listens. */
export type ApiPlace = ReturnType<typeof createApiPlace>;
