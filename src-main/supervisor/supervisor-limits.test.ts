import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ServerHooks, ServerRuntime } from './server-runtime.ts';
import { createSupervisor } from './supervisor.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const PLACE = { pid: 1, socket: '/s', panel: 'http://127.0.0.1/', sub: '' };

/** A panel that only ends when it is killed, with a record of the calls to it. */
function open(isCoreLeft = false) {
  const done: string[] = [];
  const hooks: ServerHooks[] = [];
  const runtime: ServerRuntime = {
    start(_args, given) {
      hooks.push(given);
      done.push('start');
      return {
        send: (message) => done.push(message),
        kill() {
          done.push('kill');
          given.onExit(null);
        },
      };
    },
  };
  const supervisor = createSupervisor({
    runtime,
    argsFor: () => [],
    clock: Date.now,
    random: () => 0.5,
    isCoreLeft: async () => isCoreLeft,
    onState: () => undefined,
    onEvent: () => undefined,
    onFirstAdmin: () => undefined,
    onLine: () => undefined,
  });
  const ready = (): void => hooks.at(-1)!.onMessage({ type: 'ready', place: PLACE, firstAdmin: null });
  return { supervisor, done, hooks, ready };
}

it('a stop that hangs is killed after nine seconds, not earlier', async () => {
  const { supervisor, done, ready } = open();
  supervisor.start();
  ready();
  const stopped = supervisor.stop();
  await vi.advanceTimersByTimeAsync(8_999);
  expect(done).toEqual(['start', 'stop']);
  await vi.advanceTimersByTimeAsync(1);
  await stopped;
  expect(done).toEqual(['start', 'stop', 'kill']);
});

it('a slow start has two minutes, then the next try; waiting calls get the run that answers', async () => {
  const { supervisor, done, ready } = open();
  supervisor.start();
  const place = supervisor.place();
  await vi.advanceTimersByTimeAsync(119_999);
  expect(done).toEqual(['start']);
  await vi.advanceTimersByTimeAsync(1 + 1_000);
  expect(done).toEqual(['start', 'kill', 'start']);
  ready();
  expect(await place).toEqual(PLACE);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(done).toEqual(['start', 'kill', 'start']);
});

it('a late exit of an earlier process does not affect the present one', async () => {
  const { supervisor, hooks, ready } = open();
  supervisor.start();
  ready();
  hooks[0]!.onExit(86);
  ready();
  hooks[0]!.onExit(1);
  expect(supervisor.state().kind).toBe('running');
});

it('a sign-in link requested while the panel ends is null', async () => {
  const { supervisor, hooks, ready } = open();
  expect(await supervisor.signInLink()).toBeNull();
  supervisor.start();
  ready();
  const link = supervisor.signInLink();
  hooks[0]!.onExit(1);
  expect(await link).toBeNull();
});

it('a core that a killed panel left behind is read and ended by one more run before the stop', async () => {
  const { supervisor, done, hooks, ready } = open(true);
  supervisor.start();
  ready();
  hooks.at(-1)!.onExit(null);
  expect(supervisor.state().kind).toBe('backingOff');
  const stopped = supervisor.stop();
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['start', 'start']);
  ready();
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['start', 'start', 'stop']);
  hooks.at(-1)!.onExit(0);
  await stopped;
});
