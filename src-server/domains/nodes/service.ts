import { DomainError } from '../../contract/domain-error.ts';
import type { RemoteNodes } from '../../runtime/remote-runtime.ts';
import type { InboundNodePort } from '../inbounds/node-port.ts';
import type { HistoryPoint } from '../metrics/contract.ts';
import type { SessionChoice } from '../traffic/contract.ts';
import type { NodeDetails } from './contract.ts';
import type { NodeProbe } from './probes/contract.ts';
import type { DriftService } from './drift/service.ts';
import type { Enrolments } from './enrolment/service.ts';
import type { Ancestors } from './chains/lineage.ts';
import type { MutualTls } from './trust/mutual-tls.ts';
import type { Speeds } from './probes/speeds.ts';
import type { OnlineTrees } from './chains/online.ts';
import { presentProbe, tagsOf } from './present.ts';
import type { RolloutService } from './rollout/service.ts';
import { isReachedOtherwise } from './registry.ts';
import * as rows from './repository.ts';
import { requestEndings } from './sync/repository-endings.ts';
import { createNodeParts, type NodeParts, type NodeServiceDeps } from './node-parts.ts';

export interface NodeService extends Pick<NodeParts['management'], 'add' | 'update' | 'setEnable' | 'remove'> {
  /** Nodes for display. */
  readonly overview: NodeParts['overview'];
  /** Plans that wait for confirmation. */
  readonly plans: NodeParts['plans'];
  /** Ends open sessions of disabled clients on nodes, in the background, to the requested degree. */
  endSessions(emails: readonly string[], how: SessionChoice): Promise<void>;
  /** Requests to panels whose responses are not stored. */
  readonly inquiries: NodeParts['inquiries'];
  readonly mutualTls: MutualTls;
  /** Tickets with which hosts become nodes. */
  readonly enrolments: Enrolments;
  /** Connections from enrolled nodes. */
  readonly arrivals: NodeParts['arrivals'];
  readonly tellPlaceChange: NodeParts['tellPlaceChange'];
  /** Versions of nodes and their rollout. */
  readonly rollouts: RolloutService;
  /** Differences on nodes, and their settlement. */
  readonly drift: DriftService;
  /**
   * Probes a panel and saves it as a node, even if it is unreachable.
   * @returns its id
   * @throws {DomainError} for a panel that cannot be a node
   */
  addAndProbe(details: NodeDetails): Promise<number>;
  /** Probes a node and stores the result. @throws {DomainError} `node.notFound` */
  probe(id: number): Promise<NodeProbe>;
  /** @throws {DomainError} `node.notFound`, `node.unknownMetric`, `node.unsupportedBucket` */
  history(id: number, metric: string, bucket: string): HistoryPoint[];
  /** Probes, counts and delivers, for all nodes at once; then sends their state to open pages. */
  pollAll(): Promise<void>;
  /** Resolves when no delivery is in progress. */
  idle(): Promise<void>;
  /** For the runtime. */
  readonly remote: RemoteNodes;
  /** For the inbounds domain. */
  readonly inboundNodes: InboundNodePort;
  /** Online clients on nodes, and inbounds with traffic there while pages that show them are open. */
  readonly online: Pick<OnlineTrees, 'emails' | 'byGuid'> & {
    activeByGuid: OnlineTrees['byGuid'];
    speeds: Speeds['all'];
  };
  /** Records that a panel manages this one, and `above` manage that one. */
  readonly noteMaster: Ancestors['note'];
  /** Starts the polls, every 5 s. */
  start(): void;
  /** Ends what is in progress: an interrupted call is repeated after the next start. */
  close(): Promise<void>;
}

/** Panels managed by this one: it sends them their inbounds and clients, and counts the usage there. */
export async function createNodeService(deps: NodeServiceDeps): Promise<NodeService> {
  const { store } = deps;
  const { registry, polls, management, inquiries, histories, rounds, ...parts } = await createNodeParts(deps);

  function requireKnown(id: number) {
    const node = registry.get(id);
    if (node === undefined) throw new DomainError('node.notFound');
    return node;
  }

  const probe = async (id: number): Promise<NodeProbe> => presentProbe(await polls.probe(requireKnown(id)));

  return {
    ...management,
    enrolments: parts.enrolments,
    arrivals: parts.arrivals,
    tellPlaceChange: parts.tellPlaceChange,
    overview: parts.overview,
    plans: parts.plans,
    async endSessions(emails, how) {
      // Single connections are closed by the nodes themselves.
      if (!registry.hasAny() || how === 'leave' || how === 'cut') return;
      for (const id of await store.write((trx) => requestEndings(trx, emails, how))) {
        const node = registry.get(id);
        if (node !== undefined) node.settled = null;
        polls.deliver(id);
      }
    },
    inquiries,
    mutualTls: parts.mutualTls,
    drift: parts.drift,
    rollouts: parts.rollouts,
    async addAndProbe(details) {
      await management.requireNew(details);
      const probed = details.enable === false ? null : await inquiries.probe(details);
      const id = await management.add(details);
      if (probed !== null) await polls.note(requireKnown(id), probed);
      return id;
    },
    async update(id, details) {
      const { row } = requireKnown(id);
      const isEnabled = details.enable ?? row.enable === 1;
      if (isEnabled && isReachedOtherwise(row, details)) await inquiries.probe({ ...details, id });
      await management.update(id, details);
      const isOnlyShown = row.remoteEdits === 'follow' && requireKnown(id).row.remoteEdits === 'show';
      if (isOnlyShown && row.status === 'online') await polls.inTurn(id, async () => undefined);
    },
    probe,
    history(id, metric, bucket) {
      requireKnown(id);
      return histories.read(id, metric, bucket);
    },

    pollAll: rounds.pollAll,
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
        const tags = new Set([...tagsOf(row), tag]);
        await rows.updateNode(trx, nodeId, { inboundTags: JSON.stringify([...tags]) });
      },
    },
    online: {
      emails: parts.online.emails,
      byGuid: () => parts.online.byGuid(),
      activeByGuid: () => parts.active.byGuid(),
      speeds: parts.speeds.all,
    },
    noteMaster: (guid, above) => parts.ancestors.note(guid, above),

    start: () => rounds.start(),
    async close() {
      rounds.stop();
      parts.closing.abort();
      parts.enrolments.close();
      parts.trunks.close();
      await polls.idle();
      await rounds.ended();
      for (const node of registry.all()) node.closeConnections();
    },
  };
}
