import { Cron } from 'croner';
import { actingAlone } from '../acting.ts';
import { isDatabaseAway } from '../contract/database-away.ts';
import { PLAUSIBLE_FROM_MS } from '../contract/plausible-clock.ts';
import type { Logger } from '../contract/logger.ts';
import type { Schedule, TimedRun, Timer } from '../contract/schedule.ts';
import { LONGEST_DELAY_MS, nodeTimers, type TimerSource } from './timer-source.ts';

/** Longest sleep of a cron timer: a changed clock or the end of a suspend is noticed within this time. */
const CRON_LOOK_MS = 30_000;

export interface Scheduler extends Schedule {
  /** Resolves when no run is under way. */
  idle(): Promise<void>;
  /** Cancels every timer and waits for the runs under way. Timers created afterwards never run. */
  close(): Promise<void>;
}

/** The scheduler of {@link Schedule}. */
export function createScheduler(options: { clock: () => number; log: Logger; timers?: TimerSource }): Scheduler {
  const { clock, log, timers = nodeTimers } = options;
  const running = new Set<Promise<void>>();
  const live = new Set<Timer>();
  let isClosed = false;

  async function guarded(run: TimedRun): Promise<void> {
    try {
      await run();
    } catch (error) {
      // The next run tries again; the store has already reported it.
      if (!isDatabaseAway(error)) log.error('schedule.runFailed', { error });
    }
  }

  /** Starts `run`, unless its previous call is still under way. */
  function singleFile(run: TimedRun): () => void {
    let isBusy = false;
    return () => {
      if (isBusy) return;
      isBusy = true;
      // A timer armed during a request is not part of that request.
      const done = actingAlone(() => guarded(run)).finally(() => {
        isBusy = false;
        running.delete(done);
      });
      running.add(done);
    };
  }

  /** A timer that arms itself again for as long as `step` returns a delay in ms; null ends it. */
  function chain(firstDelayMs: number, step: () => number | null): Timer {
    let takeBack = (): void => {};
    const timer: Timer = {
      cancel() {
        takeBack();
        live.delete(timer);
      },
    };
    const arm = (delayMs: number): void => {
      const part = Math.min(Math.max(delayMs, 0), LONGEST_DELAY_MS);
      takeBack = timers.startTimer(part, () => {
        if (delayMs > part) return arm(delayMs - part);
        const nextDelayMs = step();
        if (nextDelayMs === null) live.delete(timer);
        // A step may cancel its own timer.
        else if (live.has(timer)) arm(nextDelayMs);
      });
    };
    if (isClosed) return timer;
    live.add(timer);
    arm(firstDelayMs);
    return timer;
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }

  return {
    every(intervalMs, run) {
      if (!(intervalMs > 0)) throw new RangeError(`an interval must be longer than 0 ms, not ${intervalMs}`);
      const start = singleFile(run);
      return chain(intervalMs, () => {
        start();
        return intervalMs;
      });
    },
    after(delayMs, run) {
      const start = singleFile(run);
      return chain(delayMs, () => {
        start();
        return null;
      });
    },
    cron(expression, timeZone, run) {
      const start = singleFile(run);
      const moments = parseCron(expression, timeZone, clock());
      return chain(0, () => {
        const nowMs = clock();
        if (moments.isDue(nowMs)) start();
        return Math.min(moments.nextMs() - nowMs, CRON_LOOK_MS);
      });
    },
    idle,
    async close() {
      isClosed = true;
      // Deleting while iterating a Set is well defined.
      for (const timer of live) timer.cancel();
      await idle();
    },
  };
}

/** Follows a cron expression along a clock that may jump. Several missed moments are due once. */
function parseCron(expression: string, timeZone: string, startMs: number) {
  let cron: Cron;
  try {
    cron = new Cron(expression, {
      paused: true,
      mode: '5-or-6-parts',
      ...(timeZone === '' ? {} : { timezone: timeZone }),
    });
    // The zone is only checked when a moment is computed.
    cron.nextRun(new Date(startMs));
  } catch (error) {
    throw new RangeError(
      `cannot read the cron expression "${expression}" in the time zone "${timeZone}": ${(error as Error).message}`,
      { cause: error },
    );
  }
  const after = (ms: number): number => cron.nextRun(new Date(ms))?.getTime() ?? Infinity;
  let lookedAtMs = startMs;
  let dueMs = after(startMs);
  return {
    isDue(nowMs: number): boolean {
      // If the clock was set back, the next moment would be far away.
      const wasSetBack = nowMs < lookedAtMs - CRON_LOOK_MS;
      // What a machine without a battery seems to have missed since 1970, it has not.
      const wasUnknown = lookedAtMs < PLAUSIBLE_FROM_MS && nowMs >= PLAUSIBLE_FROM_MS;
      const isDue = nowMs >= dueMs && !wasUnknown;
      if (isDue || wasSetBack || wasUnknown) dueMs = after(nowMs);
      lookedAtMs = nowMs;
      return isDue;
    },
    nextMs: (): number => dueMs,
  };
}
