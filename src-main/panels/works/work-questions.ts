import type { WorkVerbs } from '../../bridge/works.ts';

/** Questions about work on several panels, as the page asks them. */
export type WorkQuestions = {
  [V in keyof WorkVerbs]: {
    ask: Parameters<WorkVerbs[V]> extends [infer A] ? A : null;
    answer: Awaited<ReturnType<WorkVerbs[V]>>;
  };
};
export type WorkQuestion = {
  [V in keyof WorkQuestions]: { verb: V; ask: WorkQuestions[V]['ask'] };
}[keyof WorkQuestions];
