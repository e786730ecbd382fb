import type { Publish } from '../../contract/events.ts';
import type { ApplyReport, Runtime } from '../../runtime/runtime.ts';
import type { Store, WriteTransaction } from '../../store/open-store.ts';
import type { ChangeNotes } from './contract.ts';
import type { SessionPort } from './session-port.ts';
import type { UserChanges } from './user-changes.ts';

/** Who caused a change: our pages ignore the echo of their own. Empty = nobody in particular. */
export type RequestId = string;

/** What a transaction did, and what its caller gets. */
export interface Done<T> {
  changes: UserChanges;
  result: T;
}

/** Runs every change of clients the same way, so that none forgets the runtime, the list's summary or the open pages. */
export type RunChange = <T>(
  requestId: RequestId,
  work: (trx: WriteTransaction) => Promise<Done<T>>,
) => Promise<{ result: T; notes: ChangeNotes }>;

export interface ChangeRunnerDeps {
  store: Store;
  runtime: Runtime;
  sessions: SessionPort;
  publish: Publish;
  /** Told which clients' rows may differ now, before pages are told. */
  onChanged: (clientIds: readonly number[]) => void;
}

/**
 * Transaction with a mark for remote panels, then the summary, the open pages, and last the local core: the answer waits
 * for it, so a client works the moment its add is answered.
 */
export function createChangeRunner({ store, runtime, sessions, publish, onChanged }: ChangeRunnerDeps): RunChange {
  /** The core checks users at the handshake only: what was open goes on, unless it is ended. */
  async function endSessions({ leavesSessions }: UserChanges, { core }: ApplyReport): Promise<SessionNotes> {
    if (leavesSessions.length === 0 || core.kind === 'notRunning') return {};
    if (core.kind === 'restarted') return { sessions: 'ended' };
    const report = await sessions.end(leavesSessions);
    if (report.step === 'none') return {};
    return { sessions: report.leftCount > 0 ? 'leftOpen' : 'cut', sessionReport: report };
  }

  return async (requestId, work) => {
    const { changes, result } = await store.write(async (trx) => {
      const done = await work(trx);
      if (done.changes.change !== null) await runtime.stage(trx, done.changes.change);
      return done;
    });
    const { change, clientIds } = changes;
    if (clientIds.length > 0) {
      onChanged(clientIds);
      publish({ type: 'invalidate', resource: 'clients', ...(requestId === '' ? {} : { requestId }) });
    }
    const report = change === null ? null : await runtime.apply(change);
    return { result, notes: report === null ? null : notesOf(report, await endSessions(changes, report)) };
  };
}

type SessionNotes = Pick<NonNullable<ChangeNotes>, 'sessions' | 'sessionReport'>;

function notesOf({ core, nodePending }: ApplyReport, ended: SessionNotes): ChangeNotes {
  const notes: NonNullable<ChangeNotes> = { ...ended };
  if (nodePending) notes.nodePending = true;
  if (core.kind === 'failed') notes.coreError = core.text;
  return Object.keys(notes).length === 0 ? null : notes;
}
