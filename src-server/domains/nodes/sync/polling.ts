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

/** Nodes whose lists are read and that are delivered to at the same time; asking how one does is not limited. */
const PARALLEL = 8;
/** Nodes whose status takes this long share fewer places, so that they do not hold up the others. */
const SLOW_MS = 1_000;
const PARALLEL_SLOW = 4;

export type PollingDeps = Omit<SyncDeps, 'noteOnline'>;

/**
 * One poll after another per node: the reading comes first, so that what a client used is counted before it is deleted
 * there; then everything that is marked goes out. A reading and a delivery never overlap, so a reading is never older than
 * what was delivered before it was merged.
 */
export function createPolling(deps: PollingDeps) {
  const { registry, log } = deps;
  const { probe, note } = createProbing(deps);
  const { noteOnline, extras, tellAncestors } = createChainReports(deps);
  const syncDeps = { ...deps, noteOnline };
  const lines = new Map<number, Line>();
  const quick = createLine(PARALLEL);
  const slow = createLine(PARALLEL_SLOW);
  /** Deliveries that have been asked for and have not begun. */
  const waiting = new Set<number>();
  /** Nodes whose regular poll has not ended: a slow one misses rounds and delays no other. */
  const polled = new Set<number>();
  const underWay = new Set<Promise<void>>();

  function inLine<T>(nodeId: number, work: () => Promise<T>): Promise<T> {
    const line = lines.get(nodeId) ?? createLine();
    lines.set(nodeId, line);
    return line(work);
  }

  /** When a place is free. */
  const exchange = ({ latencyMs }: Probe, work: () => Promise<void>): Promise<void> =>
    (latencyMs < SLOW_MS ? quick : slow)(work);

  /** A node that fails is its own affair: the reason is logged, and the next poll tries again. */
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
    /** An enabled node whose last poll has ended: is it there, what did it count, what does it lack. */
    regular,
    /** Asks one node how it does, also one that is switched off. */
    probe: (node: KnownNode): Promise<Probe> => inLine(node.row.id, () => probe(node, true)),
    /** What came of a probe that was made before the node was saved. */
    note: (node: KnownNode, probed: Probe): Promise<Probe> => inLine(node.row.id, () => note(node, probed)),
    /** Work that must not overlap with a reading or a delivery of the node. */
    inTurn: inLine,
    reportOf: (node: KnownNode, snapshot: Snapshot, readAtMs: number): Promise<Reported> =>
      reportOf(syncDeps, node, snapshot, readAtMs),
    /** What is marked goes out soon; several changes in a row go together. */
    deliver(nodeId: number): void {
      const node = registry.get(nodeId);
      if (node === undefined || node.row.enable === 0 || node.row.status === 'offline' || waiting.has(nodeId)) return;
      waiting.add(nodeId);
      // Whatever change set it off, the exchange is the panel's own.
      const deliverNow = async (): Promise<void> => {
        waiting.delete(nodeId);
        if (registry.get(nodeId) !== node) return;
        // Asked first who answers there: what is delivered may be a deletion.
        await guarded(node, async () => {
          const probed = await probe(node);
          if (probed.status === 'online') await exchange(probed, () => syncNode(syncDeps, node, true));
        });
      };
      const run = actingAlone(() => inLine(nodeId, deliverNow)).finally(() => underWay.delete(run));
      underWay.add(run);
    },
    /** Resolves when nothing is under way. */
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
