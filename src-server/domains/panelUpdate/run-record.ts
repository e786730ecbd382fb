import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { replaceFile } from '../../durable-files.ts';

const State = z.enum(['pending', 'success', 'failed']);

/** State of an update run; it outlives the panel that started it, and the updater may be another program. */
const RunRecord = z.object({
  runId: z.string().regex(/^\d{1,30}$/),
  state: State,
  message: z.string().max(4000).default(''),
  exitCode: z.int().default(0),
  finishedAt: z.int().min(0).default(0),
  targetVersion: z.string().max(64).default(''),
});
export type RunRecord = z.infer<typeof RunRecord>;

const NONE: RunRecord = RunRecord.parse({ runId: '0', state: 'pending' });

/** A missing or unreadable record counts as no run. */
export async function readRun(path: string): Promise<RunRecord> {
  try {
    return RunRecord.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return NONE;
  }
}

/** The updater's process, and the run it works for. */
const UpdaterProcess = z.object({ runId: z.string(), pid: z.int().positive() });
type UpdaterProcess = z.infer<typeof UpdaterProcess>;

/**
 * A separate file: once the updater has started, the record is its own, and a write by the panel could overwrite its
 * result.
 */
const processFileOf = (path: string): string => `${path}.process`;

/** The process that works for this run; null = unknown. */
export async function readUpdaterPid(path: string, runId: string): Promise<number | null> {
  try {
    const found = UpdaterProcess.parse(JSON.parse(await readFile(processFileOf(path), 'utf8')));
    return found.runId === runId ? found.pid : null;
  } catch {
    return null;
  }
}

export const writeUpdaterPid = (path: string, found: UpdaterProcess): Promise<void> =>
  replaceFile(processFileOf(path), JSON.stringify(found));

export const writeRun = (path: string, record: RunRecord): Promise<void> => replaceFile(path, JSON.stringify(record));
