import { expect } from 'vitest';
import type { TransferAsk, JobView } from '../../bridge/jobs.ts';
import type { PanelTarget } from '../messages.ts';
import type { SealedStore } from '../store/sealed-store.ts';
import type { JobCalls } from './job-calls.ts';
import { openTransferNotes, type TransferNotes } from '../transfer/transfer-notes.ts';
import { createJobs } from './jobs.ts';

/** A copy of everything on the named inbounds, from `here` to `there`. */
export const transfer = (more: Partial<TransferAsk> = {}): TransferAsk => ({
  fromId: 'here',
  toId: 'there',
  mode: 'copy',
  inboundIds: [],
  withClients: true,
  emails: [],
  ontoInboundIds: [],
  ...more,
});

type Viewed = {
  [V in keyof JobCalls]: JobCalls[V]['answer'] extends JobView<unknown> ? V : never;
}[keyof JobCalls];

/** Jobs on panels as in the process that reads them, called as by the page. */
export function openJobs(
  store: SealedStore,
  targets: ReadonlyMap<string, PanelTarget>,
  backUp: (panelId: string) => Promise<void> = async () => undefined,
  notes: TransferNotes | null = null,
) {
  const jobs = createJobs({
    store,
    isKept: notes === null,
    notes: notes ?? openTransferNotes(null),
    targetOf: (id) => targets.get(id),
    onBusy: () => undefined,
    backUp,
    clock: Date.now,
  });
  const ask = <V extends keyof JobCalls>(verb: V, asked: JobCalls[V]['ask']): JobCalls[V]['answer'] =>
    jobs.answer({ verb, ask: asked } as never) as JobCalls[V]['answer'];
  /** The view of a job that has ended. */
  async function ended<V extends Viewed>(verb: V, id: string): Promise<JobCalls[V]['answer']> {
    await expect.poll(() => (ask(verb, id as never) as JobView<unknown>).state).not.toMatch(/running|undoing/);
    return ask(verb, id as never);
  }
  return {
    answer: jobs.answer,
    settle: jobs.settle,
    ask,
    ended,
    planned: (asked: TransferAsk) => ended('transferPlan', ask('planTransfer', asked)),
    /** Carries out the plan, without the test of new ports. */
    done(planId: string) {
      const plan = ask('transferPlan', planId).result!;
      ask('chooseTransfer', { id: planId, choices: { ...plan.choices, isProbed: false } });
      return ended('transfer', ask('runTransfer', planId));
    },
  };
}
export type TestJobs = ReturnType<typeof openJobs>;
