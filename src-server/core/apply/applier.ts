import { isDatabaseAway } from '../../contract/database-away.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import type { Schedule, Timer } from '../../contract/schedule.ts';
import { CoreApiError, isApiError } from '../api/api-error.ts';
import { listenText } from '../api/endpoint.ts';
import type { InboundSource, JsonObject, LeftOut } from '../config/source.ts';
import type { ApplyResult, CoreChange, DesiredState } from '../core.ts';
import type { CheckConfig } from '../process/config-check.ts';
import { withoutCulprits } from '../process/output/culprits.ts';
import type { Lifecycle } from '../process/lifecycle/lifecycle.ts';
import { portInUse } from '../process/listen-places.ts';
import type { ConfigBuilder, Session } from '../process/session.ts';
import { tagsOf } from '../process/session.ts';
import { createTimeSlices } from '../../time-slices.ts';
import type { BalancerOverrides } from './balancer-overrides.ts';
import { mergeChanges } from '../merge-changes.ts';
import { sectionKey } from './content-key.ts';
import type { Compile } from './convert.ts';
import { CompileError } from './convert.ts';
import type { Difference, LiveChange } from './diff.ts';
import {
  boundToProcess,
  compareEntry,
  compareInbound,
  difference,
  emptyChange,
  entryHasReverse,
  isSingleUserSwitch,
} from './diff.ts';
import { compileChange, type CompiledChange, executeChange, type PartialFailures } from './hot-apply.ts';
import { partsOf, textOf } from './inbound-parts.ts';
import { forgetLeftOut, noteClients } from './left-out.ts';
import type { RunningInbound, Snapshot } from './snapshot.ts';
import { runningInbound, snapshotOf } from './snapshot.ts';
import { aloneConfig, needsTest, thinConfig, withoutSame } from './tested-config.ts';
import type { UserFailure } from './user-operations.ts';
import { changeUsers } from './user-operations.ts';

export interface ApplierDeps {
  lifecycle: Lifecycle;
  desired: DesiredState;
  builder: ConfigBuilder;
  compile: Compile;
  check: CheckConfig;
  logDir: string;
  log: Logger;
  schedule: Pick<Schedule, 'after'>;
  overrides: BalancerOverrides;
}

/** Result of one step; `restart` requests what cannot be done live. */
type Step =
  | { kind: 'unchanged' | 'live' }
  | { kind: 'restart'; reason: string }
  /**
   * `isRefused`: a new process would not help: the core refuses what is stored, or did not finish testing it.
   * `isElseMade`: all that is left to do are inbounds that could not listen.
   */
  | { kind: 'failed'; text: string; isRefused: boolean; isElseMade?: boolean };

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
          : await this.#live(session, change);
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

  async #live(session: Session, change: CoreChange): Promise<Step> {
    if (change.everything) return this.#everything(session);
    let result: Step = { kind: 'unchanged' };
    const ids = new Set(change.inboundIds ?? []);
    for (const id of ids) {
      result = worse(result, await this.#inbound(session, id));
      if (result.kind === 'restart') return result;
    }
    for (const { inboundId, emails } of change.users ?? []) {
      if (ids.has(inboundId)) continue;
      result = worse(result, await this.#users(session, inboundId, emails));
      if (result.kind === 'restart') return result;
    }
    return result;
  }

  /** The hot path: its work depends on the number of e-mails, not on the number of clients. */
  async #users(session: Session, inboundId: number, emails: readonly string[]): Promise<Step> {
    const { desired, builder } = this.#deps;
    const tag = session.tagOf.get(inboundId);
    const running = tag === undefined ? undefined : session.snapshot.inbounds.get(tag);
    // No client makes its port free. When it is tried again, all of its clients are read.
    const waiting = session.waiting.get(inboundId);
    if (waiting !== undefined) return { kind: 'failed', text: waiting, isRefused: true };
    // Not running, for instance because this is the first user of a 2022 inbound, which makes it run. One without a list
    // of users has its only one among its settings.
    if (!running?.isAddressable || running.kind === 'none') return this.#inbound(session, inboundId);
    const source = await desired.inboundUsers(inboundId, emails);
    const built = source === null ? null : await builder.inbound(source, this.#deps.lifecycle.version);
    if (source === null || built === null || !hasSameFrame(source, built.inbound, running))
      return this.#inbound(session, inboundId);
    noteClients(session, running.tag, emails, built.leftOut);

    const change = { tag: running.tag, remove: [] as string[], add: [] as JsonObject[] };
    const wanted = new Set<string>();
    const slices = createTimeSlices();
    for (const { email, entry } of await builder.users(source)) {
      wanted.add(email.toLowerCase());
      compareEntry(running.users, entry, change);
      if (slices.isOver()) await slices.next();
    }
    for (const email of new Set(emails.map((name) => name.toLowerCase()))) {
      if (!wanted.has(email) && running.users.has(email)) change.remove.push(running.users.spelling(email));
    }
    if (change.add.length === 0 && change.remove.length === 0) return { kind: 'unchanged' };
    if (running.users.hasReverse || entryHasReverse(change))
      return { kind: 'restart', reason: `${running.tag}: reverse proxy` };
    const added = change.add.filter((entry) => !running.users.has(textOf(entry.email))).length;
    const gone = change.remove.length - (change.add.length - added);
    if (isSingleUserSwitch(running, running.users.size + added - gone)) return this.#inbound(session, inboundId);
    return this.#afterUsers(session, running.tag, await changeUsers(session.process.api, running, change));
  }

  /** For edits of an inbound itself; reads all of its clients. */
  async #inbound(session: Session, id: number): Promise<Step> {
    const { desired, builder } = this.#deps;
    const { snapshot, tagOf } = session;
    // While its port is taken, its clients need not be read and built to know that it cannot listen.
    const waiting = session.waiting.has(id) ? await desired.inboundUsers(id, []) : null;
    const inUse = waiting === null ? '' : await portInUse(waiting);
    if (waiting !== null && inUse !== '') {
      forgetLeftOut(session, [waiting.tag]);
      return cannotListen(session, waiting, inUse);
    }
    const source = await desired.inbound(id);
    const built =
      source === null ? { inbound: null, leftOut: [] } : await builder.inbound(source, this.#deps.lifecycle.version);
    const oldTag = tagOf.get(id);
    const running = oldTag === undefined ? undefined : snapshot.inbounds.get(oldTag);
    forgetLeftOut(session, [oldTag, source?.tag]);
    session.leftOut.push(...built.leftOut);
    session.waiting.delete(id);

    const inbound = built.inbound;
    if (inbound === null) {
      if (!running) return { kind: 'unchanged' };
      if (running.users.hasReverse) return { kind: 'restart', reason: `${running.tag}: reverse proxy` };
      await session.process.api.removeInbound(running.tag);
      snapshot.inbounds.delete(running.tag);
      tagOf.delete(id);
      return { kind: 'live' };
    }
    const parts = partsOf(inbound);
    const wanted = await runningInbound(parts);
    // Another inbound has this tag, or none has: only the whole config tells what to do.
    if (parts.tag === '' || (parts.tag !== running?.tag && snapshot.inbounds.has(parts.tag)))
      return this.#everything(session);

    const change = emptyChange();
    if (running && running.tag === parts.tag) {
      const found = await compareInbound(running, parts, wanted);
      if (found.kind === 'same') return { kind: 'unchanged' };
      if (found.kind === 'restart') return found;
      if (found.kind === 'users') {
        return this.#afterUsers(session, running.tag, await changeUsers(session.process.api, running, found.change));
      }
    }
    if (running) {
      const bound = running.tag === parts.tag ? '' : boundToProcess(running, wanted);
      if (bound !== '') return { kind: 'restart', reason: `${parts.tag}: ${bound}` };
      change.removeInbounds.push(running.tag);
    }
    change.addInbounds.push(inbound);
    const [refused, compiled] = await Promise.all([this.#deps.check(aloneConfig(inbound)), this.#compiled(change)]);
    if (refused !== '' || 'refused' in compiled) {
      const reason = refused || ('refused' in compiled ? compiled.refused : '');
      session.leftOut.push({ kind: 'inbound', name: parts.tag, reason });
      return { kind: 'failed', text: reason, isRefused: true };
    }
    tagOf.delete(id);
    const { inbounds: failed } = await this.#execute(session, change, compiled);
    const [busy] = failed;
    if (busy) return cannotListen(session, { id, tag: busy.tag }, busy.text);
    snapshot.inbounds.set(parts.tag, wanted);
    tagOf.set(id, parts.tag);
    return { kind: 'live' };
  }

  async #everything(session: Session): Promise<Step> {
    const { desired, builder, logDir, lifecycle, check } = this.#deps;
    const source = await desired.full();
    const built = await builder.full(source, {
      apiListen: listenText(session.process.endpoint),
      logFolder: logDir,
      coreVersion: lifecycle.version,
    });
    let config = built.config;
    let next = await snapshotOf(config);
    let found: Difference =
      renamedAndBound(session, source.inbounds, next) ?? (await difference(session.snapshot, config, next));
    const leftOut: LeftOut[] = [...built.leftOut];
    let refused = '';
    if (found.kind === 'live' && needsTest(found.change)) {
      const thin = thinConfig(config, found.change);
      const reason = await check(thin);
      if (reason !== '') {
        const reduced = await withoutCulprits(thin, reason, check);
        if (reduced.reason !== '') return { kind: 'failed', text: reduced.reason, isRefused: true };
        refused = reduced.leftOut.map(({ name, reason: why }) => `${name}: ${why}`).join('\n');
        leftOut.push(...reduced.leftOut);
        config = withoutSame(config, reduced.config);
        next = await snapshotOf(config);
        found = await difference(session.snapshot, config, next);
      }
    }
    if (found.kind === 'restart') return found;
    if (found.kind === 'none') {
      this.#accept(session, next, tagsOf(source, next), leftOut);
      return refused === '' ? { kind: 'unchanged' } : { kind: 'failed', text: refused, isRefused: true };
    }
    const compiled = await compileChange(this.#deps.compile, found.change);
    const failures = await this.#execute(session, found.change, compiled);
    if (found.change.routing !== null) await this.#deps.overrides.reapply(session.process.api);
    for (const { tag } of found.change.users) {
      const kept = session.snapshot.inbounds.get(tag);
      // Its table was changed along with the core, including the failures.
      if (kept) next.inbounds.set(tag, kept);
    }
    const isElseMade = refused === '' && failures.users.length === 0;
    for (const { tag, text } of failures.inbounds) {
      next.inbounds.delete(tag);
      leftOut.push({ kind: 'inbound', name: tag, reason: text });
      refused = [refused, `${tag}: ${text}`].filter((part) => part !== '').join('\n');
    }
    const waiting = new Map<number, string>();
    for (const { id, tag } of source.inbounds) {
      const busy = failures.inbounds.find((failed) => failed.tag === tag);
      if (busy !== undefined) waiting.set(id, busy.text);
    }
    this.#accept(session, next, tagsOf(source, next), leftOut, waiting);
    const step = this.#failureStep(session, '', failures.users);
    return refused === '' || step.kind === 'failed'
      ? step
      : { kind: 'failed', text: refused, isRefused: true, isElseMade };
  }

  #accept(
    session: Session,
    snapshot: Snapshot,
    tagOf: Map<number, string>,
    leftOut: LeftOut[],
    waiting = new Map<number, string>(),
  ): void {
    session.snapshot = snapshot;
    session.tagOf = tagOf;
    session.leftOut = leftOut;
    session.waiting = waiting;
  }

  #execute({ process, snapshot }: Session, change: LiveChange, compiled: CompiledChange): Promise<PartialFailures> {
    return executeChange(process.api, snapshot, change, compiled, () => this.#deps.lifecycle.isClosed);
  }

  async #compiled(change: LiveChange): Promise<CompiledChange | { refused: string }> {
    try {
      return await compileChange(this.#deps.compile, change);
    } catch (error) {
      if (error instanceof CompileError) return { refused: error.message };
      throw error;
    }
  }

  #afterUsers(session: Session, tag: string, failures: UserFailure[]): Step {
    // The inbound should be there but is not: nothing in the snapshot can be trusted.
    if (failures.some(({ error }) => isApiError(error, 'notFound', 'noUserManager'))) {
      return { kind: 'restart', reason: `${tag} does not answer` };
    }
    return this.#failureStep(session, tag, failures);
  }

  #failureStep(session: Session, tag: string, failures: UserFailure[]): Step {
    const [first] = failures;
    if (!first) return { kind: 'live' };
    let isRefused = true;
    for (const { email, error } of failures) {
      if (!(error instanceof CoreApiError)) throw error;
      if (error.code !== 'badAccount') isRefused = false;
      else
        noteClients(
          session,
          tag,
          [email],
          [{ kind: 'client', name: email, reason: `Client left out of ${tag}: ${error.message}` }],
        );
    }
    return {
      kind: 'failed',
      text: first.error instanceof Error ? first.error.message : String(first.error),
      isRefused,
    };
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

function cannotListen(session: Session, { id, tag }: Pick<InboundSource, 'id' | 'tag'>, text: string): Step {
  session.leftOut.push({ kind: 'inbound', name: tag, reason: text });
  session.waiting.set(id, text);
  return { kind: 'failed', text, isRefused: true };
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

/** A failed call leaves the change half made, or the core without rules: only a new process is certain to be right. */
function stepOfError(error: unknown): Step {
  if (error instanceof DomainError) return refusedStep(error);
  if (error instanceof CompileError) return { kind: 'failed', text: error.message, isRefused: true };
  // The process is gone; its end is handled elsewhere, and the next start applies everything.
  if (isApiError(error, 'gone')) return { kind: 'failed', text: error.message, isRefused: false };
  if (error instanceof CoreApiError) return { kind: 'restart', reason: error.message };
  throw error;
}

function refusedStep({ text }: DomainError): Extract<Step, { kind: 'failed' }> {
  return { kind: 'failed', text, isRefused: true };
}

/** The running inbound decides the account kind; when the stored inbound has another kind, it is replaced first. */
function hasSameFrame(source: InboundSource, inbound: JsonObject | null, running: RunningInbound): boolean {
  // Without a user some inbounds are not emitted at all; removals need no account.
  if (inbound === null) return source.clients.length === 0;
  return sectionKey(partsOf(inbound).frame) === running.frameKey;
}

function worse(a: Step, b: Step): Step {
  const order = ['unchanged', 'live', 'failed', 'restart'];
  return order.indexOf(b.kind) > order.indexOf(a.kind) ? b : a;
}

/** An inbound that now runs under another tag and may only change with the process. */
function renamedAndBound(session: Session, wanted: readonly InboundSource[], next: Snapshot): Difference | null {
  for (const { id, tag } of wanted) {
    const oldTag = session.tagOf.get(id);
    if (oldTag === undefined || oldTag === tag) continue;
    const [before, after] = [session.snapshot.inbounds.get(oldTag), next.inbounds.get(tag)];
    const reason = before && after ? boundToProcess(before, after) : '';
    if (reason !== '') return { kind: 'restart', reason: `${tag}: ${reason}` };
  }
  return null;
}
