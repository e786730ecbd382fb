import type { DomainError } from '../../../../contract/domain-error.ts';
import type { JsonObject } from '../../../../contract/json.ts';
import type { Store } from '../../../../store/open-store.ts';
import type { NodeClient } from '../../node-client.ts';
import type { HeldInbound } from './repository-push.ts';
import type { counterLookup, Snapshot } from '../snapshot.ts';

export interface PushDeps {
  store: Pick<Store, 'reader' | 'heavyReader' | 'write'>;
  /** `settings.clients` of an inbound, with all its clients. */
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
  /** Marks up to this version are met by what is sent. */
  version: number;
  held: readonly HeldInbound[];
  /** Inbounds that the node has lost, not sent again before the operator confirms. */
  heldBack: ReadonlySet<number>;
  /** Ids on the node, by id here, of inbounds it is known to hold. */
  remoteIds: Map<number, number>;
  /**
   * Runs one part that the node may refuse without blocking the others. @returns whether it succeeded
   * @throws {DomainError} when the node becomes unreachable
   */
  attempt: (work: () => Promise<void>) => Promise<boolean>;
}
