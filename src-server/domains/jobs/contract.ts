import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { Refusal } from '../../contract/envelope.ts';

export const JobState = z.enum(['running', 'done', 'failed', 'cancelled']);

/**
 * Work that goes on after its request was answered. Of the ended ones the last few are known until the panel stops. What
 * was running then is told by the next panel for a day, as failed with `job.interrupted`.
 */
export const Job = z.object({
  /** Id of the job, for the calls about it. */
  id: z.string(),
  /** Kind of work, such as `bulkCreateClients` or `installCore`. */
  kind: z.string(),
  /** What it does, in English. */
  title: z.string(),
  /** `running`, or how it ended. */
  state: JobState,
  /** Cancelling was asked for; the work stops at its next safe point. */
  isCancelling: z.boolean(),
  /** Progress, in units of the work. */
  done: z.number(),
  /** All units of the work, 0 = not known yet. */
  total: z.number(),
  /** What is worked on now, in English; empty = nothing in particular. */
  stage: z.string(),
  /** When it started, in ms since 1970. */
  startedAt: z.int(),
  /** When it ended, in ms since 1970, 0 while it runs. */
  finishedAt: z.int(),
  /** Why it failed; empty otherwise. */
  error: z.string(),
  /** Code of the failure; empty when it did not fail or failed unexpectedly. */
  errorCode: z.string(),
  /** What fills the text of `errorCode`; of an unexpected failure its `reference` in the log. */
  errorParams: Refusal.shape.params.optional(),
});
export type Job = z.infer<typeof Job>;

/** With what the work returned; null until it is done. Its shape is that of the call that started it. */
export const JobWithResult = Job.extend({
  /** What the work returned, in the shape that the call that started it names; null until it is done. */
  result: z.unknown(),
});
export type JobWithResult = z.infer<typeof JobWithResult>;

const JobParams = z.object({
  /** Id of the job, as the call that started it answered. */
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
