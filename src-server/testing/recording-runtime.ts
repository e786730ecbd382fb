import type { ConfigVerdict } from '../core/core.ts';
import type { Change, Runtime } from '../runtime/runtime.ts';

/** Notes what a panel's runtime is told from now on, on the way to where it leads. */
export function recordRuntime(runtime: Runtime) {
  const real = { ...runtime };
  const staged: Change[] = [];
  const applied: Change[] = [];
  const restarts: string[] = [];
  return Object.assign(runtime, {
    staged,
    applied,
    restarts,
    async stage(...[trx, change]: Parameters<Runtime['stage']>) {
      staged.push(change);
      await real.stage(trx, change);
    },
    async apply(change: Change) {
      applied.push(change);
      return real.apply(change);
    },
    async restartCore(reason: string) {
      restarts.push(reason);
      await real.restartCore(reason);
    },
  });
}

/** Runtime that remembers what it was told, for tests of domains that must report every change. */
export function recordingRuntime(): Runtime & {
  staged: Change[];
  applied: Change[];
  restarts: string[];
  verdict: ConfigVerdict;
} {
  const runtime = {
    staged: [] as Change[],
    applied: [] as Change[],
    restarts: [] as string[],
    verdict: { ok: true, text: '' } as ConfigVerdict,
    async stage(_trx: unknown, change: Change) {
      runtime.staged.push(change);
    },
    async apply(change: Change) {
      runtime.applied.push(change);
      return { core: { kind: 'live' as const }, nodePending: false };
    },
    testInbound: async () => runtime.verdict,
    testTemplate: async () => runtime.verdict,
    async restartCore(reason: string) {
      runtime.restarts.push(reason);
    },
    reservedPorts: () => [],
  };
  return runtime;
}
