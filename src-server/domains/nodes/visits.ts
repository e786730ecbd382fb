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
/** As long as that an answer that is still the same is not read again; rules that depend on the clock look at it then. */
const SETTLED_MS = 60_000;

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
    const known = row.configDirty === 0 ? node.settled : null;
    const isFresh = known !== null && readAtMs - known.readAtMs < SETTLED_MS;
    const reading = await readSnapshot(client, node.stamps, isFresh ? known.tag : undefined);
    const attribution = attributionOf(
      row,
      registry.all().map((each) => each.row),
      deps.ownGuid,
    );
    if (reading === null) {
      node.lastReadAtMs = readAtMs;
      await noteOnline(node, attribution);
      return;
    }
    node.settled = null;
    const { snapshot, tag } = reading;
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
    const isInStep = await deliverMarks(node, snapshot, notTaken);
    const isAgreed = snapshot.inbounds.every(({ tag: name, stamp }) => node.stamps.get(name) === stamp);
    if (isInStep && isAgreed && tag !== '') node.settled = { tag, readAtMs };
  }

  /** @returns whether there was nothing to deliver, and nothing that could not be taken over */
  async function deliverMarks(node: KnownNode, snapshot: Snapshot, notTaken: readonly string[]): Promise<boolean> {
    const nodeId = node.row.id;
    const before = await rows.findNode(store.reader, nodeId);
    if (before === null) return false;
    const { syncError } = await pushChanges(deps, {
      nodeId,
      client: node.client(),
      snapshot,
      version: before.configDirtyAtMs,
      notTaken,
    });
    if (syncError !== before.syncError) {
      if (syncError !== '') log.warn('node.refused', { nodeId, error: syncError });
      deps.publish({ type: 'invalidate', resource: 'nodes' });
    }
    return before.configDirty === 0 && syncError === '';
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
      deps.active.clear(nodeId);
    },
  };
}
