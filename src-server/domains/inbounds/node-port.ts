import type { WriteTransaction } from '../../store/open-store.ts';

/** What inbounds need from the panels they can be deployed to. */
export interface InboundNodePort {
  /** Host name or IP by node id. */
  addresses(): Promise<ReadonlyMap<number, string>>;
  /** Adds this tag to the selection of a node that syncs only selected tags. */
  allowTag(trx: WriteTransaction, nodeId: number, tag: string): Promise<void>;
}
