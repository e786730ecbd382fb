import { DomainError } from '../../contract/domain-error.ts';
import type { Publish } from '../../contract/events.ts';
import type { Logger } from '../../contract/logger.ts';
import type { Schedule } from '../../contract/schedule.ts';
import { createGuardedDialer, type GuardedDialer } from '../../net/guarded-dialer.ts';
import type { RemoteNodes } from '../../runtime/remote-runtime.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Store } from '../../store/open-store.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import type { RenameClient } from '../clients/verbs/rename.ts';
import type { InboundAdoption } from '../inbounds/adoption.ts';
import type { InboundClientPort } from '../inbounds/client-port.ts';
import type { InboundNodePort } from '../inbounds/node-port.ts';
import type { HistoryPoint } from '../metrics/contract.ts';
import type { SessionChoice } from '../traffic/contract.ts';
import type { AddressPort } from './chains/addresses.ts';
import { createChains } from './chains/chain.ts';
import type { NodeDetails } from './contract.ts';
import type { NodeProbe } from './probes/contract.ts';
import { createDriftBoard, type DriftService } from './drift/service.ts';
import { createEnrolments, type Enrolments } from './enrolment/service.ts';
import { createHistories } from './probes/histories.ts';
import { behindRefusal, createAncestors, lineageRefusal, type Ancestors } from './chains/lineage.ts';
import { createInquiries } from './probes/inquiries.ts';
import { createManagement } from './management.ts';
import { createMutualTls, type MutualTls, type MutualTlsValues } from './trust/mutual-tls.ts';
import { createArrivals } from './trunks/arrivals.ts';
import { createNodeTrunks } from './trunks/node-trunks.ts';
import { createSpeeds, type Speeds } from './probes/speeds.ts';
import { createOnlineTrees, type OnlineTrees } from './chains/online.ts';
import { createOverview } from './overview.ts';
import { presentProbe } from './present.ts';
import { createPlanDecisions } from './plans/decide.ts';
import { createRollouts, type RolloutDeps, type RolloutService } from './rollout/service.ts';
import { createRegistry, type EgressTo } from './registry.ts';
import * as rows from './repository.ts';
import type { NodeRow } from './stored-types.ts';
import { createPolling } from './sync/polling.ts';
import { askEndings } from './sync/repository-endings.ts';

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
  rename: RenameClient;
  enforce: () => Promise<void>;
  textOf: (error: DomainError) => string;
  publish: Publish;
  jobs: RolloutDeps['jobs'];
  /** Where clients are used from. */
  addresses: () => AddressPort;
  /** Ways to nodes that lead through an outbound of this panel's core. */
  egressTo: EgressTo;
  /** A way out for details that are not saved, while they are asked about; empty = that is over. */
  tryOutbound: (outboundTag: string) => Promise<void>;
  /** Where the installer for hosts without a panel lies; empty = this build names none. */
  installer: string;
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
  /** What waits for the operator's word. */
  readonly plans: ReturnType<typeof createPlanDecisions>;
  /** Ends open sessions on nodes of clients that are off, in the background, as far as asked for. */
  endSessions(emails: readonly string[], how: SessionChoice): Promise<void>;
  /** Questions to panels, of whose answers nothing is stored. */
  readonly inquiries: ReturnType<typeof createInquiries>;
  readonly mutualTls: MutualTls;
  /** Tickets with which hosts become nodes. */
  readonly enrolments: Enrolments;
  /** Enrolled nodes that dial this panel. */
  readonly arrivals: ReturnType<typeof createArrivals>;
  /** Versions of nodes, and how they are exchanged. */
  readonly rollouts: RolloutService;
  /** What differs on nodes, and what to do about it. */
  readonly drift: DriftService;
  /**
   * Asks a panel how it does and saves it as a node; one that cannot be reached is kept all the same.
   * @returns its id
   * @throws {DomainError} for a panel that has no place as a node
   */
  addAndProbe(details: NodeDetails): Promise<number>;
  /** Asks a node how it does and stores the answer. @throws {DomainError} `node.notFound` */
  probe(id: number): Promise<NodeProbe>;
  /** @throws {DomainError} `node.notFound`, `node.unknownMetric`, `node.unsupportedBucket` */
  history(id: number, metric: string, bucket: string): HistoryPoint[];
  /** Probes, counts and delivers, for every node at once; then tells open pages how they do. */
  pollAll(): Promise<void>;
  /** Resolves when no delivery is under way. */
  idle(): Promise<void>;
  /** For the seam. */
  readonly remote: RemoteNodes;
  /** For the domain of inbounds. */
  readonly inboundNodes: InboundNodePort;
  /** Who is online on nodes, and which inbounds move bytes there, while pages are open that show it. */
  readonly online: Pick<OnlineTrees, 'emails' | 'byGuid'> & {
    activeByGuid: OnlineTrees['byGuid'];
    speeds: Speeds['all'];
  };
  /** A panel manages this one, and these manage that one. */
  readonly noteMaster: Ancestors['note'];
  /** Host name or address of a node, for links; empty for an unknown one. */
  addressOf(id: number): string;
  /** Begins the polls, every 5 s. */
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
  const trunks = createNodeTrunks({
    ...deps,
    mutualTls,
    ownUrl: () => deps.values.hidden('nodesFindPanelAt'),
    rowOf(id) {
      const row = registry.get(id)?.row;
      return row?.enable === 1 && row.tlsVerifyMode === 'enrolled' ? row : undefined;
    },
    dialerOf: ({ id, outboundTag }) =>
      outboundTag === '' ? deps.dialer : createGuardedDialer({ egress: () => deps.egressTo(id, outboundTag) }),
  });
  const registry = createRegistry({
    ...calls,
    secrets: deps.secrets,
    egressTo: deps.egressTo,
    trunkTo: (id) => trunks.connect(id),
  });
  for (const row of await rows.allNodes(store.reader)) registry.put(row);
  const online = createOnlineTrees();
  const active = createOnlineTrees();
  const speeds = createSpeeds();
  const chains = createChains();
  const ancestors = createAncestors(deps.panelGuid, deps.clock);
  const histories = createHistories(deps.clock);
  const entriesOf = async (inboundId: number) =>
    (await deps.clients().composeEntries([inboundId])).get(inboundId) ?? [];
  const polls = createPolling({
    ...deps,
    registry,
    online,
    active,
    speeds,
    chains,
    ancestors,
    histories,
    ownGuid: deps.panelGuid,
    monotonic,
    stage: (trx, change) => deps.runtime().stage(trx, change),
    apply: (change) => deps.runtime().apply(change),
    entriesOf,
  });
  const rollouts = createRollouts({ ...deps, registry, probe: (node) => polls.probe(node) });
  const drift = createDriftBoard({ ...deps, registry, polls, entriesOf });
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
    endTrunk: (id) => trunks.end(id),
    forget(id, isGone) {
      chains.clear(id);
      if (isGone) polls.forget(id);
      online.clear(id);
      active.clear(id);
      speeds.clear(id);
      if (isGone) histories.drop(id);
      drift.forget(id);
    },
  });
  const probe = async (id: number): Promise<NodeProbe> => presentProbe(await polls.probe(requireKnown(id)));

  async function requirePlace(candidate: { id: number; guid: string; below: string[] | null }): Promise<void> {
    const lineage = { ownGuid: deps.panelGuid, ancestors, nodes: registry.all().map(({ row }) => row) };
    const hosts = await rows.hostsOfOrigin(store.reader, candidate.guid);
    const refusal =
      lineageRefusal(candidate, lineage) ?? behindRefusal(candidate, { ...lineage, below: chains.below, hosts });
    if (refusal !== null) throw refusal;
  }

  const inquiries = createInquiries({
    ...calls,
    registry,
    egressTo: deps.egressTo,
    async tryOutbound(outboundTag) {
      await deps.tryOutbound(outboundTag).catch((error: unknown) => deps.log.error('egress.notApplied', { error }));
    },
    requirePlace,
    textOf: deps.textOf,
    monotonic,
  });
  const overview = createOverview({
    ...deps,
    registry,
    chains,
    online,
    dialledBy: (id) => trunks.dialledBy(id),
    ownGuid: deps.panelGuid,
  });
  const arrivals = createArrivals({
    registry,
    trunks,
    noteAddress: (id, address) => management.noteAddress(id, address),
    probe: (node) => polls.probe(node),
    publish: deps.publish,
  });
  const enrolments = createEnrolments({
    ...deps,
    mutualTls,
    requirePlace,
    saveNode: (node, also) => management.saveEnrolled(node, also),
    async tellAddress(url) {
      await deps.values.setHidden('nodesFindPanelAt', url);
      const enrolled = registry.all().filter(({ row }) => row.tlsVerifyMode === 'enrolled');
      const ids = enrolled.map(({ row }) => row.id);
      const answers = await Promise.all(ids.map((id) => trunks.tellAddress(id).catch(() => false)));
      return { told: ids.filter((_, at) => answers[at]), waiting: ids.filter((_, at) => answers[at] !== true) };
    },
  });
  const plans = createPlanDecisions({ store, registry, deliver: (id) => polls.deliver(id), publish: deps.publish });

  /** Rounds that have not ended. */
  const rounds = new Set<Promise<void>>();

  async function round(): Promise<void> {
    await polls.pollAll();
    if (!deps.hasListeners() || closing.signal.aborted) return;
    deps.publish({ type: 'live', message: 'nodes', producer: 'nodes', data: await overview.list() });
  }

  function pollAll(): Promise<void> {
    const run = round().finally(() => rounds.delete(run));
    rounds.add(run);
    return run;
  }

  return {
    ...management,
    enrolments,
    arrivals,
    overview,
    plans,
    async endSessions(emails, how) {
      // Single connections are cut by the nodes themselves.
      if (!registry.hasAny() || how === 'leave' || how === 'cut') return;
      for (const id of await store.write((trx) => askEndings(trx, emails, how))) {
        const node = registry.get(id);
        if (node !== undefined) node.settled = null;
        polls.deliver(id);
      }
    },
    inquiries,
    mutualTls,
    drift,
    rollouts,
    async addAndProbe(details) {
      await management.requireNew(details);
      const probed = details.enable === false ? null : await inquiries.probe(details);
      const id = await management.add(details);
      if (probed !== null) await polls.note(requireKnown(id), probed);
      return id;
    },
    async update(id, details) {
      const { row } = requireKnown(id);
      const isAsked = details.enable ?? row.enable === 1;
      if (isAsked && isReachedOtherwise(row, details)) await inquiries.probe({ ...details, id });
      await management.update(id, details);
      const isOnlyShown = row.remoteEdits === 'follow' && requireKnown(id).row.remoteEdits === 'show';
      if (isOnlyShown && row.status === 'online') await polls.inTurn(id, async () => undefined);
    },
    probe,
    history(id, metric, bucket) {
      requireKnown(id);
      return histories.read(id, metric, bucket);
    },

    pollAll,
    idle: () => polls.idle(),

    remote: {
      hasNodes: () => registry.hasAny(),
      isWaiting(nodeId) {
        const row = registry.get(nodeId)?.row;
        return row === undefined || row.enable === 0 || row.status !== 'online';
      },
      deliver: (nodeId) => polls.deliver(nodeId),
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
    online: { emails: online.emails, byGuid: online.byGuid, activeByGuid: active.byGuid, speeds: speeds.all },
    noteMaster: (guid, above) => ancestors.note(guid, above),
    addressOf: (id) => registry.get(id)?.row.address ?? '',

    start() {
      timer ??= deps.schedule.every(VISIT_MS, () => {
        // Not waited for: a node that takes longer than a round must not hold up the next one.
        if (registry.hasAny()) pollAll().catch((error: unknown) => deps.log.error('nodes.notTold', { error }));
      });
    },
    async close() {
      timer?.cancel();
      closing.abort();
      enrolments.close();
      trunks.close();
      await polls.idle();
      await Promise.allSettled(rounds);
      for (const node of registry.all()) node.closeConnections();
    },
  };
}

/** Whether another panel may answer under the new details. */
function isReachedOtherwise(row: NodeRow, details: NodeDetails): boolean {
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
