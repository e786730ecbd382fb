import { DomainError } from '../../contract/domain-error.ts';
import type { Change } from '../../runtime/runtime.ts';
import { createLine } from '../traffic/one-at-a-time.ts';
import { attributionOf } from './attribution.ts';
import type { PushDeps } from './delivery.ts';
import { createGate } from './gate.ts';
import { createHearsay, type HearsayDeps } from './hearsay.ts';
import { createProbing, type ProbingDeps } from './probing.ts';
import { mergeReading, type PullDeps } from './pull.ts';
import { pushChanges } from './push.ts';
import type { KnownNode } from './registry.ts';
import * as rows from './repository.ts';
import { readSnapshot } from './read-node.ts';
import { counterLookup, type Snapshot } from './snapshot.ts';
import type { Probe } from './stored-types.ts';
import { takeOver } from './take-over.ts';
import type { TakeOverDeps } from './told.ts';

/** Nodes whose lists are read and that are delivered to at the same time; asking how one does is not limited. */
const PARALLEL = 8;

export interface VisitDeps
  extends Omit<PushDeps, 'store'>, Omit<PullDeps, 'store'>, Omit<ProbingDeps, 'store'>, Omit<HearsayDeps, 'store'> {
  store: TakeOverDeps['store'];
  /** Writes what is taken over from nodes. */
  adoption: () => TakeOverDeps['adoption'];
  /** Where a change that came from a node leads besides. */
  apply: (change: Change) => Promise<unknown>;
  /** Somebody may have reached a limit. */
  enforce: () => Promise<void>;
}

/**
 * One visit after another per node: the reading comes first, so that what a client used is counted before it is deleted
 * there; then everything that is marked goes out. A reading and a delivery never overlap, so a reading is never older than
 * what was delivered before it was merged.
 */
export function createVisits(deps: VisitDeps) {
  const { store, registry, clock, log } = deps;
  const probe = createProbing(deps);
  const { noteOnline, extras } = createHearsay(deps);
  const lines = new Map<number, ReturnType<typeof createLine>>();
  /** Deliveries that have been asked for and have not begun. */
  const waiting = new Set<number>();
  /** Nodes whose regular visit has not ended: a slow one misses rounds and delays nobody else. */
  const visited = new Set<number>();
  const atOnce = createGate(PARALLEL);
  const underWay = new Set<Promise<void>>();

  function inLine<T>(nodeId: number, work: () => Promise<T>): Promise<T> {
    const line = lines.get(nodeId) ?? createLine();
    lines.set(nodeId, line);
    return line(work);
  }

  async function sync(node: KnownNode): Promise<void> {
    const { row } = node;
    const client = node.client();
    const readAtMs = clock();
    const snapshot = await readSnapshot(client, node.stamps);
    const attribution = attributionOf(
      row,
      registry.all().map((each) => each.row),
      deps.ownGuid,
    );
    const { moved, change } = await mergeReading(deps, {
      nodeId: row.id,
      guid: row.guid,
      attribution,
      snapshot,
      readAtMs,
      previousReadAtMs: node.lastReadAtMs,
    });
    node.lastReadAtMs = readAtMs;
    if (change !== null) {
      await deps.apply(change);
      deps.publish({ type: 'invalidate', resource: 'clients' });
    }
    if (moved > 0) await deps.enforce();
    const { ownGuid } = deps;
    const told = { row, snapshot, counterOf: counterLookup(snapshot), stamps: node.stamps, attribution, ownGuid };
    const notTaken = await takeOver({ ...deps, adoption: deps.adoption() }, told);
    await noteOnline(node, attribution);
    await deliverMarks(node, snapshot, notTaken);
  }

  async function deliverMarks(node: KnownNode, snapshot: Snapshot, notTaken: readonly string[]): Promise<void> {
    const nodeId = node.row.id;
    const before = await rows.findNode(store.reader, nodeId);
    if (before === null) return;
    const { syncError } = await pushChanges(deps, {
      nodeId,
      client: node.client(),
      snapshot,
      version: before.configDirtyAtMs,
      notTaken,
    });
    if (syncError === before.syncError) return;
    if (syncError !== '') log.warn('node.refused', { nodeId, error: syncError });
    deps.publish({ type: 'invalidate', resource: 'nodes' });
  }

  /** A node that fails is its own affair: the reason is logged, and the next visit tries again. */
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

  function visit(node: KnownNode): Promise<void> {
    return inLine(node.row.id, async () => {
      if (node.row.enable === 0 || registry.get(node.row.id) !== node) return;
      await guarded(node, async () => {
        if ((await probe(node)).status !== 'online') return;
        await atOnce(async () => {
          await sync(node);
          await extras(node);
        });
      });
    });
  }

  async function regular(node: KnownNode): Promise<void> {
    const { id } = node.row;
    if (visited.has(id)) return;
    visited.add(id);
    try {
      await visit(node);
    } finally {
      visited.delete(id);
    }
  }

  return {
    /** Every enabled node whose last visit has ended: is it there, what did it count, what does it lack. */
    visitAll: async (): Promise<void> => void (await Promise.all(registry.all().map(regular))),
    /** Asks one node how it does, also one that is switched off. */
    probe: (node: KnownNode): Promise<Probe> => inLine(node.row.id, () => probe(node)),
    /** What is marked goes out soon; several changes in a row go together. */
    deliver(nodeId: number): void {
      const node = registry.get(nodeId);
      if (node === undefined || node.row.enable === 0 || node.row.status === 'offline' || waiting.has(nodeId)) return;
      waiting.add(nodeId);
      const run = inLine(nodeId, async () => {
        waiting.delete(nodeId);
        if (registry.get(nodeId) !== node) return;
        // Asked first who answers there: what is delivered may be a deletion.
        await guarded(node, async () => {
          if ((await probe(node)).status === 'online') await atOnce(() => sync(node));
        });
      }).finally(() => underWay.delete(run));
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
    },
  };
}
