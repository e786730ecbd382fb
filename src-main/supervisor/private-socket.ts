import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Longest path of a unix socket that every system takes. */
const MAX_PATH_BYTES = 103;

/**
 * Where the window reaches this computer's panel: a socket in the data folder, or in the temporary folder when that
 * path is too long for a socket; a pipe with an unguessable name on Windows.
 */
export function privateSocketFor(dataDir: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return `\\\\.\\pipe\\switchyard-${randomBytes(16).toString('hex')}`;
  const beside = join(dataDir, 'window.sock');
  if (Buffer.byteLength(beside) <= MAX_PATH_BYTES) return beside;
  const folder = join(tmpdir(), `switchyard-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}.sock`;
  // Another user may have made it first, to answer in the panel's place.
  return join(isOwn(folder) ? folder : mkdtempSync(`${folder}-`), name);
}

function isOwn(folder: string): boolean {
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === userInfo().uid && (found.mode & 0o077) === 0;
}
