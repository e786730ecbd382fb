/** One-shot timers, the only thing the scheduler needs of its surroundings. Tests put their own here. */
export interface TimerSource {
  /** Calls once after `delayMs` (at most {@link LONGEST_DELAY_MS}). @returns the function that takes it back. */
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
