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
  /** `settings.clients` of an inbound, with all its clients. */
  entriesOf: (inboundId: number) => Promise<JsonObject[]>;
  /** A failure in English. */
  textOf: (error: DomainError) => string;
  clock: () => number;
}

/** A node's report, to be taken over. */
export interface Reported {
  row: NodeRow;
  /** Its hosts, by the id of their inbound there. @throws {DomainError} when it is unreachable */
  readHosts: (remoteId: number) => Promise<unknown[]>;
  snapshot: Snapshot;
  counterOf: ReturnType<typeof counterLookup>;
  readAtMs: number;
  losses: Losses;
  /** It has an older database than before: what is unknown here was deleted since. */
  wentBack: boolean;
  /** Folded e-mails of clients that it has lost, as far as known. */
  lost: Set<string>;
  /** What the operator leaves alone there. */
  left: Kept;
  /** Credentials that a client has on any inbound of the node, by folded e-mail. */
  credentialsOf: (emailKey: string) => JsonObject;
  /** Configurations, by tag, that both sides agree on; those settled now are added. */
  stamps: Map<string, string>;
  /** GUID under which the node's own inbounds are known here. */
  attribution: string;
  /** GUIDs of this panel, of those above it and of its other nodes: inbounds of theirs are not taken from this node. */
  elsewhere: ReadonlySet<string>;
}

/** An inbound whose configuration is reported again. */
export interface ReportedInbound extends SnapshotInbound {
  reported: JsonObject;
}

export const isReported = (inbound: SnapshotInbound): inbound is ReportedInbound => inbound.reported !== null;

/**
 * Every credential of clients on the node, even on inbounds that are not taken over: one left out here would be
 * generated some day and overwrite the one in use.
 */
export function credentialLookup({ inbounds }: Snapshot): Reported['credentialsOf'] {
  let all: Map<string, JsonObject> | null = null;
  return (emailKey) => {
    all ??= collect(inbounds);
    return all.get(emailKey) ?? {};
  };
}

/** Members of an entry of `settings.clients` that only its client knows. */
export const CREDENTIALS = ['id', 'password', 'auth'];

function collect(inbounds: readonly SnapshotInbound[]): Map<string, JsonObject> {
  const all = new Map<string, JsonObject>();
  for (const { reported } of inbounds) {
    const settings = reported?.['settings'];
    if (settings === null || typeof settings !== 'object' || Array.isArray(settings)) continue;
    const clients = settings['clients'];
    // A cipher key is made for its inbound; any other password may be shared.
    const isKey = typeof settings['method'] === 'string' && settings['method'].startsWith('2022-');
    for (const entry of Array.isArray(clients) ? clients : []) {
      if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) continue;
      if (typeof entry['email'] !== 'string') continue;
      const emailKey = foldText(entry['email']);
      const known = all.get(emailKey) ?? {};
      for (const name of [...CREDENTIALS, 'security']) {
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

/** The reported `settings`, without clients. */
export function settingsOf({ reported }: ReportedInbound): object {
  const { settings } = reported;
  if (settings === null || typeof settings !== 'object' || Array.isArray(settings)) return {};
  const { clients: _clients, ...rest } = settings;
  return rest;
}
