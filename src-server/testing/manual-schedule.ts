import { createScheduler, type Scheduler } from '../schedule/scheduler.ts';
import { recordingLogger } from './test-store.ts';

export interface ManualSchedule {
  /** The real scheduler, over time that a test moves. */
  schedule: Scheduler;
  clock: () => number;
  /** Milliseconds that only {@link advance} moves. */
  monotonic: () => number;
  log: ReturnType<typeof recordingLogger>;
  /**
   * Moves time forward and runs what falls due, in order. Waits for each run to end before time goes on; with
   * `settle: false` it does not, for runs that are meant to be slow.
   */
  advance: (ms: number, options?: { settle: boolean }) => Promise<void>;
  /** Moves time forward at once, as a machine that slept: timers that fell due meanwhile run once, and have ended. */
  wakeAfter: (ms: number) => Promise<void>;
  /** Moves only the wall clock, as a user or a time server does; timers keep their remaining time. */
  jumpClock: (ms: number) => void;
  /** Drops every waiting timer, so that days pass quickly for later ones. */
  dropTimers: () => void;
}

/** Time under the test's control, starting at `startMs`. */
export function manualSchedule(startMs = 1_700_000_000_000): ManualSchedule {
  interface Pending {
    dueMs: number;
    order: number;
    call: () => void;
  }
  const pending = new Set<Pending>();
  const log = recordingLogger();
  let elapsedMs = 0;
  let offsetMs = startMs;
  let order = 0;
  const clock = (): number => offsetMs + elapsedMs;

  const schedule = createScheduler({
    clock,
    log,
    timers: {
      startTimer(delayMs, call) {
        const timer = { dueMs: elapsedMs + delayMs, order: order++, call };
        pending.add(timer);
        return () => void pending.delete(timer);
      },
    },
  });

  function nextDue(untilMs: number): Pending | null {
    let next: Pending | null = null;
    for (const timer of pending) {
      if (timer.dueMs > untilMs) continue;
      if (next === null || timer.dueMs < next.dueMs || (timer.dueMs === next.dueMs && timer.order < next.order))
        next = timer;
    }
    return next;
  }

  return {
    schedule,
    clock,
    monotonic: () => elapsedMs,
    log,
    async advance(ms, { settle } = { settle: true }) {
      const untilMs = elapsedMs + ms;
      for (let timer = nextDue(untilMs); timer !== null; timer = nextDue(untilMs)) {
        pending.delete(timer);
        elapsedMs = Math.max(elapsedMs, timer.dueMs);
        timer.call();
        if (settle) await schedule.idle();
      }
      elapsedMs = untilMs;
    },
    async wakeAfter(ms) {
      elapsedMs += ms;
      const due = [...pending].filter(({ dueMs }) => dueMs <= elapsedMs).sort((a, b) => a.dueMs - b.dueMs);
      for (const timer of due) {
        if (!pending.delete(timer)) continue;
        timer.call();
        await schedule.idle();
      }
    },
    jumpClock(ms) {
      offsetMs += ms;
    },
    dropTimers: () => pending.clear(),
  };
}
