import { readFile, rename, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import type { Logger } from '../../contract/logger.ts';

/** A job that has started and whose end has not been reported. */
const Note = z.object({ id: z.string(), kind: z.string(), title: z.string(), startedAt: z.int().min(0) });
export type JobNote = z.infer<typeof Note>;

/** Notes about jobs that outlive a panel. */
export interface JobJournal {
  /** Notes of an earlier panel. */
  readonly left: readonly JobNote[];
  /** Replaces the notes in the background. A failed write is logged: the job goes on. */
  note(jobs: readonly JobNote[]): void;
  /** Resolves when everything noted so far is on disk. */
  idle(): Promise<void>;
}

/** @param path file that is created when the first job starts; an unreadable one counts as empty. */
export async function openJobJournal(path: string, log: Logger): Promise<JobJournal> {
  let writing = Promise.resolve();
  let latest: readonly JobNote[] = [];
  let isQueued = false;

  /** Atomic; of several waiting notes only the last is written. */
  async function write(): Promise<void> {
    isQueued = false;
    const temp = `${path}.tmp`;
    try {
      await writeFile(temp, JSON.stringify(latest), { mode: 0o600 });
      await rename(temp, path);
    } catch (error) {
      log.warn('jobs.notNoted', { error });
    }
  }

  return {
    left: await readNotes(path),
    note(jobs) {
      latest = jobs.map(({ id, kind, title, startedAt }) => ({ id, kind, title, startedAt }));
      if (isQueued) return;
      isQueued = true;
      writing = writing.then(write);
    },
    idle: () => writing,
  };
}

async function readNotes(path: string): Promise<JobNote[]> {
  try {
    return z.array(Note).parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return [];
  }
}
