import type { DomainError } from '../../../contract/domain-error.ts';
import type { JsonObject } from '../../../contract/json.ts';
import { foldText } from '../../../store/fold-text.ts';
import type { Store } from '../../../store/open-store.ts';
import type { RenameClient } from '../../clients/verbs/rename.ts';
import type { InboundAdoption } from '../../inbounds/adoption.ts';
import type { Losses } from './losses.ts';
import type { counterLookup, Snapshot, SnapshotInbound } from './snapshot.ts';
import type { NodeRow } from '../stored-types.ts';
import type { Kept } from '../drift/repository-drift.ts';

export interface TakeOverDeps {
  store: Store;
  adoption: InboundAdoption;
  rename: RenameClient;
  /** `settings.clients` of an inbound, everybody on it. */
  entriesOf: (inboundId: number) => Promise<JsonObject[]>;
  /** A failure in English. */
  textOf: (error: DomainError) => string;
  clock: () => number;
}

/** What a node tells of itself, to be taken over. */
export interface Reported {
  row: NodeRow;
  /** Its hosts, by the id of their inbound there. @throws {DomainError} when it is not reached */
  readHosts: (remoteId: number) => Promise<unknown[]>;
  snapshot: Snapshot;
  counterOf: ReturnType<typeof counterLookup>;
  readAtMs: number;
  losses: Losses;
  /** Folded e-mails of clients that it has lost, as far as is known now. */
  lost: Set<string>;
  /** What the operator leaves alone there. */
  left: Kept;
  /** Credentials that a client has on any inbound of the node, by folded e-mail. */
  credentialsOf: (emailKey: string) => JsonObject;
  /** Configurations, by tag, that both agree on; those that are settled now are added. */
  stamps: Map<string, string>;
  /** GUID under which inbounds of the node's own are known here. */
  attribution: string;
  /** GUIDs of this panel, of those above it and of its other nodes: what began there does not come through this node. */
  elsewhere: ReadonlySet<string>;
}

/** An inbound as the node tells of it anew. */
export interface ReportedInbound extends SnapshotInbound {
  reported: JsonObject;
}

/**
 * Every credential that clients have on the node, whether the inbound is taken over or not: one that is left out here would be
 * generated some day, and written over the one that is in use there.
 */
export function credentialLookup({ inbounds }: Snapshot): Reported['credentialsOf'] {
  let all: Map<string, JsonObject> | null = null;
  return (emailKey) => {
    all ??= collect(inbounds);
    return all.get(emailKey) ?? {};
  };
}

const CREDENTIALS = ['id', 'password', 'auth', 'security'];

function collect(inbounds: readonly SnapshotInbound[]): Map<string, JsonObject> {
  const all = new Map<string, JsonObject>();
  for (const { reported } of inbounds) {
    const settings = reported?.['settings'];
    if (settings === null || typeof settings !== 'object' || Array.isArray(settings)) continue;
    const clients = settings['clients'];
    // A key of a cipher is made for its inbound; any other password may be everybody's.
    const isKey = typeof settings['method'] === 'string' && settings['method'].startsWith('2022-');
    for (const entry of Array.isArray(clients) ? clients : []) {
      if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) continue;
      if (typeof entry['email'] !== 'string') continue;
      const emailKey = foldText(entry['email']);
      const known = all.get(emailKey) ?? {};
      for (const name of CREDENTIALS) {
        const value = entry[name];
        const isFirst = known[name] === undefined;
        if (typeof value === 'string' && value !== '' && (isFirst || (name === 'password' && !isKey)))
          known[name] = value;
      }
      all.set(emailKey, known);
    }
  }
  return all;
}

/** `settings` as they are reported, without clients. */
export function settingsOf({ reported }: ReportedInbound): object {
  const { settings } = reported;
  if (settings === null || typeof settings !== 'object' || Array.isArray(settings)) return {};
  const { clients: _clients, ...rest } = settings;
  return rest;
}
