import { GIVE_UP_EXIT_CODE, RESTART_EXIT_CODE, USAGE_EXIT_CODE } from '../../src-server/cli/launch/exit-codes.ts';
import { restartDelayMs } from '../../src-server/cli/launch/restart-delay.ts';

/** This many crashes within {@link CRASH_WINDOW_MS} end the attempts: a page then shows the panel's last output. */
const CRASH_LIMIT = 3;
const CRASH_WINDOW_MS = 60_000;
/** Long enough for a migration or an integrity check of a large database. */
const START_LIMIT_MS = 120_000;
/** The panel itself takes at most 7 s: counters, core, checkpoint, backup. */
const STOP_LIMIT_MS = 9_000;

/** A running panel's report about itself. */
export interface PanelPlace {
  pid: number;
  /** Unix socket or pipe that only this user may open. */
  socket: string;
  /** Address for browsers, base path included. */
  panel: string;
  /** Address of the subscription server; empty while it is off. */
  sub: string;
}

interface Crashes {
  /** Times of the crashes within the last minute, in ms since the epoch. */
  crashedAtMs: readonly number[];
}

export type ServerState = Crashes &
  (
    | { kind: 'stopped' }
    | { kind: 'starting'; attempt: number }
    | { kind: 'running'; place: PanelPlace }
    | { kind: 'backingOff'; attempt: number; retryAtMs: number; lastError: string }
    /** `crashLoop`: three crashes in a minute. `refused`: the panel reported that another start would fail too. */
    | { kind: 'failed'; why: 'crashLoop' | 'refused'; lastError: string }
    | { kind: 'stopping' }
  );

export type SupervisorEvent =
  | { kind: 'startRequested' }
  | { kind: 'ready'; place: PanelPlace }
  /** `code` null: ended by a signal. `lastError`: the process's last output. */
  | { kind: 'exited'; code: number | null; lastError: string }
  /** The timer that the last `wake` set has fired. */
  | { kind: 'alarm' }
  | { kind: 'stopRequested' };

export type SupervisorAction =
  | { kind: 'spawn' }
  | { kind: 'sendStop' }
  | { kind: 'kill' }
  /** One timer at a time; a new one replaces the old. */
  | { kind: 'wake'; afterMs: number }
  | { kind: 'cancelWake' };

type Step = [ServerState, SupervisorAction[]];

export const STOPPED: ServerState = { kind: 'stopped', crashedAtMs: [] };

/**
 * The whole policy of keeping one panel process running; the caller handles timers and processes.
 * @param random 0..1, spreads the delays.
 */
export function next(state: ServerState, event: SupervisorEvent, nowMs: number, random: number): Step {
  switch (event.kind) {
    case 'startRequested':
      return state.kind === 'stopped' || state.kind === 'failed' || state.kind === 'backingOff'
        ? start([], 1)
        : [state, []];
    case 'ready':
      return state.kind === 'starting'
        ? [{ kind: 'running', place: event.place, crashedAtMs: state.crashedAtMs }, [{ kind: 'cancelWake' }]]
        : [state, []];
    case 'exited':
      return exited(state, event, nowMs, random);
    case 'alarm':
      if (state.kind === 'backingOff') return start(state.crashedAtMs, state.attempt + 1);
      // Too slow a start, or a stop that hangs: killed; its exit is the next event.
      return state.kind === 'starting' || state.kind === 'stopping' ? [state, [{ kind: 'kill' }]] : [state, []];
    default:
      return stop(state);
  }
}

function start(crashedAtMs: readonly number[], attempt: number): Step {
  return [{ kind: 'starting', attempt, crashedAtMs }, [{ kind: 'spawn' }, { kind: 'wake', afterMs: START_LIMIT_MS }]];
}

function stop(state: ServerState): Step {
  switch (state.kind) {
    case 'starting':
    case 'running':
      return [{ kind: 'stopping', crashedAtMs: [] }, [{ kind: 'sendStop' }, { kind: 'wake', afterMs: STOP_LIMIT_MS }]];
    case 'backingOff':
      return [STOPPED, [{ kind: 'cancelWake' }]];
    case 'failed':
      return [STOPPED, []];
    default:
      return [state, []];
  }
}

function exited(
  state: ServerState,
  { code, lastError }: { code: number | null; lastError: string },
  nowMs: number,
  random: number,
): Step {
  if (state.kind === 'stopping') return [STOPPED, [{ kind: 'cancelWake' }]];
  if (state.kind !== 'starting' && state.kind !== 'running') return [state, []];
  const wasReady = state.kind === 'running';
  // A panel that asks again before it ever answered would loop.
  if (code === RESTART_EXIT_CODE && wasReady) return start([], 1);
  if (code === GIVE_UP_EXIT_CODE || code === USAGE_EXIT_CODE)
    return [{ kind: 'failed', why: 'refused', lastError, crashedAtMs: [] }, [{ kind: 'cancelWake' }]];
  const crashedAtMs = [...state.crashedAtMs.filter((ms) => ms > nowMs - CRASH_WINDOW_MS), nowMs];
  if (crashedAtMs.length >= CRASH_LIMIT)
    return [{ kind: 'failed', why: 'crashLoop', lastError, crashedAtMs: [] }, [{ kind: 'cancelWake' }]];
  const attempt = crashedAtMs.length;
  const afterMs = restartDelayMs(attempt, wasReady, random);
  return [
    { kind: 'backingOff', attempt, retryAtMs: nowMs + afterMs, lastError, crashedAtMs },
    [{ kind: 'wake', afterMs }],
  ];
}
