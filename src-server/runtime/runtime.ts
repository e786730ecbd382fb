import type { InboundSource } from '../core/config/source.ts';
import type { ApplyResult, ConfigVerdict, CoreChange } from '../core/core.ts';
import type { WriteTransaction } from '../store/open-store.ts';

export { mergeChanges } from '../core/merge-changes.ts';

/** What a transaction changed for the place where inbounds run; the same for this panel's core and for remote nodes. */
export interface Change extends CoreChange {
  /**
   * Users that were switched off or taken away, and how far their open sessions on nodes are to be ended; without it every node cuts
   * what affects nobody else. `asNeeded`: the lowest step that leaves nobody.
   */
  endSessions?: {
    how: 'leave' | 'readd' | 'restart' | 'asNeeded';
    users: readonly { inboundId: number; emails: readonly string[] }[];
  };
}

export interface ApplyReport {
  /** What happened to this panel's own core. */
  core: ApplyResult;
  /** True when a node concerned is unreachable now: the change is stored and follows later. */
  nodePending: boolean;
}

/**
 * The only way a change to inbounds and clients reaches what runs. Two steps, so that nothing is lost between them:
 * `stage` inside the transaction leaves a mark for remote panels, `apply` after the commit makes the local core equal to
 * the store. Both say what changed, never what to do; the desired state is read again from the store.
 */
export interface Runtime {
  stage(trx: WriteTransaction, change: Change): Promise<void>;
  /** Resolves when the local core has taken the change (a client works the moment its add is answered). Never throws for a core that refuses; see {@link ApplyResult}. */
  apply(change: Change): Promise<ApplyReport>;
  /** Whether the core would run with `candidate` in place of its stored row; asked before an inbound is saved. */
  testInbound(candidate: InboundSource): Promise<ConfigVerdict>;
  /** Whether the core would run with this template. */
  testTemplate(template: InboundSource['settings']): Promise<ConfigVerdict>;
  /** Ends every open session of the local core: the restart after automatic disabling, and by hand. */
  restartCore(reason: string): Promise<void>;
  /** Ports on this machine that inbounds must not take although no inbound holds them. */
  reservedPorts(): { port: number; use: string }[];
}
