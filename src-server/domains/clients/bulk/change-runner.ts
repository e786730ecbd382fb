import { announce } from '../../../contract/announce.ts';
import type { Publish } from '../../../contract/events.ts';
import { failpoint } from '../../../failpoints/failpoint.ts';
import type { ApplyReport, Runtime } from '../../../runtime/runtime.ts';
import type { Store, WriteTransaction } from '../../../store/open-store.ts';
import type { ChangeNotes } from '../contract.ts';
import { DomainError } from '../../../contract/domain-error.ts';
import type { SessionChoice } from '../../traffic/contract.ts';
import type { SessionPort } from '../verbs/session-port.ts';
import type { UserChanges } from '../storage/user-changes.ts';

/** Origin of a change: our pages ignore the echo of their own. Empty = unknown. */
interface Cause {
  requestId: string;
  /** How far to go with sessions the change leaves open. */
  sessions: SessionChoice;
}
/** Origin of a change; with the id alone, its open sessions are cut where that affects no other client. */
export type RequestId = string | Cause;

/** Changes of a transaction, and the result for its caller. */
export interface Done<T> {
  changes: UserChanges;
  result: T;
}

/** Runs every change of clients the same way, so that the runtime and open pages are always notified. */
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
 * Runs the transaction with a mark for remote panels, then notifies open pages, and last updates the local core. The
 * response waits for the core, so a client works as soon as its add is answered.
 */
export function createChangeRunner({ store, runtime, sessions, publish }: ChangeRunnerDeps): RunChange {
  /** The core checks users only at the handshake: open sessions continue unless they are ended. */
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
      // The change itself is committed: a failed restart of the core does not make it a failure.
      if (!(error instanceof DomainError)) throw error;
      return { sessions: 'leftOpen', coreError: error.text };
    }
  }

  return async (cause, work) => {
    const { requestId, sessions: choice } =
      typeof cause === 'string' ? { requestId: cause, sessions: 'cut' as const } : cause;
    const { changes, result } = await store.write(async (trx) => {
      const done = await work(trx);
      const { change, leavesSessions } = done.changes;
      // Every place cuts sessions by default; only other choices have to be passed on.
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
    if (clientIds.length > 0) announce(publish, ['clients'], requestId);
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
