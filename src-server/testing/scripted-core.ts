import { DomainError } from '../contract/domain-error.ts';
import type { Core, CoreStatus } from '../core/core.ts';

/** A core without a process: follows its script, and records its calls. Set the members to script it. */
export interface ScriptedCore extends Core {
  calls: string[];
  /** Error that {@link Core.restart} throws; null = it restarts. */
  refusal: DomainError | null;
  output: string;
  /** Moves to another state by itself, as a crash or an automatic restart does. */
  become(change: Partial<CoreStatus>): void;
}

export function scriptedCore(): ScriptedCore {
  const listeners = new Set<(status: CoreStatus) => void>();
  let status: CoreStatus = {
    state: 'running',
    version: '26.7.28',
    errorText: '',
    pid: 4711,
    bootId: 'boot-1',
    startedAtMs: 1_700_000_000_000,
    restarts: { count: 0, lastAtMs: null },
    leftOut: [],
  };
  const core: ScriptedCore = {
    calls: [],
    refusal: null,
    output: '',
    become(change) {
      status = { ...status, ...change };
      for (const listener of listeners) listener(status);
    },
    status: () => status,
    onState(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onBeforeStop() {},
    boot: async () => void core.calls.push('boot'),
    rest: async () => void core.calls.push('rest'),
    async stop() {
      core.calls.push('stop');
      if (status.state !== 'running') throw new DomainError('core.notRunning');
      core.become({ state: 'stop', pid: null, bootId: null, startedAtMs: null });
    },
    async restart() {
      core.calls.push('restart');
      if (core.refusal !== null) throw core.refusal;
      core.become({ state: 'running', pid: 4712, bootId: 'boot-2', startedAtMs: 1_700_000_000_000, errorText: '' });
    },
    close: async () => {},
    async apply() {
      core.calls.push('apply');
      return { kind: 'live' };
    },
    test: async () => ({ ok: true, text: '' }),
    assembled: async () => ({ log: { loglevel: 'warning' }, outbounds: [] }),
    lastOutput: () => (status.state === 'running' ? '' : core.output),
    readCounters: async () => null,
    onlineUsers: async () => null,
    previousRun: () => null,
    reservedPorts: () => [],
  };
  return core;
}
