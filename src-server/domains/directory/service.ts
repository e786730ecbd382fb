import type { Basics } from '../basics.ts';
import { actingAs } from '../../acting.ts';
import type { Act } from '../../contract/act.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { Timer } from '../../contract/schedule.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { HiddenSettings } from '../settings/hidden-settings.ts';
import { parseScheduleText } from '../settings/checks/schedule-text.ts';
import type { SettingsSnapshot } from '../settings/snapshot.ts';
import { unusedStages } from './directory-session.ts';
import { applyPlan, type ClientPort } from './apply-plan.ts';
import type { DirectoryFailure, DirectoryPlan, DirectoryRun, DirectoryState, DirectoryTest } from './contract.ts';
import { DirectoryError } from './directory-failure.ts';
import { heldFor, recentLosses } from './guard.ts';
import { newsOf } from './news.ts';
import { makePlan, readDirectory, type MadePlan, type ReadDeps } from './make-plan.ts';
import { createMemory, type DirectoryMemory } from './memory.ts';

export interface DirectoryServiceDeps extends ReadDeps, Pick<Basics, 'clock' | 'schedule' | 'publish' | 'log'> {
  settings: Pick<SettingsSnapshot, 'current' | 'onChange' | 'refresh'> & HiddenSettings;
  clients: ClientPort;
  textOf: (failure: Pick<DomainError, 'code' | 'params'>) => string;
}
export type DirectoryService = ReturnType<typeof createDirectoryService>;

/** How long a person's call waits for the run in progress; a usual run takes less. */
const BUSY_WAIT_MS = 3_000;
/** Most reasons kept of changes that failed. */
const MAX_SKIPPED = 20;

const BY_SCHEDULE: Act = { actor: 'directory', name: '', address: '', verb: 'directory', requestId: '' };

/** Keeps clients in sync with a directory: on schedule as far as the guard allows, by hand for confirmed plans. */
export function createDirectoryService(deps: DirectoryServiceDeps) {
  const { settings, schedule, clock, log } = deps;
  const memory = createMemory(settings);
  const stopping = new AbortController();
  let running: Promise<unknown> | null = null;
  let timer: Timer | null = null;

  /** One look or run at a time: a run would make another's plan outdated. @throws `directory.busy` */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    if (running !== null) throw new DomainError('directory.busy');
    const own = work().finally(() => (running = null));
    running = own.catch(() => {});
    return own;
  }

  async function byHand<T>(work: () => Promise<T>): Promise<T> {
    await settings.refresh();
    await Promise.race([running, delay(BUSY_WAIT_MS, null, { ref: false })]);
    return alone(work);
  }

  const failureOf = (error: unknown): DirectoryFailure => {
    const { code, params } = error instanceof DomainError ? error : unexpected(error);
    const stage = error instanceof DirectoryError ? error.stage : null;
    return { code, params: { ...params }, reason: deps.textOf({ code, params }), stage };
  };
  function unexpected(error: unknown): Pick<DomainError, 'code' | 'params'> {
    log.error('directory.unexpected', { error });
    return { code: 'directory.refused', params: { text: error instanceof Error ? error.message : String(error) } };
  }

  const held = (plan: MadePlan, remembered: DirectoryMemory) =>
    heldFor(remembered, { ...plan, gone: plan.disable.length + plan.detach.length }, clock());

  const runOf = (isScheduled: boolean, outcome: DirectoryRun['outcome'], plan?: MadePlan): DirectoryRun => ({
    at: clock(),
    isScheduled,
    outcome,
    entries: plan?.entries ?? 0,
    counts: {
      create: plan?.create.length ?? 0,
      attach: plan?.attach.length ?? 0,
      enable: plan?.enable.length ?? 0,
      disable: plan?.disable.length ?? 0,
      detach: plan?.detach.length ?? 0,
    },
    heldFor: null,
    unknownTags: plan?.unknownTags ?? [],
    skipped: [],
    failure: null,
  });

  /** Reports when runs start to fail or to wait, and when they recover: once each, however often the result repeats. */
  async function note(remembered: DirectoryMemory, lastRun: DirectoryRun): Promise<DirectoryRun> {
    await memory.write({ ...remembered, lastRun });
    const news = newsOf(remembered.lastRun, lastRun);
    if (news !== null) deps.publish({ type: 'happened', ...news });
    const { outcome, counts, heldFor: reason, unknownTags, failure } = lastRun;
    const facts = {
      outcome,
      ...counts,
      ...(reason && { heldFor: reason }),
      ...(failure && { reason: failure.reason }),
    };
    if (outcome === 'done') log.info('directory.run', facts);
    else log.warn('directory.run', facts);
    if (unknownTags.length > 0) log.warn('directory.unknownTags', { tags: unknownTags });
    return lastRun;
  }

  /** Losses are recorded before they happen: a run killed half way counts as a complete one. */
  async function carryOut(plan: MadePlan, isScheduled: boolean, requestId: string): Promise<DirectoryRun> {
    const before = await memory.read();
    const nowMs = clock();
    const [gone, detached] = [plan.disable.length + plan.detach.length, plan.detach.length];
    const losses = isScheduled
      ? [...recentLosses(before, nowMs), ...(gone > 0 ? [{ atMs: nowMs, gone, detached }] : [])]
      : [];
    const remembered = { ...before, confirmed: plan.fingerprint, losses };
    await memory.write(remembered);
    const apply = () => applyPlan(deps.clients, plan, settings.current(), { nowMs, requestId });
    // A confirmed plan is journaled under the person who confirmed it, a scheduled run under its own name; both can be
    // undone.
    const skipped = await (isScheduled ? actingAs(BY_SCHEDULE, apply) : apply());
    const run = { ...runOf(isScheduled, 'done', plan), skipped: skipped.slice(0, MAX_SKIPPED) };
    return note({ ...remembered, entries: plan.entries, lastDoneAt: nowMs }, run);
  }

  async function failed(isScheduled: boolean, error: unknown): Promise<DirectoryRun> {
    return note(await memory.read(), { ...runOf(isScheduled, 'failed'), failure: failureOf(error) });
  }

  async function scheduledRun(): Promise<void> {
    try {
      const plan = await makePlan(deps, settings.current(), stopping.signal);
      const remembered = await memory.read();
      const reason = held(plan, remembered);
      if (reason === null) await carryOut(plan, true, '');
      else await note(remembered, { ...runOf(true, 'held', plan), heldFor: reason });
    } catch (error) {
      if (!stopping.signal.aborted) await failed(true, error);
    }
  }

  function arm(): void {
    timer?.cancel();
    timer = null;
    const { ldapEnable, ldapSyncCron, timeLocation } = settings.current();
    const when = ldapEnable ? parseScheduleText(ldapSyncCron) : null;
    const run = () => (running === null ? alone(scheduledRun) : undefined);
    if (when?.kind === 'every') timer = schedule.every(when.intervalMs, run);
    if (when?.kind === 'cron')
      timer = schedule.cron(when.expression, timeLocation === 'Local' ? '' : timeLocation, run);
  }
  const stopListening = settings.onChange(({ changed }) => {
    if (changed.has('ldapEnable') || changed.has('ldapSyncCron')) arm();
  });

  return {
    start: arm,

    async state(): Promise<DirectoryState> {
      const { lastRun, lastDoneAt } = await memory.read();
      return { isEnabled: settings.current().ldapEnable, isRunning: running !== null, lastRun, lastDoneAt };
    },

    async test(): Promise<DirectoryTest> {
      await settings.refresh();
      const current = settings.current();
      const unused = unusedStages(current);
      try {
        const { entries, notText } = await readDirectory(deps.dialer, current, stopping.signal);
        return { stage: 'search', unused, entries: entries.length + notText.length, failure: null };
      } catch (error) {
        const failure = failureOf(error);
        return { stage: failure.stage ?? 'connect', unused, entries: 0, failure };
      }
    },

    /** What a run would change now, without changing anything. @throws {DomainError} `directory.*` */
    plan: (): Promise<DirectoryPlan> =>
      byHand(async () => {
        const made = await makePlan(deps, settings.current(), stopping.signal);
        const { fingerprint: _, inboundIds: __, ...plan } = made;
        return { ...plan, heldFor: held(made, await memory.read()) };
      }),

    /**
     * Makes exactly the changes of the plan with this id. @throws {DomainError} `directory.planChanged`, and as {@link
     * plan}
     */
    apply: (id: string, requestId: string): Promise<DirectoryRun> =>
      byHand(async () => {
        const plan = await makePlan(deps, settings.current(), stopping.signal);
        if (plan.id !== id) throw new DomainError('directory.planChanged');
        return carryOut(plan, false, requestId);
      }),

    /** Aborts a session in progress; changes in progress are finished. */
    async close(): Promise<void> {
      stopListening();
      timer?.cancel();
      stopping.abort();
      await running;
    },
  };
}
