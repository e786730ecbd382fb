import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { Refusal } from '../../contract/envelope.ts';

export const JobState = z.enum(['running', 'done', 'failed', 'cancelled']);

/**
 * Work that continues after its request was answered. The last few ended jobs are listed until the panel stops. Jobs
 * that were running then are listed by the next panel for a day, as failed with `job.interrupted`.
 */
export const Job = z.object({
  /** Id of the job, used in calls about it. */
  id: z.string(),
  /** Kind of work, such as `bulkCreateClients` or `installCore`. */
  kind: z.string(),
  /** What it does, in English. */
  title: z.string(),
  /** `running`, or how it ended. */
  state: JobState,
  /** Cancelling was requested; the work stops at its next safe point. */
  isCancelling: z.boolean(),
  /** Completed units of the work. */
  done: z.number(),
  /** Total units of the work, 0 = not known yet. */
  total: z.number(),
  /** Current step, in English; empty = nothing in particular. */
  stage: z.string(),
  /** When it started, in ms since 1970. */
  startedAt: z.int(),
  /** When it ended, in ms since 1970; 0 while it runs. */
  finishedAt: z.int(),
  /** Why it failed; empty otherwise. */
  error: z.string(),
  /** Code of the failure; empty when it did not fail or failed unexpectedly. */
  errorCode: z.string(),
  /** Parameters of the text of `errorCode`; for an unexpected failure, its `reference` in the log. */
  errorParams: Refusal.shape.params.optional(),
});
export type Job = z.infer<typeof Job>;

/** Includes the result of the work; null until it is done. Its shape depends on the call that started it. */
export const JobWithResult = Job.extend({
  /** Result of the work, in the shape documented at the call that started it; null until it is done. */
  result: z.unknown(),
});
export type JobWithResult = z.infer<typeof JobWithResult>;

const JobParams = z.object({
  /** Id of the job, as returned by the call that started it. */
  id: z.string().max(64),
});
const BASE = '/panel/api/jobs';

export const listJobs = endpoint('GET', BASE, {
  summary: 'Running jobs and the last ended ones, newest first. The live message `jobs` carries the same list.',
  result: z.array(Job),
});

export const getJob = endpoint('GET', `${BASE}/:id`, {
  summary: 'One job with its result.',
  params: JobParams,
  result: JobWithResult,
});

export const cancelJob = endpoint('POST', `${BASE}/:id/cancel`, {
  summary: 'Asks a running job to stop. What it had finished stays.',
  params: JobParams,
  result: Job,
  message: 'job.cancelling',
});
