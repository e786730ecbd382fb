import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readPidFile, type PidRecord } from './pid-file.ts';
import { describeProcess, type ProcessEntry } from './process-table.ts';

/** The core's pid file, and the config that is on its command line; below the data folder. */
export const PID_FILE = 'core.pid.json';
export const CONFIG_FILE = 'core-config.json';

/** Whether the core of this data folder runs, according to its pid file. */
export async function isCoreRunning(dataDir: string): Promise<boolean> {
  const record = readPidFile(join(dataDir, PID_FILE));
  return record !== null && (await processOfRecord(record, join(dataDir, CONFIG_FILE))) !== null;
}

/** The recorded process, if it is still the same one: process ids are reused. */
export async function processOfRecord(record: PidRecord, configPath: string): Promise<ProcessEntry | null> {
  const entry = await describeProcess(record.pid);
  if (entry === null) return null;
  const isOurBinary = entry.executable === record.binary || entry.commandLine.includes(record.binary);
  return isOurBinary && (await isSamePlace(entry.config, configPath)) ? entry : null;
}

/** Whether both paths lead to one place: the data folder may have been named through a link. */
export async function isSamePlace(one: string, other: string): Promise<boolean> {
  return one === other || (await placeOf(one)) === (await placeOf(other));
}

const placeOf = async (path: string): Promise<string> =>
  join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));
