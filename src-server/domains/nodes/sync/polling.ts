import { actingAlone } from '../../../acting.ts';
import { DomainError } from '../../../contract/domain-error.ts';
import { createLine, type Line } from '../../../concurrency.ts';
import { createChainReports } from './chain-reports.ts';
import { createProbing } from '../probes/probing.ts';
import { isLineageRefusal } from '../chains/lineage.ts';
import type { KnownNode } from '../registry.ts';
import { refusalCode } from './refusal.ts';
import type { Reported } from './reported.ts';
import type { Snapshot } from './snapshot.ts';
import type { Probe } from '../stored-types.ts';
import { reportOf, syncNode, type SyncDeps } from './sync-node.ts';

/** Nodes that are read and delivered to in parallel; probes are not limited. */
const PARALLEL = 8;
/** Nodes whose status takes this long share fewer slots, so that they do not block the others. */
const SLOW_MS = 1_000;
const PARALLEL_SLOW = 4;

export type PollingDeps = Omit<SyncDeps, 'noteOnline'>;

/**
 * Polls of each node, one after another. The reading comes first, so that usage is counted before a client is deleted
 * there; then marked changes are delivered. A reading and a delivery never overlap, so no merged reading is older than
 * the last delivery.
 */
export function createPolling(deps: PollingDeps) {
  const { registry, log } = deps;
  const { probe, note } = createProbing(deps);
  const { noteOnline, extras, tellAncestors } = createChainReports(deps);
  const syncDeps = { ...deps, noteOnline };
  const lines = new Map<number, Line>();
  const quick = createLine(PARALLEL);
  const slow = createLine(PARALLEL_SLOW);
  /** Deliveries requested but not started. */
  const waiting = new Set<number>();
  /** Nodes whose regular poll has not finished: a slow one misses rounds and delays no other. */
  const polled = new Set<number>();
  const underWay = new Set<Promise<void>>();

  function inLine<T>(nodeId: number, work: () => Promise<T>): Promise<T> {
    const line = lines.get(nodeId) ?? createLine();
    lines.set(nodeId, line);
    return line(work);
  }

  /** Waits for a free slot. */
  const exchange = ({ latencyMs }: Probe, work: () => Promise<void>): Promise<void> =>
    (latencyMs < SLOW_MS ? quick : slow)(work);

  /** A failure affects only its node: the reason is logged, and the next poll tries again. */
  async function guarded(node: KnownNode, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const nodeId = node.row.id;
      deps.online.clear(nodeId);
      if (error instanceof DomainError) log.warn('node.notSynced', { nodeId, error: deps.textOf(error) });
      else log.error('node.notSynced', { nodeId, error });
    }
  }

  function poll(node: KnownNode): Promise<void> {
    return inLine(node.row.id, async () => {
      if (node.row.enable === 0 || registry.get(node.row.id) !== node) return;
      await guarded(node, async () => {
        const probed = await probe(node);
        const { status, lastRefusal } = probed;
        if (lastRefusal !== '' && isLineageRefusal(refusalCode(lastRefusal))) return tellAncestors(node);
        if (status !== 'online') return;
        await exchange(probed, async () => {
          await syncNode(syncDeps, node, false);
          await extras(node);
        });
      });
    });
  }

  async function regular(node: KnownNode): Promise<void> {
    const { id } = node.row;
    if (polled.has(id)) return;
    polled.add(id);
    try {
      await poll(node);
    } finally {
      polled.delete(id);
    }
  }

  return {
    /** Polls an enabled node whose last poll has finished: probe, read, deliver. */
    regular,
    /** Probes one node, even if it is disabled. */
    probe: (node: KnownNode): Promise<Probe> => inLine(node.row.id, () => probe(node, true)),
    /** Records a probe made before the node was saved. */
    note: (node: KnownNode, probed: Probe): Promise<Probe> => inLine(node.row.id, () => note(node, probed)),
    /** Runs work that must not overlap with a reading or a delivery of the node. */
    inTurn: inLine,
    reportOf: (node: KnownNode, snapshot: Snapshot, readAtMs: number): Promise<Reported> =>
      reportOf(syncDeps, node, snapshot, readAtMs),
    /** Delivers marked changes soon; several in a row go together. */
    deliver(nodeId: number): void {
      const node = registry.get(nodeId);
      if (node === undefined || node.row.enable === 0 || node.row.status === 'offline' || waiting.has(nodeId)) return;
      waiting.add(nodeId);
      // Whatever change caused it, the delivery acts for the panel itself.
      const deliverNow = async (): Promise<void> => {
        waiting.delete(nodeId);
        if (registry.get(nodeId) !== node) return;
        // Checks first which panel responds, because the delivery may delete.
        await guarded(node, async () => {
          const probed = await probe(node);
          if (probed.status === 'online') await exchange(probed, () => syncNode(syncDeps, node, true));
        });
      };
      const run = actingAlone(() => inLine(nodeId, deliverNow)).finally(() => underWay.delete(run));
      underWay.add(run);
    },
    /** Resolves when nothing is in progress. */
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
      await Promise.all([...lines.values()].map((line) => line(async () => undefined)));
    },
    forget(nodeId: number): void {
      lines.delete(nodeId);
      deps.online.clear(nodeId);
      deps.active.clear(nodeId);
    },
  };
}
export type Polling = ReturnType<typeof createPolling>;
