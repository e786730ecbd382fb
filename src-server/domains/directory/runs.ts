import { actingAs } from '../../acting.ts';
import type { Act } from '../../contract/act.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { Basics } from '../basics.ts';
import type { SettingsSnapshot } from '../settings/snapshot.ts';
import { applyPlan, type ClientPort } from './apply-plan.ts';
import type { DirectoryFailure, DirectoryRun, HeldFor } from './contract.ts';
import { DirectoryError } from './directory-failure.ts';
import { heldFor, recentLosses } from './guard.ts';
import type { MadePlan } from './make-plan.ts';
import type { DirectoryMemory, Memory } from './memory.ts';
import { newsOf } from './news.ts';

export interface RunsDeps extends Pick<Basics, 'clock' | 'publish' | 'log'> {
  settings: Pick<SettingsSnapshot, 'current'>;
  memory: Memory;
  clients: ClientPort;
  textOf: (failure: Pick<DomainError, 'code' | 'params'>) => string;
}

/** Most reasons kept of changes that failed. */
const MAX_SKIPPED = 20;

const BY_SCHEDULE: Act = { actor: 'directory', name: '', address: '', verb: 'directory', requestId: '' };

/** Makes the changes of a plan, and records every run: what came of it, what it took away, and what is new about it. */
export function createRuns(deps: RunsDeps) {
  const { settings, memory, clock, log } = deps;

  const failureOf = (error: unknown): DirectoryFailure => {
    const { code, params } = error instanceof DomainError ? error : unexpected(error);
    const stage = error instanceof DirectoryError ? error.stage : null;
    return { code, params: { ...params }, reason: deps.textOf({ code, params }), stage };
  };
  function unexpected(error: unknown): Pick<DomainError, 'code' | 'params'> {
    log.error('directory.unexpected', { error });
    return { code: 'directory.refused', params: { text: error instanceof Error ? error.message : String(error) } };
  }

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

  return {
    failureOf,

    /** Why a scheduled run of this plan waits for a person; null = it need not. */
    held: async (plan: MadePlan): Promise<HeldFor | null> =>
      heldFor(await memory.read(), { ...plan, gone: plan.disable.length + plan.detach.length }, clock()),

    carryOut,

    /** Records that a scheduled run waits for a person. */
    async hold(plan: MadePlan, reason: HeldFor): Promise<void> {
      await note(await memory.read(), { ...runOf(true, 'held', plan), heldFor: reason });
    },

    /** Records that a scheduled run failed. */
    async fail(error: unknown): Promise<void> {
      await note(await memory.read(), { ...runOf(true, 'failed'), failure: failureOf(error) });
    },
  };
}
