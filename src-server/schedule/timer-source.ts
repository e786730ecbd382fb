/** One-shot timers, all that the scheduler needs from outside. Tests provide their own. */
export interface TimerSource {
  /** Calls once after `delayMs` (at most {@link LONGEST_DELAY_MS}). @returns the function that cancels it. */
  startTimer(delayMs: number, call: () => void): () => void;
}

/** Node's timers overflow beyond this and would fire at once. */
export const LONGEST_DELAY_MS = 2_147_483_647;

/** Node's own timers. They do not keep the process alive: the listeners do. */
export const nodeTimers: TimerSource = {
  startTimer(delayMs, call) {
    const timer = setTimeout(call, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
