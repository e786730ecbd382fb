import type { JobVerbs } from '../../bridge/jobs.ts';

/** The page's calls for jobs on several panels. */
export type JobCalls = {
  [V in keyof JobVerbs]: {
    ask: Parameters<JobVerbs[V]> extends [infer A] ? A : null;
    answer: Awaited<ReturnType<JobVerbs[V]>>;
  };
};
export type JobCall = {
  [V in keyof JobCalls]: { verb: V; ask: JobCalls[V]['ask'] };
}[keyof JobCalls];
