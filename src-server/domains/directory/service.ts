import type { Basics } from '../basics.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { Timer } from '../../contract/schedule.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { HiddenSettings } from '../settings/hidden-settings.ts';
import { parseScheduleText } from '../settings/checks/schedule-text.ts';
import type { SettingsSnapshot } from '../settings/snapshot.ts';
import { unusedStages } from './directory-session.ts';
import type { DirectoryPlan, DirectoryRun, DirectoryState, DirectoryTest } from './contract.ts';
import { makePlan, readDirectory, type ReadDeps } from './make-plan.ts';
import { createMemory } from './memory.ts';
import { createRuns, type RunsDeps } from './runs.ts';

export interface DirectoryServiceDeps
  extends ReadDeps, Pick<Basics, 'schedule'>, Omit<RunsDeps, 'settings' | 'memory'> {
  settings: Pick<SettingsSnapshot, 'current' | 'onChange' | 'refresh'> & HiddenSettings;
}
export type DirectoryService = ReturnType<typeof createDirectoryService>;

/** How long a person's call waits for the run in progress; a usual run takes less. */
const BUSY_WAIT_MS = 3_000;
/** Keeps clients in sync with a directory: on schedule as far as the guard allows, by hand for confirmed plans. */
export function createDirectoryService(deps: DirectoryServiceDeps) {
  const { settings, schedule } = deps;
  const memory = createMemory(settings);
  const runs = createRuns({ ...deps, memory });
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

  async function scheduledRun(): Promise<void> {
    try {
      const plan = await makePlan(deps, settings.current(), stopping.signal);
      const reason = await runs.held(plan);
      if (reason === null) await runs.carryOut(plan, true, '');
      else await runs.hold(plan, reason);
    } catch (error) {
      if (!stopping.signal.aborted) await runs.fail(error);
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
    if (changed.has('ldapEnable') || changed.has('ldapSyncCron') || changed.has('timeLocation')) arm();
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
        const failure = runs.failureOf(error);
        return { stage: failure.stage ?? 'connect', unused, entries: 0, failure };
      }
    },

    /** What a run would change now, without changing anything. @throws {DomainError} `directory.*` */
    plan: (): Promise<DirectoryPlan> =>
      byHand(async () => {
        const made = await makePlan(deps, settings.current(), stopping.signal);
        const { fingerprint: _, inboundIds: __, ...plan } = made;
        return { ...plan, heldFor: await runs.held(made) };
      }),

    /**
     * Makes exactly the changes of the plan with this id. @throws {DomainError} `directory.planChanged`, and as {@link
     * plan}
     */
    apply: (id: string, requestId: string): Promise<DirectoryRun> =>
      byHand(async () => {
        const plan = await makePlan(deps, settings.current(), stopping.signal);
        if (plan.id !== id) throw new DomainError('directory.planChanged');
        return runs.carryOut(plan, false, requestId);
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
