import type { DomainError } from '../../contract/domain-error.ts';
import type { Publish } from '../../contract/events.ts';
import type { Logger } from '../../contract/logger.ts';
import type { Store } from '../../store/open-store.ts';
import type { Chains } from './chain.ts';
import type { Histories } from './histories.ts';
import type { OnlineTrees } from './online.ts';
import { probeNode } from './probe.ts';
import { isActive, type KnownNode, type Registry } from './registry.ts';
import * as rows from './repository.ts';
import { startOver } from './repository-push.ts';
import type { Probe } from './stored-types.ts';

export interface ProbingDeps {
  store: Pick<Store, 'reader' | 'write'>;
  registry: Registry;
  online: OnlineTrees;
  active: OnlineTrees;
  chains: Chains;
  histories: Histories;
  /** A failure in English. */
  textOf: (error: DomainError) => string;
  publish: Publish;
  clock: () => number;
  monotonic: () => number;
  log: Logger;
}

/** Asks a node how it does, stores the answer, and tells whoever wants to know. */
export function createProbing(deps: ProbingDeps): (node: KnownNode) => Promise<Probe> {
  const { store, registry, clock, log } = deps;

  async function save(node: KnownNode, probed: Probe): Promise<void> {
    const { id, guid } = node.row;
    const nowMs = clock();
    const isOther = guid !== '' && probed.guid !== undefined && probed.guid !== guid;
    if (isOther) log.warn('node.otherPanel', { nodeId: id, before: guid, now: probed.guid });
    await store.write(async (trx) => {
      await rows.updateNode(trx, id, { ...probed, lastHeartbeatAtMs: nowMs, updatedAtMs: nowMs });
      if (isOther) await startOver(trx, id, nowMs);
    });
    const row = await rows.findNode(store.reader, node.row.id);
    if (row !== null && registry.get(row.id) === node) registry.put(row);
  }

  /** A transition is told once, by whomever it was noticed; the first look at a node is none. */
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

  async function probe(node: KnownNode): Promise<Probe> {
    const result = await probeNode(
      { call: (call) => node.client().call(call) },
      { monotonic: deps.monotonic, textOf: deps.textOf },
    );
    if (result.status !== node.row.status) {
      log.info('node.status', { nodeId: node.row.id, status: result.status, error: result.lastError });
      deps.publish({ type: 'invalidate', resource: 'nodes' });
    }
    if (result.status === 'offline') {
      deps.online.clear(node.row.id);
      deps.active.clear(node.row.id);
      deps.chains.clear(node.row.id);
      node.hearsayAtMs = 0;
    }
    tellTransition(node, result);
    if (isActive(registry, node)) deps.histories.note(node.row.id, result);
    await save(node, result);
    return result;
  }

  return probe;
}
