/** A started timer. `cancel` stops future runs; a run under way finishes. Cancelling twice is harmless. */
export interface Timer {
  cancel(): void;
}

/** What a timer calls. A rejected promise or a thrown error is logged by the scheduler and does not stop later runs. */
export type TimedRun = () => void | Promise<void>;

/**
 * Timers, injected so that tests move time instead of sleeping. Each timer runs one call at a time: a tick that falls
 * due during the previous call is skipped. After a suspend, missed ticks are made up by one run.
 */
export interface Schedule {
  /** Runs every `intervalMs`, first after one interval. */
  every(intervalMs: number, run: TimedRun): Timer;
  /** Runs once, `delayMs` from now. */
  after(delayMs: number, run: TimedRun): Timer;
  /**
   * Runs at the moments of a five or six field cron expression in an IANA time zone (`''` = the system's).
   * @throws {RangeError} when the expression or the zone cannot be read.
   */
  cron(expression: string, timeZone: string, run: TimedRun): Timer;
}
