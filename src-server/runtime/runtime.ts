import type { InboundSource } from '../core/config/source.ts';
import type { ApplyResult, ConfigVerdict, CoreChange } from '../core/core.ts';
import type { WriteTransaction } from '../store/open-store.ts';

export { mergeChanges } from '../core/merge-changes.ts';

/**
 * What a transaction changed for the places where inbounds run; the same for this panel's core and for remote nodes.
 */
export interface Change extends CoreChange {
  /**
   * Users that were disabled or removed, and how far to end their open sessions on nodes; without it every node ends
   * the sessions that affect no one else. `asNeeded`: the mildest step that leaves no session open.
   */
  endSessions?: {
    how: 'leave' | 'readd' | 'restart' | 'asNeeded';
    users: readonly { inboundId: number; emails: readonly string[] }[];
  };
}

/** Why counters of clients were reset: on request, or for a new period that nodes begin too. */
export type ResetCause = 'request' | 'renewal' | 'schedule';

export interface ApplyReport {
  /** What happened to this panel's own core. */
  core: ApplyResult;
  /** True when an affected node is unreachable now: the change is stored and follows later. */
  nodePending: boolean;
}

/**
 * The only way by which a change of inbounds and clients reaches what runs. Two steps, so that nothing is lost in
 * between: `stage` inside the transaction leaves a mark for remote panels, `apply` after the commit brings the local
 * core in line with the store. Both name what changed, never what to do; the desired state is read again from the
 * store.
 */
export interface Runtime {
  stage(trx: WriteTransaction, change: Change): Promise<void>;
  /**
   * Resolves when the local core has applied the change (a client works as soon as its add returns). Never throws for a
   * core that refuses; see {@link ApplyResult}.
   */
  apply(change: Change): Promise<ApplyReport>;
  /** Whether the core would run with `candidate` in place of its stored row; checked before an inbound is saved. */
  testInbound(candidate: InboundSource): Promise<ConfigVerdict>;
  /** Whether the core would run with this template. */
  testTemplate(template: InboundSource['settings']): Promise<ConfigVerdict>;
  /** Ends every open session of the local core: the restart after automatic disabling, and on request. */
  restartCore(reason: string): Promise<void>;
  /** Ports on this machine that inbounds must not use although no inbound holds them. */
  reservedPorts(): { port: number; use: string }[];
}
