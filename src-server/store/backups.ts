import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { failpoint } from '../failpoints/failpoint.ts';

/** Automatic backups kept. */
export const BACKUPS_KEPT = 10;

/** `certificates`: taken by hand, with keys sealed by its passphrase. */
export type BackupReason = 'migration' | 'stop' | 'daily' | 'import' | 'manual' | 'fleet' | 'certificates';

export interface BackupFile {
  path: string;
  takenAtMs: number;
  reason: string;
  bytes: number;
}

const NAME = /^panel-(\d{13})-([a-z]+)\.db$/;

/** Newest first. */
export async function listBackups(folder: string): Promise<BackupFile[]> {
  const names = await readdir(folder).catch(() => []);
  const found: BackupFile[] = [];
  for (const name of names) {
    const match = NAME.exec(name);
    if (match === null) continue;
    const path = join(folder, name);
    const { size } = await stat(path);
    found.push({ path, takenAtMs: Number(match[1]), reason: match[2]!, bytes: size });
  }
  return found.sort((a, b) => b.takenAtMs - a.takenAtMs);
}

/** Newest first; those from a clock that was ahead of `nowMs` come last, since nobody knows when they were taken. */
export async function likeliestFirst(folder: string, nowMs: number): Promise<BackupFile[]> {
  const all = await listBackups(folder);
  return [...all.filter(({ takenAtMs }) => takenAtMs <= nowMs), ...all.filter(({ takenAtMs }) => takenAtMs > nowMs)];
}

/**
 * Takes a consistent copy through `copy` (SQLite's backup, never a file copy) and drops what exceeds {@link BACKUPS_KEPT}.
 * Written under a temporary name first, so a crash leaves no half backup behind.
 */
export async function takeBackup(
  folder: string,
  reason: BackupReason,
  nowMs: number,
  copy: (toFile: string) => Promise<void>,
): Promise<string> {
  const path = join(folder, `panel-${String(nowMs).padStart(13, '0')}-${reason}.db`);
  const unfinished = `${path}.unfinished`;
  await rm(unfinished, { force: true });
  await copy(unfinished);
  failpoint('backup.copied');
  await rename(unfinished, path);
  // The newest by name were taken later if the clock was ahead; the one that was requested stays in any case.
  const others = (await listBackups(folder)).filter((each) => each.path !== path);
  for (const old of others.slice(BACKUPS_KEPT - 1)) await rm(old.path, { force: true });
  return path;
}
