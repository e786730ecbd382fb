import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { DomainError } from '../../contract/domain-error.ts';
import { connectionsTo } from '../../net/kept-connections.ts';
import { createGuardedDialer } from '../../net/guarded-dialer.ts';
import type { Egress } from '../../net/proxy/connect-egress.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import { createResponseOrder, storedUnread, type ResponseOrder } from './sync/response-order.ts';
import { createLosses, type Losses } from './sync/losses.ts';
import { createUnreadBehind, type UnreadBehind } from './sync/unread-behind.ts';
import { createNodeClient, type NodeClient, type NodeClientDeps } from './node-client.ts';
import { createPlans, type Plans } from './plans/plan.ts';
import type { NodeDetails } from './contract.ts';
import type { NodeRow } from './stored-types.ts';
import type { RemoteCounters } from './sync/snapshot.ts';

/** The name under which a node's token is sealed: a sealed token does not open in another node's row. */
export const tokenSeal = (nodeId: number): string => `nodes/api_token/${nodeId}`;

/** A node in memory. */
export interface KnownNode {
  row: NodeRow;
  /** @throws {DomainError} `node.tokenLost` */
  client(): NodeClient;
  /** Closes its idle connections. */
  closeConnections(): void;
  /**
   * The last response with nothing left to do; `inbounds`: everything reported, without counters; `readAtMs`: when
   * everything was last merged. null = none.
   */
  settled: { tag: string; inbounds: string; counters: RemoteCounters; readAtMs: number } | null;
  /** When it last reported different inbounds, clients or deadlines; 0 = never. */
  otherAtMs: number;
  /** Its source in the ledger, under this name; null = not known yet. */
  source: { name: string; id: number } | null;
  /** When the last merged reading was requested; 0 = none since this panel started. */
  lastReadAtMs: number;
  /** When a probe was last written to its row; 0 = not since this panel started. */
  storedAtMs: number;
  /** When it was last sent the total usage of its clients; 0 = not yet. */
  totalsPushedAtMs: number;
  /** Ids of clients whose total sent to it differed from its own count; null = unknown. */
  sentTotals: readonly number[] | null;
  /** When addresses were last exchanged; 0 = not since it was last found offline. */
  chainReportsAtMs: number;
  /** When the panels behind it were last requested; 0 = not since it was last found offline. */
  chainAtMs: number;
  /** Result of the last probe since this panel started or the node was enabled; null = none yet. */
  lastStatus: 'online' | 'offline' | null;
  order: ResponseOrder;
  /** The last response had a smaller counter and no order: the next one decides. */
  isDropDoubted: boolean;
  /** Its panel was started, or is reached otherwise, and no response since then is merged yet. */
  isRestarted: boolean;
  /** When it was found with an older database than before, and nothing is merged yet; null = it was not. */
  wentBackAtMs: number | null;
  /** What it has not read since then of the panels behind it. */
  unreadBehind: UnreadBehind;
  /** What it no longer reports. */
  losses: Losses;
  /** Plans that wait for confirmation. */
  plans: Plans;
  /** Configurations, by tag, that this panel and the node agree on. */
  stamps: Map<string, string>;
}

/** Egress for a node reached through this outbound or balancer; null = directly, for now. */
export type EgressTo = (nodeId: number, outboundTag: string) => Promise<Egress | null>;

/** The nodes in memory, so that lookups by every change and every poll need no query. */
export function createRegistry({
  secrets,
  egressTo,
  trunkTo,
  ...calls
}: NodeClientDeps & {
  secrets: Pick<Secrets, 'open'>;
  egressTo: EgressTo;
  /** A connection to an enrolled node. */
  trunkTo: (nodeId: number) => Promise<Duplex>;
}) {
  const nodes = new Map<number, KnownNode & { identity: string }>();

  /** In clear; empty = none is stored. @throws {DomainError} `node.tokenLost` */
  function tokenOf(row: NodeRow): string {
    if (row.apiToken === '') return '';
    const token = secrets.open(tokenSeal(row.id), row.apiToken);
    if (token === null) throw new DomainError('node.tokenLost');
    return token;
  }

  function clientOf(row: NodeRow): NodeClient {
    const to = {
      scheme: row.scheme,
      address: row.address,
      port: row.port,
      basePath: row.basePath,
      tlsVerifyMode: row.tlsVerifyMode,
      pinnedCertSha256: row.pinnedCertSha256,
      isPrivateAllowed: row.allowPrivateAddress === 1,
      token: tokenOf(row),
    };
    const { id, outboundTag } = row;
    if (row.tlsVerifyMode === 'enrolled') {
      // The trunk already provides TLS, so plain HTTP runs over it. An undici connection takes any stream.
      const keep = (url: string) => connectionsTo(new URL(url), () => trunkTo(id) as Promise<Socket>, { isKept: true });
      return createNodeClient(
        { ...calls, dialer: { fetch: calls.dialer.fetch, keep } },
        { ...to, scheme: 'http', token: '' },
      );
    }
    if (outboundTag === '') return createNodeClient(calls, to);
    const dialer = createGuardedDialer({ egress: () => egressTo(id, outboundTag) });
    return createNodeClient({ ...calls, dialer }, to);
  }

  return {
    tokenOf,
    hasAny: (): boolean => nodes.size > 0,
    all: (): KnownNode[] => [...nodes.values()],
    get: (id: number): KnownNode | undefined => nodes.get(id),
    /** A client lives until the connection details change: it remembers the node's capabilities. */
    put(row: NodeRow): void {
      const identity = identityOf(row);
      const known = nodes.get(row.id);
      if (known?.identity === identity) {
        // Items left alone until now may be wanted from now on.
        if (
          known.row.inboundSyncMode !== row.inboundSyncMode ||
          known.row.inboundTags !== row.inboundTags ||
          known.row.remoteEdits !== row.remoteEdits
        )
          known.stamps.clear();
        if (row.enable === 0) {
          known.lastStatus = null;
          known.closeConnections();
        }
        known.row = row;
        return;
      }
      known?.closeConnections();
      let client: NodeClient | null = null;
      nodes.set(row.id, {
        row,
        identity,
        client: () => (client ??= clientOf(row)),
        closeConnections: () => client?.close(),
        settled: null,
        otherAtMs: 0,
        source: null,
        // Another address may be another server, so earlier readings do not apply.
        lastReadAtMs: 0,
        storedAtMs: 0,
        totalsPushedAtMs: 0,
        sentTotals: null,
        chainReportsAtMs: 0,
        chainAtMs: 0,
        lastStatus: null,
        // At another address other runs may respond, and earlier ones again.
        order: createResponseOrder(known === undefined ? row.answerOrder : ''),
        isDropDoubted: false,
        isRestarted: known !== undefined,
        wentBackAtMs: null,
        unreadBehind: known?.unreadBehind ?? createUnreadBehind(storedUnread(row.answerOrder)),
        losses: createLosses(),
        plans: createPlans(),
        stamps: new Map(),
      });
    },
    drop(id: number): void {
      nodes.get(id)?.closeConnections();
      nodes.delete(id);
    },
  };
}
export type Registry = ReturnType<typeof createRegistry>;

/** Whether the result of a call still matters: the node may have been disabled or removed in the meantime. */
export const isActive = (registry: Pick<Registry, 'get'>, node: KnownNode): boolean =>
  node.row.enable === 1 && registry.get(node.row.id) === node;

const IDENTITY = [
  'scheme',
  'address',
  'port',
  'basePath',
  'apiToken',
  'allowPrivateAddress',
  'tlsVerifyMode',
  'pinnedCertSha256',
  'outboundTag',
] as const;

/** Everything that determines how a node is reached: with another identity, another panel may respond. */
export const identityOf = (row: NodeRow): string =>
  // The identity of an enrolled node is its key, at any address.
  row.tlsVerifyMode === 'enrolled' ? row.trunkId : JSON.stringify(IDENTITY.map((name) => row[name]));

/** Whether another panel may respond with the new details. */
export function isReachedOtherwise(row: NodeRow, details: NodeDetails): boolean {
  const { scheme, address, port, basePath, tlsVerifyMode, allowPrivateAddress, apiToken } = details;
  return (
    apiToken !== '' ||
    scheme !== row.scheme ||
    address !== row.address ||
    port !== row.port ||
    basePath !== row.basePath ||
    tlsVerifyMode !== row.tlsVerifyMode ||
    allowPrivateAddress !== (row.allowPrivateAddress === 1)
  );
}
