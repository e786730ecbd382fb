import type { Basics } from '../../basics.ts';
import type { Core } from '../../../core/core.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import type { SessionEnder } from '../sessions/end-sessions.ts';

/**
 * Automatic restarts cut all connections; two are never closer than this. Below the 12 s within which one must happen.
 */
const RESTART_GAP_MS = 5_000;
const RETRY_MS = 30_000;

export interface WantedRestartDeps extends Pick<Basics, 'monotonic' | 'log'> {
  core: Pick<Core, 'status'>;
  runtime: Pick<Runtime, 'restartCore'>;
  sessions: Pick<SessionEnder, 'readd'>;
  settings: { current(): { restartCoreOnClientDisable: boolean } };
}

/** Connections that only a restart of the core ends, or adding their inbounds again. */
export function createWantedRestart({ core, runtime, sessions, settings, monotonic, log }: WantedRestartDeps) {
  /**
   * The boot whose connections must be ended, why, and the inbounds for which adding them again is enough (empty =
   * restart).
   */
  let wanted: { bootId: string; reason: string; inboundIds: number[] } | null = null;
  let notBeforeMs = -Infinity;

  /** Notes that connections must be ended in the running core, unless the settings forbid it. */
  function want(reason: string, inboundIds: number[]): void {
    const { bootId, state } = core.status();
    if (state !== 'running' || bootId === null || !settings.current().restartCoreOnClientDisable) return;
    const isRestart = inboundIds.length === 0 || wanted?.inboundIds.length === 0;
    wanted = { bootId, reason, inboundIds: isRestart ? [] : [...(wanted?.inboundIds ?? []), ...inboundIds] };
  }

  /** Ends the connections that are noted, unless the last restart was moments ago. A failed one is retried. */
  async function runWhenDue(): Promise<void> {
    if (wanted === null || monotonic() < notBeforeMs) return;
    const { bootId, reason, inboundIds } = wanted;
    if (core.status().bootId !== bootId || !settings.current().restartCoreOnClientDisable) {
      wanted = null;
      return;
    }
    notBeforeMs = monotonic() + RESTART_GAP_MS;
    try {
      await (inboundIds.length > 0 ? sessions.readd(inboundIds, reason) : runtime.restartCore(reason));
      wanted = null;
    } catch (error) {
      // The old core keeps running without the removed users, so new connections are refused all the same.
      notBeforeMs = monotonic() + RETRY_MS;
      log.error('traffic.restartFailed', { reason, error });
    }
  }

  return { want, runWhenDue };
}
