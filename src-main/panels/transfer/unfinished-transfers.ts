import type { JobMessage, UnfinishedTransfer } from '../../bridge/jobs.ts';
import { messageOf } from '../jobs/job-failure.ts';
import type { JobList } from '../jobs/job-list.ts';
import { finishMove } from './run-transfer.ts';
import type { TransferJournal } from './transfer-journal.ts';
import type { TransferNotes } from './transfer-notes.ts';
import { undoTransfer } from './undo-transfer.ts';
import type { WithBoth } from './with-both.ts';

interface UnfinishedTransfersDeps {
  jobs: JobList;
  withBoth: WithBoth;
  journal: TransferJournal;
  notes: TransferNotes;
  /** Whether a transfer belongs to this run of the application, and has not ended. */
  isRunning: (id: string) => boolean;
}

/** Interrupted transfers: completed or undone, and listed until the operator has read how they ended. */
export function createUnfinishedTransfers({ jobs, withBoth, journal, notes, isRunning }: UnfinishedTransfersDeps) {
  /** Those that are being completed or undone. */
  const settling = new Set<string>();
  const troubles = new Map<string, JobMessage>();

  async function settle(id: string): Promise<void> {
    const head = journal.heads().find((each) => each.id === id);
    if (head === undefined || isRunning(id) || settling.has(id)) return;
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
    /** With those whose end nobody knows, as only a note of them is left. */
    list(): UnfinishedTransfer[] {
      const heads = journal.heads();
      const results = journal.results();
      const known = new Set([...heads, ...results].map(({ id }) => id));
      const ended = { isRunning: false, trouble: null };
      return [
        ...heads
          .filter(({ id }) => !isRunning(id))
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
        ...results.map((result) => ({ ...result, ...ended })),
        ...notes
          .list()
          .filter(({ id }) => !known.has(id) && !isRunning(id))
          .map((note) => ({ ...note, ...ended, outcome: 'unknown' as const })),
      ];
    },
    /** Starts completing or undoing one. */
    settle: (id: string): void => void jobs.start(() => settle(id)),
    /** Transfers left by an earlier run of the application. */
    settleAll(): void {
      for (const { id } of journal.heads()) if (!isRunning(id)) jobs.start(() => settle(id));
    },
    /** Drops what is stored of one that does not run. */
    forget(id: string): void {
      if (isRunning(id) || settling.has(id)) return;
      journal.end(id);
      notes.remove(id);
    },
  };
}
