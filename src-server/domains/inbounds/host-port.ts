import type { Json } from '../../contract/json.ts';
import type { WriteTransaction } from '../../store/open-store.ts';

/**
 * Hosts replace the legacy `streamSettings.externalProxy`; their rows are deleted with the inbound's by foreign key.
 */
export interface InboundHostPort {
  /** Turns each usable entry into a host of the new inbound, in order. The array stays in the inbound unchanged. */
  importExternalProxies(
    trx: WriteTransaction,
    inboundId: number,
    entries: readonly Json[],
    nowMs: number,
  ): Promise<void>;
  /** Turns hosts reported by another panel into hosts of the new inbound, in order; invalid ones are skipped. */
  importHosts(trx: WriteTransaction, inboundId: number, reported: readonly unknown[], nowMs: number): Promise<void>;
}
