import type { WriteTransaction } from '../../store/open-store.ts';

/** Resetting counters, implemented by the traffic domain, which owns baselines, ledger and group totals. */
export interface InboundTrafficPort {
  /**
   * Must be awaited before, and outside of, a transaction that may give these e-mails to new clients: bytes moved under
   * them so far go to the previous owner.
   */
  settleSubjects(emails: readonly string[]): Promise<void>;
  /** Resets the inbound's own counters and records the time of the reset. Clients are not touched. */
  resetInbound(trx: WriteTransaction, inboundId: number, nowMs: number): Promise<void>;
  /**
   * Resets the counters of every client attached to the inbound (through the link table), keeps group totals
   * continuous, and enables clients that were disabled only because of their quota; those disabled by an admin stay
   * disabled.
   * @returns e-mails enabled again, which belong in the core, with every inbound that carries them.
   */
  resetClientsOfInbound(
    trx: WriteTransaction,
    inboundId: number,
    nowMs: number,
  ): Promise<{ users: { inboundId: number; emails: string[] }[] }>;
}
