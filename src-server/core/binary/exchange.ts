import { randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { failpoint } from '../../failpoints/failpoint.ts';
import { replaceFile, syncFile, syncFolder } from '../../durable-files.ts';

/** Working folder of an exchange; it is gone when none is under way. */
const WORK = '.exchange';
const JOURNAL = 'journal.json';

const Journal = z.object({ files: z.array(z.object({ name: z.string(), hadOld: z.boolean() })) });
type Journal = z.infer<typeof Journal>;

/** The folder in which an exchange prepares its files, emptied. */
export async function beginWork(folder: string): Promise<string> {
  await recover(folder);
  const work = join(folder, WORK);
  await mkdir(join(work, 'new'), { recursive: true, mode: 0o700 });
  return work;
}

/** Where the new version of a file is prepared. */
export function newFile(folder: string, name: string): string {
  return join(folder, WORK, 'new', name);
}

export interface Exchange {
  /** Keeps the new files: from here on there is no way back. */
  commit(): Promise<void>;
  /** Brings the old files back. */
  revert(): Promise<void>;
}

/**
 * Puts the prepared files of {@link newFile} into `folder`, each by one rename, and keeps the old ones until the
 * exchange is committed. If the program or the machine stops before that, {@link recover} brings the old ones back.
 * @param names plain file names
 */
export async function exchangeFiles(folder: string, names: readonly string[]): Promise<Exchange> {
  const old = join(folder, WORK, 'old');
  const journal: Journal = { files: [] };
  await mkdir(old, { recursive: true, mode: 0o700 });
  for (const name of names) {
    await syncFile(newFile(folder, name));
    journal.files.push({ name, hadOld: await keep(join(folder, name), join(old, name)) });
  }
  failpoint('exchange.kept');
  await writeJournal(folder, journal);
  failpoint('exchange.begun');
  try {
    for (const name of names) {
      await putInPlace(folder, newFile(folder, name), name);
      failpoint('exchange.half');
    }
    await syncFolder(folder);
    failpoint('exchange.placed');
  } catch (error) {
    await recover(folder);
    throw error;
  }
  return {
    async commit() {
      await rm(join(folder, WORK, JOURNAL));
      await syncFolder(join(folder, WORK));
      failpoint('exchange.committed');
      await removeWork(folder);
    },
    revert: () => recover(folder),
  };
}

/** Ends an interrupted exchange: the old files are back, and nothing half-written is left. */
export async function recover(folder: string): Promise<void> {
  const journal = await readJournal(folder);
  for (const { name, hadOld } of journal?.files ?? []) {
    if (!hadOld) await rm(join(folder, name), { force: true });
    // Without its old copy it is already back: the power failed in the middle of this.
    else await putInPlace(folder, join(folder, WORK, 'old', name), name).catch(ignoreMissing);
  }
  if (journal !== null) {
    await syncFolder(folder);
    await rm(join(folder, WORK, JOURNAL), { force: true });
  }
  await removeWork(folder);
}

async function removeWork(folder: string): Promise<void> {
  // On Windows a running program cannot be deleted; the next exchange or start does it.
  await rm(join(folder, WORK), { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) => {
    if (process.platform !== 'win32') throw error;
  });
}

/**
 * A second name for the old file, or a copy where the file system has no hard links. False when there is no old file.
 */
async function keep(path: string, kept: string): Promise<boolean> {
  try {
    await link(path, kept);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
  }
  try {
    await copyFile(path, kept);
    await syncFile(kept);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Windows does not replace the file of a running program, but allows renaming it. */
async function putInPlace(folder: string, from: string, name: string): Promise<void> {
  const path = join(folder, name);
  try {
    await rename(from, path);
  } catch (error) {
    if (!['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error))) throw error;
    await rename(path, join(folder, WORK, `away-${randomUUID()}`));
    await rename(from, path);
  }
  // Two names of one file: the rename did nothing.
  await rm(from, { force: true });
}

async function writeJournal(folder: string, journal: Journal): Promise<void> {
  await syncFolder(join(folder, WORK, 'old'));
  await replaceFile(join(folder, WORK, JOURNAL), JSON.stringify(journal));
}

async function readJournal(folder: string): Promise<Journal | null> {
  const text = await readFile(join(folder, WORK, JOURNAL), 'utf8').catch(ignoreMissing);
  return text === undefined ? null : Journal.parse(JSON.parse(text));
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
