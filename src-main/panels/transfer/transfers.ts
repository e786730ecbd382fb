import { randomUUID } from 'node:crypto';
import type {
  JobMessage,
  TransferAsk,
  TransferChoices,
  TransferPlan,
  TransferProgress,
  UnfinishedTransfer,
  JobView,
} from '../../bridge/jobs.ts';
import type { SealedStore } from '../store/sealed-store.ts';
import type { PanelCalls } from '../jobs/panel-calls.ts';
import { messageOf, JobFailure } from '../jobs/job-failure.ts';
import type { JobList } from '../jobs/job-list.ts';
import { planTransfer } from './plan-transfer.ts';
import { readTransfer, type TransferReading } from './read-transfer.ts';
import { finishMove, runTransfer } from './run-transfer.ts';
import { createTransferJournal } from './transfer-journal.ts';
import type { TransferNotes } from './transfer-notes.ts';
import { undoTransfer } from './undo-transfer.ts';

const NO_CHOICES: TransferChoices = { ports: {}, emails: {}, isProbed: true };
/** Plans hold secrets: only the last few are kept. */
const MOST_PLANS = 4;

interface Planned {
  ask: TransferAsk;
  reading: TransferReading | null;
  choices: TransferChoices;
  toHost: string;
}

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
  const plans = new Map<string, Planned>();
  /** Those of this run of the application. */
  const running = new Set<string>();
  /** Interrupted ones that are being completed or undone. */
  const settling = new Set<string>();
  const troubles = new Map<string, JobMessage>();

  function planOf(id: string): Planned {
    const plan = plans.get(id);
    if (plan === undefined) throw new JobFailure('interrupted');
    return plan;
  }

  function make({ reading, ask, choices, toHost }: Planned) {
    if (reading === null) throw new JobFailure('interrupted');
    return planTransfer(reading, ask, choices, { toHost, isProtected: deps.isKept });
  }

  async function withBoth(
    { fromId, toId }: { fromId: string; toId: string },
    use: (from: PanelCalls, to: PanelCalls) => Promise<void>,
  ): Promise<void> {
    const from = open(fromId);
    try {
      const to = open(toId);
      await use(from, to).finally(() => to.close());
    } finally {
      from.close();
    }
  }

  async function settle(id: string): Promise<void> {
    const head = journal.heads().find((each) => each.id === id);
    if (head === undefined || running.has(id) || settling.has(id)) return;
    settling.add(id);
    troubles.delete(id);
    try {
      const sent = journal.clients(id);
      await withBoth(head, async (from, to) => {
        if (head.phase === 'switching') return finishMove({ from, to, journal }, head, sent);
        await undoTransfer(from, to, head, sent);
      });
      journal.conclude(head, head.phase === 'switching' ? 'finished' : 'undone');
      notes.remove(id);
    } catch (error) {
      troubles.set(id, messageOf(error));
      throw error;
    } finally {
      settling.delete(id);
    }
  }

  return {
    plan(ask: TransferAsk): string {
      if (ask.fromId === ask.toId) throw new JobFailure('samePanel');
      const planned: Planned = { ask, reading: null, choices: NO_CHOICES, toHost: '' };
      const job = jobs.start<TransferPlan>((progress) =>
        withBoth(ask, async (from, to) => {
          planned.toHost = to.host ?? '';
          planned.reading = await readTransfer(from, to, ask, progress);
          progress.show(make(planned).plan);
        }),
      );
      plans.set(job.id, planned);
      for (const old of plans.keys()) if (plans.size > MOST_PLANS) plans.delete(old);
      return job.id;
    },
    planView: (id: string): JobView<TransferPlan> => {
      const view = jobs.find(id).view() as JobView<TransferPlan>;
      const planned = plans.get(id);
      return planned?.reading === undefined || planned.reading === null
        ? view
        : { ...view, result: make(planned).plan };
    },
    choose({ id, choices }: { id: string; choices: TransferChoices }): TransferPlan {
      const planned = planOf(id);
      planned.choices = choices;
      return make(planned).plan;
    },
    run(planId: string): string {
      const planned = planOf(planId);
      const { ask, choices } = planned;
      const { prepared } = make(planned);
      // Runs once: a second click does not start a second transfer.
      plans.delete(planId);
      const id = randomUUID();
      const startedAtMs = clock();
      running.add(id);
      if (!deps.isKept) notes.add({ ...ask, id, startedAtMs });
      const job = jobs.start<TransferProgress>((progress) =>
        withBoth(ask, (from, to) =>
          runTransfer({ from, to, journal }, prepared, { ask, isProbed: choices.isProbed, id, startedAtMs }, progress),
        ).finally(() => {
          running.delete(id);
          // One that could not be undone stays, and with it this note.
          if (!journal.heads().some((head) => head.id === id)) notes.remove(id);
        }),
      );
      return job.id;
    },
    view: (id: string): JobView<TransferProgress> => jobs.find(id).view() as JobView<TransferProgress>,
    unfinished(): UnfinishedTransfer[] {
      const heads = journal.heads();
      const outcomes = journal.outcomes();
      const known = new Set([...heads, ...outcomes].map(({ id }) => id));
      const ended = { isRunning: false, trouble: null };
      return [
        ...heads
          .filter(({ id }) => !running.has(id))
          .map(({ id, fromId, toId, mode, startedAtMs }) => ({
            id,
            fromId,
            toId,
            mode,
            startedAtMs,
            outcome: null,
            isRunning: settling.has(id),
            trouble: troubles.get(id) ?? null,
          })),
        ...outcomes.map((outcome) => ({ ...outcome, ...ended })),
        ...notes
          .list()
          .filter(({ id }) => !known.has(id) && !running.has(id))
          .map((note) => ({ ...note, ...ended, outcome: 'unknown' as const })),
      ];
    },
    settle: (id: string): void => void jobs.start(() => settle(id)),
    /** Transfers left by an earlier run of the application. */
    settleAll(): void {
      for (const { id } of journal.heads()) if (!running.has(id)) jobs.start(() => settle(id));
    },
    forget(id: string): void {
      if (running.has(id) || settling.has(id)) return;
      journal.end(id);
      notes.remove(id);
    },
  };
}
