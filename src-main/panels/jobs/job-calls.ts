import type { JobVerbs } from '../../bridge/jobs.ts';

/** Questions about work on several panels, as the page asks them. */
export type JobCalls = {
  [V in keyof JobVerbs]: {
    ask: Parameters<JobVerbs[V]> extends [infer A] ? A : null;
    answer: Awaited<ReturnType<JobVerbs[V]>>;
  };
};
export type JobCall = {
  [V in keyof JobCalls]: { verb: V; ask: JobCalls[V]['ask'] };
}[keyof JobCalls];
