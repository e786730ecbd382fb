import { expect } from 'vitest';
import type { TransferRequest, JobView } from '../../bridge/jobs.ts';
import type { PanelTarget } from '../messages.ts';
import type { SealedStore } from '../store/sealed-store.ts';
import type { JobCalls } from './job-calls.ts';
import { openTransferNotes, type TransferNotes } from '../transfer/transfer-notes.ts';
import { createJobs } from './jobs.ts';

/** A copy of everything on the named inbounds, from `here` to `there`. */
export const transfer = (more: Partial<TransferRequest> = {}): TransferRequest => ({
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
  [V in keyof JobCalls]: JobCalls[V]['result'] extends JobView<unknown> ? V : never;
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
  const call = <V extends keyof JobCalls>(verb: V, params: JobCalls[V]['params']): JobCalls[V]['result'] =>
    jobs.handle({ verb, params } as never) as JobCalls[V]['result'];
  /** The view of a job that has ended. */
  async function ended<V extends Viewed>(verb: V, id: string): Promise<JobCalls[V]['result']> {
    await expect.poll(() => (call(verb, id as never) as JobView<unknown>).state).not.toMatch(/running|undoing/);
    return call(verb, id as never);
  }
  return {
    handle: jobs.handle,
    settle: jobs.settle,
    call,
    ended,
    planned: (request: TransferRequest) => ended('transferPlan', call('planTransfer', request)),
    /** Carries out the plan, without the test of new ports. */
    done(planId: string) {
      const plan = call('transferPlan', planId).result!;
      call('chooseTransfer', { id: planId, choices: { ...plan.choices, isProbed: false } });
      return ended('transfer', call('runTransfer', planId));
    },
  };
}
export type TestJobs = ReturnType<typeof openJobs>;
