import { DomainError } from '../../contract/domain-error.ts';
import type { Publish } from '../../contract/events.ts';
import type { Logger } from '../../contract/logger.ts';
import type { Schedule } from '../../contract/schedule.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { RemoteNodes } from '../../runtime/remote-runtime.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Store } from '../../store/open-store.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import type { InboundAdoption } from '../inbounds/adoption.ts';
import type { InboundClientPort } from '../inbounds/client-port.ts';
import type { InboundNodePort } from '../inbounds/node-port.ts';
import type { HistoryPoint } from '../metrics/contract.ts';
import type { AddressPort } from './addresses.ts';
import { createChains } from './chain.ts';
import type { NodeDetails, NodeProbe } from './contract.ts';
import { createHistories } from './histories.ts';
import { createInquiries } from './inquiries.ts';
import { createManagement } from './management.ts';
import { createMutualTls, type MutualTls, type MutualTlsValues } from './mutual-tls.ts';
import { createOnlineTrees, type OnlineTrees } from './online.ts';
import { createOverview } from './overview.ts';
import { presentProbe } from './present.ts';
import { createRegistry, type EgressTo } from './registry.ts';
import * as rows from './repository.ts';
import { createVisits } from './visits.ts';

const VISIT_MS = 5_000;

export interface NodeServiceDeps {
  store: Store;
  secrets: Pick<Secrets, 'seal' | 'open'>;
  dialer: GuardedDialer;
  /** Certificates and keys of this panel. */
  values: MutualTlsValues;
  /** GUID of this panel. */
  panelGuid: string;
  /** Where changes that come from a node go on to; asked for late, because the runtime asks for the nodes. */
  runtime: () => Pick<Runtime, 'stage' | 'apply'>;
  /** `settings.clients` of inbounds. */
  clients: () => Pick<InboundClientPort, 'composeEntries'>;
  /** Writes what is taken over from nodes. */
  adoption: () => InboundAdoption;
  enforce: () => Promise<void>;
  textOf: (error: DomainError) => string;
  publish: Publish;
  /** Where clients are used from. */
  addresses: () => AddressPort;
  /** Ways to nodes that lead through an outbound of this panel's core. */
  egressTo: EgressTo;
  /** Whether a page is open that shows live figures. */
  hasListeners: () => boolean;
  clock: () => number;
  /** Ms that only ever grow. */
  monotonic?: () => number;
  schedule: Schedule;
  log: Logger;
}

export interface NodeService extends Pick<
  ReturnType<typeof createManagement>,
  'add' | 'update' | 'setEnable' | 'remove'
> {
  /** Nodes as they are shown. */
  readonly overview: ReturnType<typeof createOverview>;
  /** Questions to panels, of whose answers nothing is stored. */
  readonly inquiries: ReturnType<typeof createInquiries>;
  readonly mutualTls: MutualTls;
  /** Saves a node and asks it how it does; one that cannot be reached is kept all the same. @returns its id */
  addAndProbe(details: NodeDetails): Promise<number>;
  /** Asks a node how it does and stores the answer. @throws {DomainError} `node.notFound` */
  probe(id: number): Promise<NodeProbe>;
  /** @throws {DomainError} `node.notFound`, `node.unknownMetric`, `node.unsupportedBucket` */
  history(id: number, metric: string, bucket: string): HistoryPoint[];
  /** Probes, counts and delivers, for every node at once; then tells open pages how they do. */
  visitAll(): Promise<void>;
  /** Resolves when no delivery is under way. */
  idle(): Promise<void>;
  /** For the seam. */
  readonly remote: RemoteNodes;
  /** For the domain of inbounds. */
  readonly inboundNodes: InboundNodePort;
  /** Who is online on nodes, and which inbounds move bytes there, while pages are open that show it. */
  readonly online: Pick<OnlineTrees, 'emails' | 'byGuid'> & { activeByGuid: OnlineTrees['byGuid'] };
  /** Host name or address of a node, for links; empty for an unknown one. */
  addressOf(id: number): string;
  /** Begins the visits, every 5 s. */
  start(): void;
  /** Ends what is under way: a call that is cut off is repeated after the next start. */
  close(): Promise<void>;
}

/** Panels that this one manages: it sends them their inbounds and clients, and counts what those use there. */
export async function createNodeService(deps: NodeServiceDeps): Promise<NodeService> {
  const { store } = deps;
  const monotonic = deps.monotonic ?? (() => performance.now());
  const closing = new AbortController();
  const mutualTls = createMutualTls({ store, values: deps.values, clock: deps.clock });
  const calls = { dialer: deps.dialer, signal: closing.signal, clientIdentity: () => mutualTls.clientIdentity() };
  const registry = createRegistry({ ...calls, secrets: deps.secrets, egressTo: deps.egressTo });
  for (const row of await rows.allNodes(store.reader)) registry.put(row);
  const online = createOnlineTrees();
  const active = createOnlineTrees();
  const chains = createChains();
  const histories = createHistories(deps.clock);
  const visits = createVisits({
    ...deps,
    registry,
    online,
    active,
    chains,
    histories,
    ownGuid: deps.panelGuid,
    monotonic,
    stage: (trx, change) => deps.runtime().stage(trx, change),
    apply: (change) => deps.runtime().apply(change),
    entriesOf: async (inboundId) => (await deps.clients().composeEntries([inboundId])).get(inboundId) ?? [],
  });
  let timer: { cancel(): void } | null = null;

  function requireKnown(id: number) {
    const node = registry.get(id);
    if (node === undefined) throw new DomainError('node.notFound');
    return node;
  }

  const management = createManagement({
    ...deps,
    registry,
    async rewire() {
      // The core may be down, or refuse; the node is then reached directly, and the log says so.
      await deps
        .runtime()
        .apply({ everything: true })
        .catch((error: unknown) => deps.log.error('egress.notApplied', { error }));
    },
    forget(id, isGone) {
      chains.clear(id);
      if (isGone) visits.forget(id);
      online.clear(id);
      active.clear(id);
      if (isGone) histories.drop(id);
    },
  });
  const probe = async (id: number): Promise<NodeProbe> => presentProbe(await visits.probe(requireKnown(id)));

  const overview = createOverview({ store, chains, online, ownGuid: deps.panelGuid, clock: deps.clock });

  /** Rounds that have not ended. */
  const rounds = new Set<Promise<void>>();

  async function round(): Promise<void> {
    await visits.visitAll();
    if (!deps.hasListeners() || closing.signal.aborted) return;
    deps.publish({ type: 'live', message: 'nodes', producer: 'nodes', data: await overview.list() });
  }

  function visitAll(): Promise<void> {
    const run = round().finally(() => rounds.delete(run));
    rounds.add(run);
    return run;
  }

  return {
    ...management,
    overview,
    inquiries: createInquiries({ ...calls, registry, textOf: deps.textOf, monotonic }),
    mutualTls,
    async addAndProbe(details) {
      const id = await management.add(details);
      if (details.enable !== false) await probe(id);
      return id;
    },
    probe,
    history(id, metric, bucket) {
      requireKnown(id);
      return histories.read(id, metric, bucket);
    },

    visitAll,
    idle: () => visits.idle(),

    remote: {
      hasNodes: () => registry.hasAny(),
      isWaiting(nodeId) {
        const row = registry.get(nodeId)?.row;
        return row === undefined || row.enable === 0 || row.status !== 'online';
      },
      deliver: (nodeId) => visits.deliver(nodeId),
    },

    inboundNodes: {
      addresses: async () => new Map(registry.all().map(({ row }) => [row.id, row.address])),
      async allowTag(trx, nodeId, tag) {
        const row = await rows.findNode(trx, nodeId);
        if (row?.inboundSyncMode !== 'selected') return;
        const tags = new Set([...(JSON.parse(row.inboundTags) as string[]), tag]);
        await rows.updateNode(trx, nodeId, { inboundTags: JSON.stringify([...tags]) });
      },
    },
    online: { emails: online.emails, byGuid: online.byGuid, activeByGuid: active.byGuid },
    addressOf: (id) => registry.get(id)?.row.address ?? '',

    start() {
      timer ??= deps.schedule.every(VISIT_MS, () => {
        // Not waited for: a node that takes longer than a round must not hold up the next one.
        if (registry.hasAny()) visitAll().catch((error: unknown) => deps.log.error('nodes.notTold', { error }));
      });
    },
    async close() {
      timer?.cancel();
      closing.abort();
      await visits.idle();
      await Promise.allSettled(rounds);
      for (const node of registry.all()) node.closeConnections();
    },
  };
}
