import { DomainError } from '../../contract/domain-error.ts';
import type { Publish } from '../../contract/events.ts';
import type { Logger } from '../../contract/logger.ts';
import type { Change } from '../../runtime/runtime.ts';
import { foldText } from '../../store/fold-text.ts';
import { createLine } from '../traffic/one-at-a-time.ts';
import { attributionOf } from './attribution.ts';
import { readChain, type Chains } from './chain.ts';
import type { PushDeps } from './delivery.ts';
import type { Histories } from './histories.ts';
import type { OnlineTrees } from './online.ts';
import { probeNode } from './probe.ts';
import { mergeReading, type PullDeps } from './pull.ts';
import { pushChanges } from './push.ts';
import type { KnownNode, Registry } from './registry.ts';
import * as rows from './repository.ts';
import { startOver } from './repository-push.ts';
import { readOnline, readSnapshot } from './read-node.ts';
import { counterLookup, type Snapshot } from './snapshot.ts';
import type { Probe } from './stored-types.ts';
import { takeOver } from './take-over.ts';
import type { TakeOverDeps } from './told.ts';
import { pushTotals } from './totals.ts';

/** Nodes that are visited at the same time. */
const PARALLEL = 8;
/** Between two tellings of what clients used everywhere. */
const TOTALS_MS = 30_000;

export interface VisitDeps extends Omit<PushDeps, 'store'>, Omit<PullDeps, 'store'> {
  store: TakeOverDeps['store'];
  registry: Registry;
  /** Writes what is taken over from nodes. */
  adoption: () => TakeOverDeps['adoption'];
  online: OnlineTrees;
  chains: Chains;
  histories: Histories;
  ownGuid: string;
  /** Where a change that came from a node leads besides. */
  apply: (change: Change) => Promise<unknown>;
  /** Somebody may have reached a limit. */
  enforce: () => Promise<void>;
  publish: Publish;
  monotonic: () => number;
  log: Logger;
}

/**
 * One visit after another per node: the reading comes first, so that what a client used is counted before it is deleted
 * there; then everything that is marked goes out. A reading and a delivery never overlap, so a reading is never older than
 * what was delivered before it was merged.
 */
export function createVisits(deps: VisitDeps) {
  const { store, registry, clock, log } = deps;
  const lines = new Map<number, ReturnType<typeof createLine>>();
  /** Deliveries that have been asked for and have not begun. */
  const waiting = new Set<number>();
  const underWay = new Set<Promise<void>>();

  function inLine<T>(nodeId: number, work: () => Promise<T>): Promise<T> {
    const line = lines.get(nodeId) ?? createLine();
    lines.set(nodeId, line);
    return line(work);
  }

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
      deps.chains.clear(node.row.id);
    }
    deps.histories.note(node.row.id, result);
    await save(node, result);
    return result;
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

  /** Only for show, so a node that cannot tell, or takes too long, is still delivered to. */
  async function noteOnline(node: KnownNode, attribution: string): Promise<void> {
    const { id, guid } = node.row;
    try {
      const told = await readOnline(node.client());
      const names = await rows.emailsByNames(store.reader, id, Object.values(told).flat().map(foldText));
      const tree = new Map<string, string[]>();
      for (const [panel, emails] of Object.entries(told)) {
        const known = emails.map((email) => names.get(foldText(email))).filter((email) => email !== undefined);
        tree.set(panel === guid ? attribution : panel, known);
      }
      deps.online.set(id, tree);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      deps.online.clear(id);
      log.debug('node.onlineUnknown', { nodeId: id, error: deps.textOf(error) });
    }
  }

  /** What a node of an older build may not know of, or may be too busy for: the rest of the visit does not depend on it. */
  async function extras(node: KnownNode): Promise<void> {
    const nodeId = node.row.id;
    const client = node.client();
    await unlessRefused(nodeId, 'node.chainUnknown', async () => deps.chains.set(nodeId, await readChain(client)));
    const nowMs = clock();
    if (nowMs - node.totalsPushedAtMs < TOTALS_MS) return;
    node.totalsPushedAtMs = nowMs;
    await unlessRefused(nodeId, 'node.totalsNotTaken', () =>
      pushTotals(store, { nodeId, client, ownGuid: deps.ownGuid }),
    );
  }

  async function unlessRefused(nodeId: number, event: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      log.debug(event, { nodeId, error: deps.textOf(error) });
    }
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
        await sync(node);
        await extras(node);
      });
    });
  }

  return {
    /** Every enabled node: is it there, what did it count, what does it lack. */
    async visitAll(): Promise<void> {
      const due = registry.all();
      const work = Array.from({ length: Math.min(PARALLEL, due.length) }, async () => {
        for (let node = due.shift(); node !== undefined; node = due.shift()) await visit(node);
      });
      await Promise.all(work);
    },
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
          if ((await probe(node)).status === 'online') await sync(node);
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
