import { access, constants, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectKeyFile, KEY_FILE } from '../../store/secrets/secret-key.ts';
import { fine, shellWord, todo, type Finding } from './finding.ts';

/** Bytes for the log files and a few backups of a medium-sized panel. */
const ENOUGH_BYTES = 500 * 1024 * 1024;

/** Permissions of the data folder, the key file, and free space. */
export async function checkFiles(dataDir: string): Promise<Finding[]> {
  return [await checkFolder(dataDir), await checkKeyFile(dataDir), await checkSpace(dataDir)];
}

async function checkFolder(dataDir: string): Promise<Finding> {
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return todo(`This user may not write to ${dataDir}. Run the command as the user the panel runs as.`);
  }
  const { mode } = await stat(dataDir);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    return todo(
      `Other users can look into ${dataDir}, which holds credentials. Close it: chmod 700 ${shellWord(dataDir)}`,
    );
  return fine('The data folder is writable, and closed to other users.');
}

async function checkKeyFile(dataDir: string): Promise<Finding> {
  const file = join(dataDir, KEY_FILE);
  const state = await inspectKeyFile(dataDir);
  if (state === 'ok') return fine('The key file is there and only its owner can read it.');
  if (state === 'inKeyStore') return fine("The key is in the operating system's key store.");
  if (state === 'missing') return fine('There is no key file yet; the next start makes one.');
  if (state === 'unreadable') return todo(`${file} cannot be read. Give it back to the user the panel runs as.`);
  if (state === 'damaged')
    return todo(`${file} is damaged. Put it back from a copy, or start the panel and enter all secrets again.`);
  return todo(`Others can read ${file} (mode ${state.openTo}). Close it: chmod 600 ${shellWord(file)}`);
}

async function checkSpace(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir);
  const freeBytes = bavail * bsize;
  const free = `${(freeBytes / 1024 ** 3).toFixed(1)} GiB`;
  if (freeBytes >= ENOUGH_BYTES) return fine(`${free} are free on the disk of the data folder.`);
  return todo(`Only ${free} are free on the disk of the data folder. Make room: a full disk stops every change.`);
}
