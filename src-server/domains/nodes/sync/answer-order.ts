import * as z from 'zod';

/** Runs of a panel whose answers are over; with more the oldest are forgotten. */
const MAX_ENDED = 16;

const State = z.object({
  run: z.string(),
  count: z.int(),
  ended: z.array(z.string()),
});

/**
 * Tells answers that come in turn from those that something in between gives once more: each names the run of the panel and how
 * many answers it gave before.
 * @param stored what {@link AnswerOrder.stored} was when this panel ended; empty = nothing is known
 */
export function createAnswerOrder(stored: string) {
  const known = stored === '' ? null : State.parse(JSON.parse(stored));
  let current = known === null ? null : { run: known.run, count: known.count };
  const ended = known?.ended ?? [];
  return {
    /** `old`: an earlier answer, or one of an earlier run. `unknown`: the panel does not say. */
    take(order: string): 'next' | 'old' | 'unknown' {
      const [, run, digits] = /^([\w-]{1,64})\.(\d{1,15})$/.exec(order) ?? [];
      if (run === undefined) return 'unknown';
      const count = Number(digits);
      if (ended.includes(run) || (current?.run === run && count <= current.count)) return 'old';
      // The first answer there ever was may itself be an earlier one.
      const isFirst = current === null;
      if (current !== null && current.run !== run) {
        ended.push(current.run);
        if (ended.length > MAX_ENDED) ended.shift();
      }
      current = { run, count };
      return isFirst ? 'unknown' : 'next';
    },
    /** To be kept with what the last answer brought: an earlier one is then known after a start too. */
    stored: (): string => (current === null ? '' : JSON.stringify({ ...current, ended })),
  };
}
export type AnswerOrder = ReturnType<typeof createAnswerOrder>;
