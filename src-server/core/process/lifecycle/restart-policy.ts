/** How one core process ended, as far as it affects the next start. */
export interface ProcessEnd {
  exitCode: number | null;
  /** How long its API had been answering, in ms; 0 when it never did. */
  respondedForMs: number;
}

/** What the policy remembers from one end to the next. */
export interface RestartState {
  /** Starts in a row that failed or died young. */
  failures: number;
}

export type RestartDecision =
  | { kind: 'restart'; afterMs: number; state: RestartState }
  /** Nothing will change by itself: wait for another config. */
  | { kind: 'wait'; state: RestartState };

export const FRESH: RestartState = { failures: 0 };

/** After this long, in ms, the config a core started with is not to blame for its end. */
const PROVEN_MS = 5_000;
const LONGEST_MS = 60_000;
/** A core that answered at all runs with this config; whatever killed it, its clients want it back soon. */
const AFTER_RESPONSE_MS = 500;
/** Dying over and over is no operator's kill: restarts must not keep the processor busy. */
const QUICK_RESTARTS = 8;
const LONGEST_AFTER_RESPONSE_MS = 5_000;
const CONFIG_ERROR = 23;
const PANIC = 2;

/**
 * Decides about the next start after an unplanned end: at once after a proven run, after half a second when it had
 * answered (5 s from the ninth time in a row), else after 2, 4, 8 … 60 s; not at all when the config is to blame (code
 * 23, or a panic before the first response).
 */
export function afterEnd(state: RestartState, end: ProcessEnd): RestartDecision {
  if (end.respondedForMs >= PROVEN_MS) return { kind: 'restart', afterMs: 0, state: FRESH };
  const next = { failures: state.failures + 1 };
  const isConfigToBlame = end.exitCode === CONFIG_ERROR || (end.exitCode === PANIC && end.respondedForMs === 0);
  if (isConfigToBlame) return { kind: 'wait', state: next };
  return { kind: 'restart', afterMs: delayMs(next.failures, end.respondedForMs > 0), state: next };
}

function delayMs(failures: number, hasResponded: boolean): number {
  if (hasResponded) return failures <= QUICK_RESTARTS ? AFTER_RESPONSE_MS : LONGEST_AFTER_RESPONSE_MS;
  return Math.min(LONGEST_MS, 1000 * 2 ** Math.min(failures, 10));
}
