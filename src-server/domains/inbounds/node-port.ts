import type { WriteTransaction } from '../../store/open-store.ts';

/** What inbounds need to know of the panels they can be deployed to. */
export interface InboundNodePort {
  /** Host name or IP by node id. */
  addresses(): Promise<ReadonlyMap<number, string>>;
  /** A node that syncs only a selection of tags gets this one added. */
  allowTag(trx: WriteTransaction, nodeId: number, tag: string): Promise<void>;
}
