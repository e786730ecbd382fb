import type { Json } from '../../contract/json.ts';
import type { WriteTransaction } from '../../store/open-store.ts';

/** Hosts replace the legacy `streamSettings.externalProxy`; their rows go with the inbound's by foreign key. */
export interface InboundHostPort {
  /** Turns each usable entry into a host of the new inbound, in order. The array stays in the inbound as it is. */
  importExternalProxies(
    trx: WriteTransaction,
    inboundId: number,
    entries: readonly Json[],
    nowMs: number,
  ): Promise<void>;
  /** Turns hosts as another panel tells of them into hosts of the new inbound, in order; what is none is left out. */
  importHosts(trx: WriteTransaction, inboundId: number, reported: readonly unknown[], nowMs: number): Promise<void>;
}
