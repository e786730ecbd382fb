import type { JobVerbs } from '../../bridge/jobs.ts';

/** The page's calls for jobs on several panels. */
export type JobCalls = {
  [V in keyof JobVerbs]: {
    params: Parameters<JobVerbs[V]> extends [infer A] ? A : null;
    result: Awaited<ReturnType<JobVerbs[V]>>;
  };
};
export type JobCall = {
  [V in keyof JobCalls]: { verb: V; params: JobCalls[V]['params'] };
}[keyof JobCalls];
