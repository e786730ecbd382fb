import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../contract/logger.ts';
import { endForeignProcess } from '../process/end-process.ts';
import { runningCores } from '../process/process-table.ts';

/** Configs of temporary cores, config tests and conversions: normally each is removed by its writer. */
const TEMPORARY = /^(probe|test|convert)-[0-9a-f-]{36}\.[\w.-]+$/;

/**
 * Clears what a killed panel left in its folder: temporary cores that still run, and configs with credentials in them.
 * Files younger than this process belong to it and stay.
 * @param startedAtMs when this process started
 */
export async function clearLeftBehind(folder: string, startedAtMs: number, log: Logger): Promise<void> {
  const files = (await readdir(folder)).filter((name) => TEMPORARY.test(name)).map((name) => join(folder, name));
  const stale: string[] = [];
  for (const file of files) {
    const writtenAtMs = (await stat(file).catch(() => null))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (writtenAtMs < startedAtMs) stale.push(file);
  }
  const young = files.filter((file) => !stale.includes(file));
  for (const entry of await runningCores()) {
    if (!entry.config.startsWith(join(folder, 'probe-')) || young.includes(entry.config)) continue;
    const isGone = await endForeignProcess(entry);
    log.warn('core.probeLeftBehind', { pid: entry.pid, isGone });
  }
  for (const file of stale) await rm(file, { force: true });
  if (stale.length > 0) log.info('core.configsLeftBehind', { count: stale.length });
}
