import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DomainError } from '../contract/domain-error.ts';
import type { Logger } from '../contract/logger.ts';
import { replaceFile, syncFile, syncFolder } from '../durable-files.ts';
import { failpoint } from '../failpoints/failpoint.ts';
import { takeBackup } from './backups.ts';
import { checkIntegrity } from './integrity.ts';
import { keepAccessIn, readAccess, type Access } from './kept-access.ts';
import { startSqliteThread } from './sqlite/sqlite-thread.ts';

/**
 * A database that replaces the panel's at its next start. Everything is in `import/` of the data folder, and every step
 * is one rename: `staged.db` waits while `waiting.json` exists; `tried.json` exists from before the swap until the
 * panel has come up with the new database. A start that finds it, and no staged file, undoes the swap.
 */
interface Tried {
  /** Path of the consistent backup of the previous database; empty when there was none. */
  backup: string;
}

/** Content of `waiting.json`. */
export interface Waiting {
  /**
   * Of a database from another panel, whose administrators stay behind: hashes of the API tokens that came with it.
   * Absent = a database of this panel, which is restored with its own administrators and tokens.
   */
  importedTokens?: readonly string[] | undefined;
  /** `panelServers.activeSinceMs` of the panel that was active last; 0 = in a file, which has one panel. */
  lastActiveMs: number;
}

/** How the last import ended. */
export interface ImportEnd {
  atMs: number;
  outcome: 'imported' | 'undone';
  /** Name of the automatic backup of the previous database; empty when there was none. */
  backup: string;
}

/** Folder of scratch files and of a staged import. A start of the panel removes everything else from it. */
export const importFolder = (dataDir: string): string => join(dataDir, 'import');
/** Creates {@link importFolder} when it is missing. @returns its path */
export async function makeImportFolder(dataDir: string): Promise<string> {
  const folder = importFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}
const staged = (dataDir: string): string => join(importFolder(dataDir), 'staged.db');
const waiting = (dataDir: string): string => join(importFolder(dataDir), 'waiting.json');
const tried = (dataDir: string): string => join(importFolder(dataDir), 'tried.json');
const ended = (dataDir: string): string => join(importFolder(dataDir), 'ended.json');

/** The staged file, or the file about to be staged. */
export const stagedFile = staged;

/** Records how an import ended, and removes its leftovers. */
export async function endImport(dataDir: string, end: ImportEnd): Promise<void> {
  await writeEnd(dataDir, end);
  await sweep(dataDir);
}

/** Whether a database waits for the next start. Checks one file name. */
export const isImportWaiting = (dataDir: string): boolean => existsSync(waiting(dataDir));

/** As in {@link Waiting}. */
export const lastActiveMsAtStaging = async (dataDir: string): Promise<number> =>
  (await readJson<Waiting>(waiting(dataDir)))?.lastActiveMs ?? 0;

/** Whether the current database was just put in place and the panel has not come up with it yet. */
export const isImportTried = (dataDir: string): boolean => existsSync(tried(dataDir));

/**
 * Stages a checked database for the next start. Until then the present one stays in use.
 * @param file inside of {@link importFolder}, without a write-ahead log; it is moved.
 * @throws {DomainError} `import.busy` when one is already waiting.
 */
export async function stageImport(dataDir: string, file: string, how: Waiting): Promise<void> {
  if (isImportWaiting(dataDir) || isImportTried(dataDir)) throw new DomainError('import.busy');
  await syncFile(file);
  await rm(staged(dataDir), { force: true });
  await rename(file, staged(dataDir));
  failpoint('import.staged');
  await writeWhole(waiting(dataDir), how);
  failpoint('import.waiting');
}

/**
 * Withdraws a staged database. No panel may start meanwhile: the caller holds the data folder.
 * @returns whether one was waiting
 */
export async function withdrawImport(dataDir: string): Promise<boolean> {
  if (!isImportWaiting(dataDir)) return false;
  // In this order: nothing is put in place without the file.
  for (const file of [staged(dataDir), waiting(dataDir)]) await rm(file, { force: true });
  return true;
}

/**
 * At the start of the panel, before its database is opened: puts a staged database in place after a consistent backup
 * of the present one, or goes back to that backup when the start after a swap was not confirmed. Killed at any instant,
 * the next start finds either the old database or the new one whole, and goes on from there.
 */
export async function settleImport(options: {
  dataDir: string;
  file: string;
  backupFolder: string;
  clock: () => number;
  log: Logger;
}): Promise<void> {
  const { dataDir, file, backupFolder, clock, log } = options;
  if (!existsSync(importFolder(dataDir))) return;
  const before = await readJson<Tried>(tried(dataDir));
  const isStaged = existsSync(staged(dataDir));
  if (before !== null && !isStaged) {
    await undo(dataDir, file, before, clock());
    log.error('store.importUndone', { backup: before.backup });
  } else if (isStaged && (before !== null || isImportWaiting(dataDir))) {
    let complaint = await checkIntegrity(staged(dataDir)).catch(String);
    const backup = complaint === null ? (before?.backup ?? (await keepPresent(file, backupFolder, clock()))) : '';
    if (complaint === null) failpoint('import.backedUp');
    // As late as possible: a command may revoke a token while the backup is taken.
    complaint ??= await keepPresentAccess(dataDir, file).then(() => null, String);
    if (complaint === null) {
      await writeWhole(tried(dataDir), { backup } satisfies Tried);
      failpoint('import.tried');
      await putIn(staged(dataDir), file);
      failpoint('import.putIn');
      log.warn('store.importTried', { backup });
    } else {
      log.error('store.importDamaged', { reason: complaint });
      await rm(tried(dataDir), { force: true });
      await writeEnd(dataDir, { atMs: clock(), outcome: 'undone', backup: '' });
    }
  }
  await sweep(dataDir);
}

/** The panel has come up: a database that was just put in place stays. */
export async function confirmImport(dataDir: string, nowMs: number): Promise<void> {
  const before = await readJson<Tried>(tried(dataDir));
  if (before === null) return;
  await rm(tried(dataDir), { force: true });
  failpoint('import.confirming');
  await writeEnd(dataDir, { atMs: nowMs, outcome: 'imported', backup: basename(before.backup) });
}

/** How the last import ended; null when there was none. */
export const readImportEnd = (dataDir: string): Promise<ImportEnd | null> => readJson<ImportEnd>(ended(dataDir));

/** Whether a database waits that will let in whom this one lets in by then: a token revoked until then stays revoked. */
export const isAccessKept = async (dataDir: string): Promise<boolean> => (await importedTokensOf(dataDir)) !== null;

async function importedTokensOf(dataDir: string): Promise<readonly string[] | null> {
  return (await readJson<Waiting>(waiting(dataDir)))?.importedTokens ?? null;
}

/**
 * Writes who gets in here into the staged database, if that came from another panel.
 * @param read reads it in the present database
 */
export async function keepAccessAsIs(dataDir: string, read: () => Promise<Access>): Promise<void> {
  const importedTokens = await importedTokensOf(dataDir);
  if (importedTokens !== null) keepAccessIn(staged(dataDir), await read(), importedTokens);
}

async function keepPresentAccess(dataDir: string, file: string): Promise<void> {
  if (!existsSync(file)) return;
  await keepAccessAsIs(dataDir, async () => {
    const thread = startSqliteThread(file, 'readOnly');
    try {
      return await readAccess(async (sql) => (await thread.query(sql, [])).rows);
    } finally {
      await thread.close();
    }
  });
}

async function keepPresent(file: string, backupFolder: string, nowMs: number): Promise<string> {
  if (!existsSync(file)) return '';
  const thread = startSqliteThread(file, 'readOnly');
  try {
    return await takeBackup(backupFolder, 'import', nowMs, (to) => thread.backup(to));
  } finally {
    await thread.close();
  }
}

async function undo(dataDir: string, file: string, { backup }: Tried, nowMs: number): Promise<void> {
  if (backup === '') await removeDatabase(file);
  else {
    const copy = join(importFolder(dataDir), 'back.db');
    await copyFile(backup, copy);
    await syncFile(copy);
    await putIn(copy, file);
  }
  failpoint('import.undone');
  await rm(tried(dataDir), { force: true });
  await writeEnd(dataDir, { atMs: nowMs, outcome: 'undone', backup: basename(backup) });
}

/**
 * Renames a database over another one. The old one's log is written into its file and removed first: the new one must
 * never meet foreign frames, and a kill in between leaves the old one whole.
 */
async function putIn(from: string, file: string): Promise<void> {
  if (existsSync(file)) {
    await settleLog(file);
    for (const suffix of ['-wal', '-shm']) await rm(file + suffix, { force: true });
  }
  failpoint('import.logSettled');
  await rename(from, file);
  await syncFolder(dirname(file));
}

/** A file that cannot be opened has no log worth keeping: it is about to be replaced, and its backup was taken. */
async function settleLog(file: string): Promise<void> {
  const thread = startSqliteThread(file, 'readWrite');
  try {
    await thread.checkpoint();
    await thread.close();
  } catch {
    await thread.close().catch(() => undefined);
  }
}

async function removeDatabase(file: string): Promise<void> {
  for (const suffix of ['-wal', '-shm', '']) await rm(file + suffix, { force: true });
}

/** Files left by killed imports and by finished ones. */
async function sweep(dataDir: string): Promise<void> {
  const kept = new Set([tried(dataDir), ended(dataDir)]);
  for (const name of await readdir(importFolder(dataDir))) {
    const path = join(importFolder(dataDir), name);
    if (!kept.has(path)) await rm(path, { recursive: true, force: true });
  }
}

const writeEnd = (dataDir: string, end: ImportEnd): Promise<void> => writeWhole(ended(dataDir), end);

async function writeWhole(file: string, content: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await replaceFile(file, JSON.stringify(content));
}

async function readJson<T>(file: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch {
    return null;
  }
}
