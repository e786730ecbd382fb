import type { Change, Runtime } from '../runtime/runtime.ts';

/** Records the calls to a panel's runtime from now on, and passes them on. */
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
