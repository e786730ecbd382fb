import { open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Flushes a file's contents so that they survive a power cut. */
export async function syncFile(path: string): Promise<void> {
  await sync(path, 'r+');
}

/** Flushes a folder so that renames in it survive a power cut. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform !== 'win32') await sync(folder, 'r');
}

async function sync(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Replaces a file, readable by its owner only (0600), as a whole or not at all; it survives a power cut once this
 * resolves.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.tmp`;
  await writeFile(unfinished, text, { mode: 0o600, flush: true });
  await rename(unfinished, path);
  await syncFolder(dirname(path));
}
