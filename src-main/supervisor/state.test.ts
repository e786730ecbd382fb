import { describe, expect, it } from 'vitest';
import { next, STOPPED, type ServerState, type SupervisorEvent } from './state.ts';

const PLACE = { pid: 7, socket: '/s', panel: 'http://127.0.0.1:1/', sub: '' };
const exit = (code: number | null): SupervisorEvent => ({ kind: 'exited', code, lastError: 'boom' });

/** Feeds events one after another, each optionally with its time. @returns the last state and all actions. */
function run(...events: (SupervisorEvent | [SupervisorEvent, number])[]) {
  let state: ServerState = STOPPED;
  const actions: string[] = [];
  for (const entry of events) {
    const [event, nowMs] = Array.isArray(entry) ? entry : [entry, 0];
    const [after, nextActions] = next(state, event, nowMs, 0.5);
    state = after;
    actions.push(...nextActions.map((action) => (action.kind === 'wake' ? `wake ${action.afterMs}` : action.kind)));
  }
  return { state, actions };
}
const START: SupervisorEvent = { kind: 'startRequested' };
const READY: SupervisorEvent = { kind: 'ready', place: PLACE };
const STOP: SupervisorEvent = { kind: 'stopRequested' };
const ALARM: SupervisorEvent = { kind: 'alarm' };

describe('the supervisor', () => {
  it('starts, runs, stops', () => {
    expect(run(START, READY)).toEqual({
      state: { kind: 'running', place: PLACE, crashedAtMs: [] },
      actions: ['spawn', 'wake 120000', 'cancelWake'],
    });
    expect(run(START, READY, STOP, exit(0))).toEqual({
      state: STOPPED,
      actions: ['spawn', 'wake 120000', 'cancelWake', 'sendStop', 'wake 9000', 'cancelWake'],
    });
  });

  it('restarts at once when the panel asks for it', () => {
    const { state, actions } = run(START, READY, exit(86));
    expect(state.kind).toBe('starting');
    expect(actions.slice(3)).toEqual(['spawn', 'wake 120000']);
  });

  it('counts a panel that asks again before it answered as crashed', () => {
    expect(run(START, exit(86)).state).toMatchObject({ kind: 'backingOff', attempt: 1, retryAtMs: 1000 });
  });

  it('restarts a panel that something else stopped: a window without its panel is useless', () => {
    expect(run(START, READY, exit(0), ALARM).state).toMatchObject({ kind: 'starting', attempt: 2 });
  });

  it('waits after a crash, longer each time, then starts again', () => {
    expect(run(START, exit(1), ALARM).state).toMatchObject({ kind: 'starting', attempt: 2 });
    expect(run(START, exit(1), ALARM, exit(null)).state).toMatchObject({
      kind: 'backingOff',
      retryAtMs: 2000,
      lastError: 'boom',
    });
  });

  it('gives up after three crashes in a minute, and retries on request', () => {
    const crash = (atMs: number): [SupervisorEvent, number][] => [
      [READY, atMs],
      [exit(null), atMs],
      [ALARM, atMs],
    ];
    expect(run(START, ...crash(0), ...crash(1000), ...crash(2000)).state).toMatchObject({
      kind: 'failed',
      why: 'crashLoop',
      lastError: 'boom',
    });
    expect(run(START, ...crash(0), ...crash(1000), ...crash(2000), START).state).toEqual({
      kind: 'starting',
      attempt: 1,
      crashedAtMs: [],
    });
    expect(run(START, ...crash(0), ...crash(1000), ...crash(61_500)).state.kind).toBe('starting');
  });

  it.each([78, 64])('does not restart after exit code %i', (code) => {
    expect(run(START, exit(code)).state).toMatchObject({ kind: 'failed', why: 'refused' });
  });

  it('kills a start that takes too long, and a stop that hangs', () => {
    expect(run(START, ALARM).actions.at(-1)).toBe('kill');
    expect(run(START, READY, STOP, ALARM).actions.at(-1)).toBe('kill');
    expect(run(START, READY, STOP, ALARM, exit(null)).state).toEqual(STOPPED);
  });

  it('a stop during the wait cancels the wait; a late timer starts nothing', () => {
    expect(run(START, exit(1), STOP, ALARM)).toMatchObject({ state: STOPPED });
    expect(run(START, exit(1), STOP, ALARM).actions.filter((action) => action === 'spawn')).toHaveLength(1);
  });

  it('a restart request that arrives while stopping counts as a stop', () => {
    expect(run(START, READY, STOP, exit(86)).state).toEqual(STOPPED);
  });

  it('two requests start one process', () => {
    expect(run(START, START, READY, START).actions.filter((action) => action === 'spawn')).toHaveLength(1);
  });
});
