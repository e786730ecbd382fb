import type { Basics } from '../../basics.ts';
import { DomainError } from '../../../contract/domain-error.ts';
import type { Store } from '../../../store/open-store.ts';
import { readChain, type Chains } from '../chains/chain.ts';
import type { Histories } from './histories.ts';
import type { OnlineTrees } from '../chains/online.ts';
import { lineageRefusal, type Ancestors } from '../chains/lineage.ts';
import type { Speeds } from './speeds.ts';
import { notUsable, probeNode } from './probe.ts';
import { figuresOf, isNews } from './figures.ts';
import { isWithin } from './within.ts';
import { isActive, type KnownNode, type Registry } from '../registry.ts';
import * as rows from '../repository.ts';
import { startOver } from '../sync/push/repository-start-over.ts';
import type { Probe } from '../stored-types.ts';

/** Interval of requests for the panels behind a node. */
const CHAIN_MS = 10_000;

export interface ProbingDeps extends Pick<Basics, 'clock' | 'monotonic' | 'publish' | 'log'> {
  store: Pick<Store, 'reader' | 'write'>;
  registry: Registry;
  online: OnlineTrees;
  active: OnlineTrees;
  speeds: Speeds;
  chains: Chains;
  ancestors: Ancestors;
  /** GUID of this panel. */
  ownGuid: string;
  histories: Histories;
  /** A failure in English. */
  textOf: (error: DomainError) => string;
}

/** Interval of writing figures when nothing else changed. */
const STORED_MS = 30_000;

/** Probes a node, stores the result, and notifies listeners. */
export function createProbing(deps: ProbingDeps) {
  const { store, registry, clock, log } = deps;

  async function save(node: KnownNode, probed: Probe, isRequested: boolean): Promise<void> {
    const { row: before } = node;
    const { id, guid } = before;
    const nowMs = clock();
    if (!isRequested && !isNews(probed, before) && isWithin(STORED_MS, node.storedAtMs, nowMs)) {
      const row = await rows.findNode(store.reader, id);
      const figures = figuresOf({ ...probed, lastHeartbeatAtMs: nowMs });
      if (row !== null && registry.get(id) === node) registry.put({ ...row, ...figures });
      return;
    }
    const isOther = guid !== '' && probed.guid !== undefined && probed.guid !== guid;
    if (isOther) log.warn('node.otherPanel', { nodeId: id, before: guid, now: probed.guid });
    await store.write(async (trx) => {
      await rows.updateNode(trx, id, { ...probed, lastHeartbeatAtMs: nowMs, updatedAtMs: nowMs });
      if (isOther) await startOver(trx, id, nowMs);
    });
    if (isOther) {
      // What it reports must be read again as a whole.
      node.settled = null;
      node.stamps.clear();
    }
    node.storedAtMs = nowMs;
    const row = await rows.findNode(store.reader, id);
    if (row !== null && registry.get(row.id) === node) registry.put(row);
  }

  /** Reports a transition once, whatever noticed it; the first probe of a node is none. */
  function tellTransition(node: KnownNode, probed: Probe): void {
    const { row, lastStatus } = node;
    if (!isActive(registry, node)) return;
    node.lastStatus = probed.status;
    if (lastStatus === null || lastStatus === probed.status) return;
    deps.publish({
      type: probed.status === 'online' ? 'nodeUp' : 'nodeDown',
      nodeId: row.id,
      name: row.name,
      latencyMs: probed.latencyMs,
      cpuPct: probed.cpuPct,
      memPct: probed.memPct,
      coreState: probed.coreState ?? row.coreState,
      coreError: probed.coreError ?? row.coreError,
      error: probed.lastError,
    });
  }

  async function learnChain(node: KnownNode): Promise<void> {
    const nodeId = node.row.id;
    const nowMs = clock();
    if (isWithin(CHAIN_MS, node.chainAtMs, nowMs)) return;
    node.chainAtMs = nowMs;
    try {
      const panels = await readChain(node.client());
      if (registry.get(nodeId) === node) deps.chains.set(nodeId, panels);
    } catch (error) {
      // A node of an older build may not support the request.
      if (!(error instanceof DomainError)) throw error;
      log.debug('node.chainUnknown', { nodeId, error: deps.textOf(error) });
    }
  }

  /** The responding panel may not be allowed as a node: then nothing more is requested or sent. */
  async function judged(node: KnownNode, probed: Probe): Promise<Probe> {
    if (probed.status === 'offline') return probed;
    await learnChain(node);
    const { id } = node.row;
    const candidate = { id, guid: probed.guid ?? node.row.guid, below: deps.chains.below(id) };
    const refusal = lineageRefusal(candidate, { ...deps, nodes: registry.all().map(({ row }) => row) });
    return refusal === null ? probed : notUsable(refusal, deps.textOf);
  }

  /** @param isRequested requested by an operator: the result is stored in any case */
  async function probe(node: KnownNode, isRequested = false): Promise<Probe> {
    const probed = await probeNode(
      { call: (call) => node.client().call(call) },
      { monotonic: deps.monotonic, textOf: deps.textOf },
    );
    if (probed.status === 'offline') {
      deps.chains.clear(node.row.id);
      node.chainAtMs = 0;
    }
    return note(node, await judged(node, probed), isRequested);
  }

  /** Stores the result of a probe and publishes it. */
  async function note(node: KnownNode, result: Probe, isRequested = true): Promise<Probe> {
    if (result.status !== node.row.status) {
      log.info('node.status', { nodeId: node.row.id, status: result.status, error: result.lastError });
      deps.publish({ type: 'invalidate', resource: 'nodes' });
    }
    if (result.status === 'offline') {
      deps.online.clear(node.row.id);
      deps.active.clear(node.row.id);
      deps.speeds.clear(node.row.id);
      node.chainReportsAtMs = 0;
      node.sentTotals = null;
    }
    tellTransition(node, result);
    if (isActive(registry, node)) deps.histories.note(node.row.id, result);
    await save(node, result, isRequested);
    return result;
  }

  return { probe, note };
}
