import { DomainError } from '../../contract/domain-error.ts';
import type { JobWithResult } from './contract.ts';
import type { JobNote } from './journal.ts';

const INTERRUPTED = 'job.interrupted';
/** How long an unfinished job of an earlier panel is listed, from its start. */
const LISTED_FOR_MS = 24 * 60 * 60_000;
const NOT_BEGUN = {
  state: 'running' as const,
  isCancelling: false,
  done: 0,
  total: 0,
  stage: '',
  finishedAt: 0,
  error: '',
  errorCode: '',
  errorParams: {},
  result: null,
};

/** A job that starts now. */
export const newJob = (note: JobNote): JobWithResult => ({ ...NOT_BEGUN, ...note });

/** Jobs that an earlier panel left unfinished, as failed. */
export function interruptedJobs(
  left: readonly JobNote[],
  nowMs: number,
  textOf: (error: DomainError) => string,
): JobWithResult[] {
  return left
    .filter(({ startedAt }) => startedAt >= nowMs - LISTED_FOR_MS)
    .map((note) => {
      const error = textOf(new DomainError(INTERRUPTED));
      return { ...newJob(note), state: 'failed', finishedAt: nowMs, error, errorCode: INTERRUPTED };
    });
}

/** Whether the next panel has to list it. Interrupted jobs stay noted: the next panel may end as early as the last. */
export function isUnfinished(job: JobWithResult, isStopping: boolean): boolean {
  const isEndedByStop = isStopping && job.state === 'cancelled' && !job.isCancelling;
  return job.state === 'running' || isEndedByStop || job.errorCode === INTERRUPTED;
}
