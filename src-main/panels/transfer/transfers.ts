import { randomUUID } from 'node:crypto';
import type {
  JobView,
  TransferRequest,
  TransferChoices,
  TransferPlan,
  TransferProgress,
  UnfinishedTransfer,
} from '../../bridge/jobs.ts';
import type { SealedStore } from '../store/sealed-store.ts';
import type { PanelCalls } from '../jobs/panel-calls.ts';
import type { JobList } from '../jobs/job-list.ts';
import { runTransfer } from './run-transfer.ts';
import { createTransferJournal } from './transfer-journal.ts';
import type { TransferNotes } from './transfer-notes.ts';
import { createTransferPlans } from './transfer-plans.ts';
import { createUnfinishedTransfers } from './unfinished-transfers.ts';
import { withBothOf } from './with-both.ts';

/** Transfers of inbounds and clients between panels: planned, run, and completed or undone if interrupted. */
export function createTransfers(deps: {
  jobs: JobList;
  open: (panelId: string) => PanelCalls;
  store: SealedStore;
  /** Whether the journal outlives the application. */
  isKept: boolean;
  notes: TransferNotes;
  clock: () => number;
}) {
  const { jobs, open, clock, notes } = deps;
  const journal = createTransferJournal(deps.store);
  /** Those of this run of the application. */
  const running = new Set<string>();
  const withBoth = withBothOf(open);
  const plans = createTransferPlans({ jobs, withBoth, isKept: deps.isKept });
  const unfinished = createUnfinishedTransfers({ jobs, withBoth, journal, notes, isRunning: (id) => running.has(id) });

  return {
    plan: (request: TransferRequest): string => plans.plan(request),
    planView: plans.planView,
    choose: (choice: { id: string; choices: TransferChoices }): TransferPlan => plans.choose(choice),
    run(planId: string): string {
      const { request, choices, prepared } = plans.take(planId);
      const id = randomUUID();
      const startedAtMs = clock();
      running.add(id);
      if (!deps.isKept) notes.add({ ...request, id, startedAtMs });
      const job = jobs.start<TransferProgress>((progress) =>
        withBoth(request, (from, to) =>
          runTransfer(
            { from, to, journal },
            prepared,
            { request, isProbed: choices.isProbed, id, startedAtMs },
            progress,
          ),
        ).finally(() => {
          running.delete(id);
          // One that could not be undone stays, and with it this note.
          if (!journal.heads().some((head) => head.id === id)) notes.remove(id);
        }),
      );
      return job.id;
    },
    view: (id: string): JobView<TransferProgress> => jobs.find(id).view() as JobView<TransferProgress>,
    unfinished: (): UnfinishedTransfer[] => unfinished.list(),
    settle: unfinished.settle,
    /** Transfers left by an earlier run of the application. */
    settleAll: (): void => unfinished.settleAll(),
    forget: (id: string): void => unfinished.forget(id),
  };
}
