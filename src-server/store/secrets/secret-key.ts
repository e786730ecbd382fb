import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import { createSecrets, KEY_BYTES, type Secrets } from './secrets.ts';

/** Where the desktop shell keeps the key instead of a file: the operating system's key store. */
export interface KeyStore {
  /** Null when nothing was stored yet. */
  read(): Promise<Uint8Array | null>;
  write(key: Uint8Array): Promise<void>;
}

export const KEY_FILE = 'secret.key';

/** Content of the key file of a data folder whose key is in a {@link KeyStore}. */
const IN_KEY_STORE = 'in the key store of the operating system\n';
/** Only the owner may read the key. */
const OWNER_ONLY = 0o600;

/** State of the key file, for the doctor. `openTo` is its file mode when others than the owner may read it. */
export type KeyFileState = 'ok' | 'inKeyStore' | 'missing' | 'damaged' | 'unreadable' | { openTo: string };

/**
 * Opens the panel's secrets with the key of this data folder; the first caller makes the key. A damaged key file is
 * moved aside and a new key made: values sealed with the old key then read as lost, and the panel starts all the same.
 * @throws {DomainError} `secrets.keyUnreadable`: nothing replaces a key that may be sound
 */
export async function openSecrets(options: {
  dataDir: string;
  log: Logger;
  clock: () => number;
  keyStore?: KeyStore;
}): Promise<Secrets> {
  const { dataDir, log, clock, keyStore } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, KEY_FILE);
  const found = await readKeyFile(file);
  if (found === null) return createSecrets(await makeKey(file, keyStore));
  if (found.equals(Buffer.from(IN_KEY_STORE))) {
    const stored = (await keyStore?.read()) ?? null;
    if (stored === null) log.warn('secrets.keyElsewhere', { file });
    return createSecrets(stored);
  }
  if (found.length !== KEY_BYTES) {
    const putAside = `${file}.damaged-${clock()}`;
    await rename(file, putAside);
    log.error('secrets.damagedKeyFile', { file, putAside });
    return createSecrets(await makeKey(file, keyStore));
  }
  await closeToOthers(file, log);
  return createSecrets(found);
}

/** Checks without changing anything. */
export async function inspectKeyFile(dataDir: string): Promise<KeyFileState> {
  const file = join(dataDir, KEY_FILE);
  const found = await readKeyFile(file).catch(() => 'unreadable' as const);
  if (found === 'unreadable') return found;
  if (found === null) return 'missing';
  if (found.equals(Buffer.from(IN_KEY_STORE))) return 'inKeyStore';
  if (found.length !== KEY_BYTES) return 'damaged';
  const mode = await modeForOthers(file);
  return mode === null ? 'ok' : { openTo: mode };
}

/**
 * Secrets of this folder as readable now; changes nothing, and opens nothing without a sound key file. Where a start
 * would make a key, this one is kept nowhere.
 * @throws {DomainError} `secrets.keyUnreadable`
 */
export async function peekSecrets(dataDir: string): Promise<Secrets> {
  const found = await readKeyFile(join(dataDir, KEY_FILE));
  if (found?.equals(Buffer.from(IN_KEY_STORE))) return createSecrets(null);
  return createSecrets(found?.length === KEY_BYTES ? found : randomBytes(KEY_BYTES));
}

async function readKeyFile(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if ('code' in error && error.code === 'ENOENT') return null;
    throw new DomainError('secrets.keyUnreadable', { file, reason: error.message }, { cause: error });
  }
}

/** Makes a key that exists exactly once: when two processes start together, the second reads the first one's. */
async function makeKey(file: string, keyStore: KeyStore | undefined): Promise<Uint8Array> {
  if (keyStore !== undefined) {
    const key = (await keyStore.read()) ?? randomBytes(KEY_BYTES);
    await keyStore.write(key);
    await createOnce(file, Buffer.from(IN_KEY_STORE));
    return key;
  }
  await createOnce(file, randomBytes(KEY_BYTES));
  return readFile(file);
}

/** Creates the file with its whole content in one step; an existing one stays. */
async function createOnce(file: string, content: Buffer): Promise<void> {
  const draft = `${file}.${process.pid}-${randomBytes(6).toString('hex')}`;
  await writeFile(draft, content, { flag: 'wx', mode: OWNER_ONLY, flush: true });
  try {
    await link(draft, file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    // A file system without hard links (FAT): renaming is atomic too, but does not guard against a second process.
    if (code !== 'EEXIST') await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

async function closeToOthers(file: string, log: Logger): Promise<void> {
  const mode = await modeForOthers(file);
  if (mode === null) return;
  try {
    await chmod(file, OWNER_ONLY);
    log.warn('secrets.keyFileWasOpen', { file, mode });
  } catch {
    log.error('secrets.keyFileIsOpen', { file, mode, remedy: `chmod 600 ${file}` });
  }
}

/** `0644` when others than the owner may access the file; null when not, and on systems without such modes. */
async function modeForOthers(file: string): Promise<string | null> {
  if (process.platform === 'win32') return null;
  const { mode } = await stat(file);
  return (mode & 0o077) === 0 ? null : (mode & 0o777).toString(8).padStart(4, '0');
}
