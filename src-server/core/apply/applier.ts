import { isDatabaseAway } from '../../contract/database-away.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import type { Schedule, Timer } from '../../contract/schedule.ts';
import type { ApplyResult, CoreChange } from '../core.ts';
import { mergeChanges } from '../merge-changes.ts';
import type { Lifecycle } from '../process/lifecycle/lifecycle.ts';
import type { Session } from '../process/session.ts';
import { applyEverything } from './apply-everything.ts';
import { applyInbound } from './apply-inbound.ts';
import { applyUsers } from './apply-users.ts';
import type { LiveDeps } from './live-deps.ts';
import { refusedStep, stepOfError, worse, type Step } from './step.ts';

export interface ApplierDeps extends LiveDeps {
  lifecycle: Lifecycle;
  log: Logger;
  schedule: Pick<Schedule, 'after'>;
}

const RETRY_MS = 30_000;
/** The caller's attempt and one retry are made live; after that comes a new process. */
const LIVE_ATTEMPTS = 2;

/** Applies changes of the store to the running core: live where the core supports it, else by a restart. */
export class Applier {
  readonly #deps: ApplierDeps;
  /** User changes that wait for the lock together; each caller gets its result when the whole batch is live. */
  #batch: { users: Map<number, Set<string>>; result: Promise<ApplyResult> } | null = null;
  /** What failed and will be retried; a second failure ends in a restart. */
  #pending: { change: CoreChange; attempt: number } | null = null;
  #retry: Timer | null = null;

  constructor(deps: ApplierDeps) {
    this.#deps = deps;
    // A start is made from the whole desired state, so nothing is left to retry.
    deps.lifecycle.onStarted = (waiting) => {
      this.#forget();
      deps.overrides.clear();
      if (waiting.length > 0) this.#remember({ inboundIds: waiting }, 1);
    };
  }

  close(): void {
    this.#forget();
  }

  apply(change: CoreChange): Promise<ApplyResult> {
    const { lifecycle } = this.#deps;
    if (lifecycle.isClosed) return Promise.resolve({ kind: 'notRunning' });
    const result = isUsersOnly(change) ? this.#joinBatch(change.users ?? []) : this.#locked(change);
    if (!lifecycle.isEnding) return result;
    // During the final read the lock is held by a task that waits for the reader. The change is made afterwards.
    result.catch((error: unknown) => this.#deps.log.error('core.apply', { error: String(error) }));
    return Promise.resolve({ kind: 'notRunning' });
  }

  #joinBatch(users: NonNullable<CoreChange['users']>): Promise<ApplyResult> {
    if (!this.#batch) {
      const merged = new Map<number, Set<string>>();
      const result = this.#locked(() => {
        // Closed when its turn comes: later calls may refer to commits that this run has not read.
        this.#batch = null;
        return { users: [...merged].map(([inboundId, emails]) => ({ inboundId, emails: [...emails] })) };
      });
      this.#batch = { users: merged, result };
    }
    for (const { inboundId, emails } of users) {
      const known = this.#batch.users.get(inboundId) ?? new Set();
      for (const email of emails) known.add(email);
      this.#batch.users.set(inboundId, known);
    }
    return this.#batch.result;
  }

  #locked(change: CoreChange | (() => CoreChange)): Promise<ApplyResult> {
    return this.#deps.lifecycle.inLine(() => this.#applyLocked(typeof change === 'function' ? change() : change, 1));
  }

  async #applyLocked(change: CoreChange, attempt: number): Promise<ApplyResult> {
    try {
      return await this.#applyOnceLocked(change, attempt);
    } catch (error) {
      // A database that is away or a full disk is no reason for a new process.
      const isOfSystem = isDatabaseAway(error) || (error as NodeJS.ErrnoException).errno !== undefined;
      this.#remember(change, isOfSystem ? attempt : attempt + 1);
      throw error;
    }
  }

  async #applyOnceLocked(change: CoreChange, attempt: number): Promise<ApplyResult> {
    const { lifecycle, log } = this.#deps;
    const session = lifecycle.session;
    if (session === null) {
      // A change of clients cures no start that failed, and there may be many of them.
      const mayCure = lifecycle.isWaitingForConfig || (lifecycle.isBackingOff && !isUsersOnly(change));
      if (!mayCure) return { kind: 'notRunning' };
      return (await lifecycle.retryLocked()) ? { kind: 'restarted' } : { kind: 'notRunning' };
    }
    let step: Step;
    try {
      step =
        attempt > LIVE_ATTEMPTS
          ? { kind: 'restart', reason: 'a change failed twice' }
          : await applyLive(this.#deps, session, change);
    } catch (error) {
      step = stepOfError(error);
    }
    if (step.kind === 'restart') {
      try {
        await lifecycle.restartLocked(step.reason);
        return { kind: 'restarted' };
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        step = refusedStep(error);
      }
    }
    if (step.kind !== 'failed') return step;
    log.warn('core.applyFailed', { text: step.text });
    const left = step.isElseMade === true ? {} : change;
    this.#remember(withWaiting(left, lifecycle.session), step.isRefused ? 1 : attempt + 1);
    return { kind: 'failed', text: step.text };
  }

  #remember(change: CoreChange, nextAttempt: number): void {
    if (this.#deps.lifecycle.isClosed) return;
    this.#pending = {
      change: mergeChanges([this.#pending?.change ?? {}, change]),
      attempt: Math.max(nextAttempt, this.#pending?.attempt ?? 1),
    };
    this.#retry ??= this.#deps.schedule.after(RETRY_MS, () => this.#tryAgain());
  }

  async #tryAgain(): Promise<void> {
    this.#retry = null;
    await this.#deps.lifecycle.inLine(async () => {
      // Taken inside the lock: a start in between has made it void, and a new failure arms the timer again.
      const pending = this.#pending;
      this.#pending = null;
      if (pending) await this.#applyLocked(pending.change, pending.attempt);
    });
  }

  #forget(): void {
    this.#pending = null;
    this.#retry?.cancel();
    this.#retry = null;
  }
}

/** Makes a change of the store in the running core. */
async function applyLive(deps: LiveDeps, session: Session, change: CoreChange): Promise<Step> {
  if (change.everything) return applyEverything(deps, session);
  let result: Step = { kind: 'unchanged' };
  const ids = new Set(change.inboundIds ?? []);
  for (const id of ids) {
    result = worse(result, await applyInbound(deps, session, id));
    if (result.kind === 'restart') return result;
  }
  for (const { inboundId, emails } of change.users ?? []) {
    if (ids.has(inboundId)) continue;
    result = worse(result, await applyUsers(deps, session, inboundId, emails));
    if (result.kind === 'restart') return result;
  }
  return result;
}

function isUsersOnly(change: CoreChange): boolean {
  return !change.everything && (change.inboundIds ?? []).length === 0;
}

/** To be tried again with every inbound that could not listen, as a whole: none of their clients need be kept in mind. */
function withWaiting(change: CoreChange, session: Session | null): CoreChange {
  const waiting = session?.waiting ?? new Map<number, string>();
  return {
    ...change,
    inboundIds: [...(change.inboundIds ?? []), ...waiting.keys()],
    users: (change.users ?? []).filter(({ inboundId }) => !waiting.has(inboundId)),
  };
}
