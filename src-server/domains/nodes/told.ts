import type { DomainError } from '../../contract/domain-error.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Store } from '../../store/open-store.ts';
import type { InboundAdoption } from '../inbounds/adoption.ts';
import type { counterLookup, Snapshot, SnapshotInbound } from './snapshot.ts';
import type { NodeRow } from './stored-types.ts';

export interface TakeOverDeps {
  store: Store;
  adoption: InboundAdoption;
  /** `settings.clients` of an inbound, everybody on it. */
  entriesOf: (inboundId: number) => Promise<JsonObject[]>;
  /** A failure in English. */
  textOf: (error: DomainError) => string;
  clock: () => number;
}

/** What a node tells of itself, to be taken over. */
export interface Told {
  row: NodeRow;
  snapshot: Snapshot;
  counterOf: ReturnType<typeof counterLookup>;
  /** Configurations, by tag, that both agree on; those that are settled now are added. */
  stamps: Map<string, string>;
  /** GUID under which inbounds of the node's own are known here. */
  attribution: string;
  ownGuid: string;
}

/** An inbound as the node tells of it anew. */
export interface ToldInbound extends SnapshotInbound {
  told: JsonObject;
}

/** `settings` as they are told, without clients. */
export function settingsOf({ told }: ToldInbound): object {
  const { settings } = told;
  if (settings === null || typeof settings !== 'object' || Array.isArray(settings)) return {};
  const { clients: _clients, ...rest } = settings;
  return rest;
}
