import type { Publish } from '../../../contract/events.ts';
import { failpoint } from '../../../failpoints/failpoint.ts';
import type { ApplyReport, Runtime } from '../../../runtime/runtime.ts';
import type { Store, WriteTransaction } from '../../../store/open-store.ts';
import type { ChangeNotes } from '../contract.ts';
import { DomainError } from '../../../contract/domain-error.ts';
import type { SessionChoice } from '../../traffic/contract.ts';
import type { SessionPort } from '../verbs/session-port.ts';
import type { UserChanges } from '../storage/user-changes.ts';

/** Who caused a change: our pages ignore the echo of their own. Empty = unknown. */
interface Cause {
  requestId: string;
  /** How far to go with sessions the change leaves open. */
  sessions: SessionChoice;
}
/** Who caused a change; with the id alone its open sessions are cut where that affects no other client. */
export type RequestId = string | Cause;

/** What a transaction did, and what its caller gets. */
export interface Done<T> {
  changes: UserChanges;
  result: T;
}

/** Runs every change of clients the same way, so that none forgets the runtime or the open pages. */
export type RunChange = <T>(
  requestId: RequestId,
  work: (trx: WriteTransaction) => Promise<Done<T>>,
) => Promise<{ result: T; notes: ChangeNotes }>;

export interface ChangeRunnerDeps {
  store: Store;
  runtime: Runtime;
  sessions: SessionPort;
  publish: Publish;
}

/**
 * Transaction with a mark for remote panels, then the open pages, and last the local core: the answer waits
 * for it, so a client works the moment its add is answered.
 */
export function createChangeRunner({ store, runtime, sessions, publish }: ChangeRunnerDeps): RunChange {
  /** The core checks users at the handshake only: what was open goes on, unless it is ended. */
  async function endSessions(
    { leavesSessions }: UserChanges,
    { core }: ApplyReport,
    choice: SessionChoice,
  ): Promise<SessionNotes> {
    if (leavesSessions.length === 0 || core.kind === 'notRunning') return {};
    if (core.kind === 'restarted') return { sessions: 'ended' };
    try {
      const report = await sessions.end(leavesSessions, choice);
      if (report.step === 'none') return {};
      const isOver = report.step === 'restarted' || report.step === 'readded';
      return { sessions: report.leftCount > 0 ? 'leftOpen' : isOver ? 'ended' : 'cut', sessionReport: report };
    } catch (error) {
      // The change itself is made: a core that cannot be restarted is no reason to call it failed.
      if (!(error instanceof DomainError)) throw error;
      return { sessions: 'leftOpen', coreError: String(error.params.text ?? error.code) };
    }
  }

  return async (cause, work) => {
    const { requestId, sessions: choice } =
      typeof cause === 'string' ? { requestId: cause, sessions: 'cut' as const } : cause;
    const { changes, result } = await store.write(async (trx) => {
      const done = await work(trx);
      const { change, leavesSessions } = done.changes;
      // Every place cuts sessions by itself; another way of ending them has to be asked for.
      if (change !== null)
        await runtime.stage(
          trx,
          choice === 'cut' ? change : { ...change, endSessions: { how: choice, users: leavesSessions } },
        );
      failpoint('change.committing');
      return done;
    });
    failpoint('change.committed');
    const { change, clientIds } = changes;
    if (clientIds.length > 0)
      publish({ type: 'invalidate', resource: 'clients', ...(requestId === '' ? {} : { requestId }) });
    const report = change === null ? null : await runtime.apply(change);
    failpoint('change.applied');
    return { result, notes: report === null ? null : notesOf(report, await endSessions(changes, report, choice)) };
  };
}

type SessionNotes = Pick<NonNullable<ChangeNotes>, 'sessions' | 'sessionReport' | 'coreError'>;

function notesOf({ core, nodePending }: ApplyReport, ended: SessionNotes): ChangeNotes {
  const notes: NonNullable<ChangeNotes> = { ...ended };
  if (nodePending) notes.nodePending = true;
  if (core.kind === 'failed') notes.coreError = core.text;
  return Object.keys(notes).length === 0 ? null : notes;
}
