import type { WriteTransaction } from '../../store/open-store.ts';

/** Resetting counters, implemented by the traffic domain: baselines, ledger and group totals are its business. */
export interface InboundTrafficPort {
  /**
   * To be awaited before the transaction that may give these e-mails to new clients, outside of it: what was moved under
   * them until now goes to the client that moved it.
   */
  settleSubjects(emails: readonly string[]): Promise<void>;
  /** Zeroes the inbound's own counters and notes the moment of the reset. Clients are untouched. */
  resetInbound(trx: WriteTransaction, inboundId: number, nowMs: number): Promise<void>;
  /**
   * Zeroes the counters of every client attached to the inbound (through the link table), keeps group totals continuous,
   * and enables clients that were off only because their quota was used up; those an admin switched off stay off.
   * @returns e-mails that came back and so belong into the core again, with every inbound that carries them.
   */
  resetClientsOfInbound(
    trx: WriteTransaction,
    inboundId: number,
    nowMs: number,
  ): Promise<{ users: { inboundId: number; emails: string[] }[] }>;
}
