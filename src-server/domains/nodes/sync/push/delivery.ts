import type { DomainError } from '../../../../contract/domain-error.ts';
import type { JsonObject } from '../../../../contract/json.ts';
import type { Store } from '../../../../store/open-store.ts';
import type { NodeClient } from '../../node-client.ts';
import type { HeldInbound } from './repository-push.ts';
import type { counterLookup, Snapshot } from '../snapshot.ts';

export interface PushDeps {
  store: Pick<Store, 'reader' | 'heavyReader' | 'write'>;
  /** `settings.clients` of an inbound, everybody on it. */
  entriesOf: (inboundId: number) => Promise<JsonObject[]>;
  /** The failure in English, for the row of the node. */
  textOf: (error: DomainError) => string;
}

/** One run of deliveries to one node. */
export interface Delivery extends PushDeps {
  nodeId: number;
  client: NodeClient;
  /** What the node held just before. */
  snapshot: Snapshot;
  /** Counters that the node had for a client just before, by folded e-mail. */
  counterOf: ReturnType<typeof counterLookup>;
  /** Marks up to this one are met by what is sent. */
  version: number;
  held: readonly HeldInbound[];
  /** Inbounds that the node has lost and that do not go there again before the operator says so. */
  heldBack: ReadonlySet<number>;
  /** Ids on the node, by id here, of what it is known to hold. */
  remoteIds: Map<number, number>;
  /**
   * One part that the node may refuse without holding up the others. @returns whether it went well
   * @throws {DomainError} when the node is not reached any more
   */
  attempt: (work: () => Promise<void>) => Promise<boolean>;
}
