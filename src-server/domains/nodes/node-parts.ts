import type { Basics } from '../basics.ts';
import type { DomainError } from '../../contract/domain-error.ts';
import { createGuardedDialer, type GuardedDialer } from '../../net/guarded-dialer.ts';
import type { PlaceChange } from '../../net/trunk/messages.ts';
import { changedUrl } from '../../net/trunk/place-change.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import type { RenameClient } from '../clients/verbs/rename.ts';
import type { InboundAdoption } from '../inbounds/adoption.ts';
import type { InboundClientPort } from '../inbounds/client-port.ts';
import type { AddressPort } from './chains/addresses.ts';
import { createChains } from './chains/chain.ts';
import { createDriftBoard } from './drift/service.ts';
import { createEnrolments } from './enrolment/service.ts';
import { createHistories } from './probes/histories.ts';
import { behindRefusal, circleRefusal, createAncestors, lineageRefusal } from './chains/lineage.ts';
import { createInquiries } from './probes/inquiries.ts';
import { createManagement } from './management.ts';
import { createMutualTls, type MutualTlsValues } from './trust/mutual-tls.ts';
import { createArrivals } from './trunks/arrivals.ts';
import { createNodeTrunks } from './trunks/node-trunks.ts';
import { createSpeeds } from './probes/speeds.ts';
import { createOnlineTrees } from './chains/online.ts';
import { createOverview } from './overview/overview.ts';
import { createPlanDecisions } from './plans/decide.ts';
import { createRollouts, type RolloutDeps } from './rollout/service.ts';
import { createRegistry, type EgressTo } from './registry.ts';
import * as rows from './repository.ts';
import { createPolling } from './sync/polling.ts';
import { createRounds } from './sync/rounds.ts';

export interface NodeServiceDeps extends Basics {
  secrets: Pick<Secrets, 'seal' | 'open'>;
  dialer: GuardedDialer;
  /** Certificates and keys of this panel. */
  values: MutualTlsValues;
  /** GUID of this panel. */
  panelGuid: string;
  /** Target for changes that come from a node. A getter, because the runtime depends on the nodes. */
  runtime: () => Pick<Runtime, 'stage' | 'apply'>;
  /** `settings.clients` of inbounds. */
  clients: () => Pick<InboundClientPort, 'composeEntries'>;
  /** Writes what is taken over from nodes. */
  adoption: () => InboundAdoption;
  rename: RenameClient;
  enforce: () => Promise<void>;
  textOf: (error: DomainError) => string;
  jobs: RolloutDeps['jobs'];
  /** Where clients are used from. */
  addresses: () => AddressPort;
  /** Outbounds of this panel's core that lead to nodes. */
  egressTo: EgressTo;
  /** A temporary outbound for unsaved details while they are tested; empty = no longer needed. */
  tryOutbound: (outboundTag: string) => Promise<void>;
  /** Address of the installer for hosts without a panel; empty = this build has none. */
  installer: string;
  /** Whether a page with live figures is open. */
  hasListeners: () => boolean;
}

/** Access to nodes: their rows in memory, connections, and trust. */
async function reachNodes(deps: NodeServiceDeps) {
  const closing = new AbortController();
  const mutualTls = createMutualTls({ store: deps.store, values: deps.values, clock: deps.clock });
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
  for (const row of await rows.allNodes(deps.store.reader)) registry.put(row);
  return { closing, calls, mutualTls, trunks, registry };
}

/** All parts of node management. */
export async function createNodeParts(deps: NodeServiceDeps) {
  const { store, monotonic } = deps;
  const reached = await reachNodes(deps);
  const { closing, calls, mutualTls, trunks, registry } = reached;
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
  async function requirePlace(candidate: { id: number; guid: string; below: string[] | null }): Promise<void> {
    const lineage = { ownGuid: deps.panelGuid, ancestors, nodes: registry.all().map(({ row }) => row) };
    const hosts = await rows.hostsOfOrigin(store.reader, candidate.guid);
    const refusal =
      lineageRefusal(candidate, lineage) ??
      circleRefusal(candidate, ancestors) ??
      behindRefusal(candidate, { ...lineage, below: chains.below, hosts });
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
    copyAt: (id) => trunks.copyAt(id),
    ownGuid: deps.panelGuid,
  });
  const arrivals = createArrivals({
    registry,
    trunks,
    noteAddress: (id, address, place) => management.noteAddress(id, address, place),
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
      const results = await Promise.all(ids.map((id) => trunks.tellAddress(id).catch(() => false)));
      return { told: ids.filter((_, at) => results[at]), waiting: ids.filter((_, at) => results[at] !== true) };
    },
  });
  /** Tells connected nodes that this panel will listen elsewhere from its next start on. */
  async function tellPlaceChange(change: PlaceChange): Promise<void> {
    const announced = await deps.values.hidden('nodesFindPanelAt');
    if (announced !== '') await deps.values.setHidden('nodesFindPanelAt', changedUrl(announced, change));
    await trunks.tellPlaceChange(change);
  }
  const plans = createPlanDecisions({ store, registry, deliver: (id) => polls.deliver(id), publish: deps.publish });

  const rounds = createRounds({ ...deps, registry, polls, overview, signal: closing.signal });
  return {
    ...reached,
    online,
    active,
    speeds,
    ancestors,
    histories,
    polls,
    rollouts,
    drift,
    management,
    inquiries,
    overview,
    arrivals,
    enrolments,
    tellPlaceChange,
    plans,
    rounds,
  };
}
export type NodeParts = Awaited<ReturnType<typeof createNodeParts>>;
