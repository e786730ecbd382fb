import { randomUUID } from 'node:crypto';
import type { Basics } from '../basics.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { Job, JobWithResult } from './contract.ts';
import { interruptedJobs, isUnfinished, newJob } from './interrupted.ts';
import type { JobJournal } from './journal.ts';

/** Handed to the work of a job. */
export interface RunningJob {
  /** Aborted when the job is cancelled or the panel stops. */
  signal: AbortSignal;
  report: (progress: { done: number; total: number; stage?: string }) => void;
}

interface JobWork {
  kind: string;
  title: string;
  /** Throws after `signal` was aborted, or returns a partial result; a result always counts as done. */
  run: (job: RunningJob) => Promise<unknown>;
}

interface StartedJob extends Job {
  /** Resolves when the work has ended, however it ended. Never rejects. */
  ended: Promise<JobWithResult>;
}

interface JobServiceDeps extends Pick<Basics, 'clock' | 'publish' | 'log'> {
  /** Text of an expected failure, for people; by default the code itself. */
  textOf?: (error: DomainError) => string;
  /** Where jobs are noted in case the panel leaves them unfinished. */
  journal?: JobJournal;
}

interface Entry {
  job: JobWithResult;
  abort: AbortController;
  ended: Promise<JobWithResult>;
}

/** Ended jobs that are kept. */
const MAX_ENDED = 30;
/** Shortest interval between progress announcements. */
const ANNOUNCE_EVERY_MS = 200;
/**
 * Work that outlives its request: started here, followed and cancelled by id. Jobs that an earlier panel left
 * unfinished are listed as failed, with `job.interrupted`.
 */
export function createJobService({ clock, publish, log, textOf = ({ code }) => code, journal }: JobServiceDeps) {
  const entries = new Map<string, Entry>();
  let announcedAtMs = 0;
  let isStopping = false;

  const list = (): Job[] => [...entries.values()].map(({ job }) => withoutResult(job)).toReversed();

  function announce(): void {
    announcedAtMs = clock();
    publish({ type: 'live', message: 'jobs', data: list() });
  }

  function forgetOldest(): void {
    const ended = [...entries.values()].filter(({ job }) => job.state !== 'running');
    ended.sort((one, other) => one.job.finishedAt - other.job.finishedAt);
    for (const { job } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) entries.delete(job.id);
  }

  function noteUnfinished(): void {
    journal?.note([...entries.values()].map(({ job }) => job).filter((job) => isUnfinished(job, isStopping)));
  }

  function listInterrupted({ left }: JobJournal): void {
    for (const job of interruptedJobs(left, clock(), textOf))
      entries.set(job.id, { job, abort: new AbortController(), ended: Promise.resolve(job) });
    forgetOldest();
    if (left.length > 0) noteUnfinished();
  }

  async function work({ kind, run }: JobWork, job: JobWithResult, signal: AbortSignal): Promise<JobWithResult> {
    const report: RunningJob['report'] = ({ done, total, stage = '' }) => {
      Object.assign(job, { done, total, stage });
      const sinceMs = clock() - announcedAtMs;
      if (job.state === 'running' && (sinceMs >= ANNOUNCE_EVERY_MS || sinceMs < 0)) announce();
    };
    try {
      const result = await run({ signal, report });
      Object.assign(job, { state: 'done', result: result ?? null });
    } catch (error) {
      if (error instanceof DomainError)
        Object.assign(job, { state: 'failed', error: textOf(error), errorCode: error.code, errorParams: error.params });
      else if (!signal.aborted) {
        log.error('jobs.failed', { kind, id: job.id, error });
        Object.assign(job, {
          state: 'failed',
          error: `unexpected error (reference ${job.id})`,
          errorParams: { reference: job.id },
        });
      }
      if (signal.aborted) Object.assign(job, { state: 'cancelled', error: '', errorCode: '', errorParams: {} });
    }
    job.finishedAt = clock();
    forgetOldest();
    noteUnfinished();
    announce();
    return { ...job };
  }

  function entryOf(id: string): Entry {
    const entry = entries.get(id);
    if (entry === undefined) throw new DomainError('job.unknown');
    return entry;
  }

  function cancelAll(): void {
    isStopping = true;
    for (const { abort } of entries.values()) abort.abort();
  }

  if (journal !== undefined) listInterrupted(journal);
  return {
    /** Starts the work at once and returns without waiting for it. */
    start(wanted: JobWork): StartedJob {
      const { kind, title } = wanted;
      const job = newJob({ id: randomUUID(), kind, title, startedAt: clock() });
      const abort = new AbortController();
      // Registered before its work can end.
      const entry: Entry = { job, abort, ended: Promise.resolve(job) };
      entries.set(job.id, entry);
      noteUnfinished();
      announce();
      entry.ended = work(wanted, job, abort.signal);
      return { ...withoutResult(job), ended: entry.ended };
    },

    /** Newest first, without results. */
    list,

    /** @throws {DomainError} `job.unknown` */
    get: (id: string): JobWithResult => ({ ...entryOf(id).job }),

    /** @throws {DomainError} `job.unknown`, `job.ended` */
    cancel(id: string): Job {
      const { job, abort } = entryOf(id);
      if (job.state !== 'running') throw new DomainError('job.ended');
      job.isCancelling = true;
      abort.abort();
      announce();
      return withoutResult(job);
    },

    /** Asks all running jobs to end, without waiting: the panel is stopping. */
    cancelAll,

    /** Cancels all jobs and waits for them. */
    async close(): Promise<void> {
      cancelAll();
      await Promise.all([...entries.values()].map(({ ended }) => ended));
      await journal?.idle();
    },
  };
}
export type JobService = ReturnType<typeof createJobService>;

function withoutResult(job: JobWithResult): Job {
  const { result: _, ...shown } = job;
  return shown;
}
