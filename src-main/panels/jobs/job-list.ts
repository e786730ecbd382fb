import { randomUUID } from 'node:crypto';
import type { JobMessage, JobState, JobView } from '../../bridge/jobs.ts';
import { messageOf, JobFailure } from './job-failure.ts';

/** Finished jobs that can still be read; the oldest goes first. */
const MAX_KEPT = 50;

/** Progress reports of a running job. */
export interface Progress<R> {
  readonly signal: AbortSignal;
  /** @throws when it was cancelled */
  stopIfCancelled(): void;
  count(done: number, total: number): void;
  show(result: R): void;
  become(state: JobState): void;
}

export interface Job<R> {
  readonly id: string;
  view(): JobView<R>;
  cancel(): void;
  /** Resolves when it has ended, well or not. */
  readonly ended: Promise<void>;
}

export class Cancelled extends Error {}

/** Jobs that run by themselves and are read by id. */
export interface JobList {
  start<R>(run: (progress: Progress<R>) => Promise<void>): Job<R>;
  /** @throws {JobFailure} when it is no longer known */
  find(id: string): Job<unknown>;
  isBusy(): boolean;
}

export function createJobList(onBusy: (isBusy: boolean) => void): JobList {
  const jobs = new Map<string, Job<unknown>>();
  let running = 0;

  function start<R>(run: (progress: Progress<R>) => Promise<void>): Job<R> {
    const cancelling = new AbortController();
    const id = randomUUID();
    let [state, done, total] = ['running' as JobState, 0, 0];
    let trouble: JobMessage | null = null;
    let result: R | null = null;
    const progress: Progress<R> = {
      signal: cancelling.signal,
      stopIfCancelled() {
        if (cancelling.signal.aborted) throw new Cancelled('cancelled');
      },
      count: (now, of) => void ([done, total] = [now, of]),
      show: (shown) => void (result = shown),
      become: (next) => void (state = next),
    };
    if ((running += 1) === 1) onBusy(true);
    async function go(): Promise<void> {
      try {
        await run(progress);
        state = 'done';
      } catch (error) {
        state = error instanceof Cancelled ? 'cancelled' : 'failed';
        trouble = error instanceof Cancelled ? null : messageOf(error);
      } finally {
        if ((running -= 1) === 0) onBusy(false);
      }
    }
    const job: Job<R> = {
      id,
      view: () => ({ id, state, done, total, trouble, result }),
      cancel: () => cancelling.abort(),
      ended: go(),
    };
    jobs.set(id, job);
    for (const [old, kept] of jobs) {
      if (jobs.size <= MAX_KEPT) break;
      const { state: itsState } = kept.view();
      if (itsState !== 'running' && itsState !== 'undoing') jobs.delete(old);
    }
    return job;
  }

  return {
    start,
    find(id) {
      const job = jobs.get(id);
      if (job === undefined) throw new JobFailure('interrupted');
      return job;
    },
    isBusy: () => running > 0,
  };
}
