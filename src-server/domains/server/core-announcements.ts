import type { Publish } from '../../contract/events.ts';
import type { Core } from '../../core/core.ts';

/** A core that crashes repeatedly is reported once a minute. */
const CRASH_EVERY_MS = 60_000;

/**
 * Publishes every state change of the core to pages and notifiers, and a crash when a running core exited unexpectedly.
 * @returns unsubscribes.
 */
export function announceCore(options: {
  core: Pick<Core, 'status' | 'onState'>;
  publish: Publish;
  clock: () => number;
}): () => void {
  const { core, publish, clock } = options;
  let wasRunning = core.status().state === 'running';
  let crashReportedAtMs = -Infinity;
  return core.onState(({ state, errorText }) => {
    publish(state === 'error' ? { type: 'coreState', state, errorText } : { type: 'coreState', state });
    const hasCrashed = wasRunning && state === 'error';
    wasRunning = state === 'running';
    const nowMs = clock();
    if (!hasCrashed || Math.abs(nowMs - crashReportedAtMs) < CRASH_EVERY_MS) return;
    crashReportedAtMs = nowMs;
    publish({ type: 'coreCrash', text: errorText });
  });
}
