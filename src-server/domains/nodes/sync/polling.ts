import { actingAlone } from '../../../acting.ts';
import { DomainError } from '../../../contract/domain-error.ts';
import type { Change } from '../../../runtime/runtime.ts';
import { createLine, type Line } from '../../../concurrency.ts';
import { isWithin } from '../probes/within.ts';
import { attributionOf } from '../chains/attribution.ts';
import type { PushDeps } from './push/delivery.ts';
import { createChainReports, type ChainReportsDeps } from './chain-reports.ts';
import { createProbing, type ProbingDeps } from '../probes/probing.ts';
import { mergeReading, type PullDeps } from './follow/pull.ts';
import { pushChanges, type PushedTo } from './push/push.ts';
import { keptOn } from '../drift/repository-drift.ts';
import { isLineageRefusal } from '../chains/lineage.ts';
import type { KnownNode } from '../registry.ts';
import { refusalCode } from './refusal.ts';
import * as rows from '../repository.ts';
import { readHosts, readSnapshot } from './read-node.ts';
import { areSameClients, counterLookup, keepLater, otherCounters, type Snapshot } from './snapshot.ts';
import type { Probe } from '../stored-types.ts';
import { takeOver } from '../adoption/take-over.ts';
import { credentialLookup, type Reported, type TakeOverDeps } from './reported.ts';

/** Nodes whose lists are read and that are delivered to at the same time; asking how one does is not limited. */
const PARALLEL = 8;
/** Of those that take this long to say how they do, so many: each would keep a place from many others. */
const SLOW_MS = 1_000;
const PARALLEL_SLOW = 4;
/** As long as that only what is another than before is merged; rules that depend on the clock look at everything then. */
const SETTLED_MS = 60_000;

export interface PollingDeps
  extends
    Omit<PushDeps, 'store'>,
    Omit<PullDeps, 'store'>,
    Omit<ProbingDeps, 'store'>,
    Omit<ChainReportsDeps, 'store'> {
  store: TakeOverDeps['store'];
  /** Writes what is taken over from nodes. */
  adoption: () => TakeOverDeps['adoption'];
  /** Follows names that were changed on nodes. */
  rename: TakeOverDeps['rename'];
  /** Where a change that came from a node leads besides. */
  apply: (change: Change) => Promise<unknown>;
  /** A client may have reached a limit. */
  enforce: () => Promise<void>;
}

/**
 * One poll after another per node: the reading comes first, so that what a client used is counted before it is deleted
 * there; then everything that is marked goes out. A reading and a delivery never overlap, so a reading is never older than
 * what was delivered before it was merged.
 */
export function createPolling(deps: PollingDeps) {
  const { store, registry, clock, log } = deps;
  const { probe, note } = createProbing(deps);
  const { noteOnline, extras, tellAncestors } = createChainReports(deps);
  const lines = new Map<number, Line>();
  /** Deliveries that have been asked for and have not begun. */
  const waiting = new Set<number>();
  /** Nodes whose regular poll has not ended: a slow one misses rounds and delays no other. */
  const polled = new Set<number>();
  const quick = createLine(PARALLEL);
  const slow = createLine(PARALLEL_SLOW);
  const underWay = new Set<Promise<void>>();

  function inLine<T>(nodeId: number, work: () => Promise<T>): Promise<T> {
    const line = lines.get(nodeId) ?? createLine();
    lines.set(nodeId, line);
    return line(work);
  }

  /** When a place is free. */
  const exchange = ({ latencyMs }: Probe, work: () => Promise<void>): Promise<void> =>
    (latencyMs < SLOW_MS ? quick : slow)(work);

  const nameOf = ({ row }: KnownNode): string =>
    attributionOf(
      row,
      registry.all().map((each) => each.row),
      deps.ownGuid,
    );

  /** What a node has told, with what has to be known of it to take it over. */
  async function reportOf(node: KnownNode, snapshot: Snapshot, readAtMs: number): Promise<Reported> {
    const { row, stamps, losses } = node;
    const others = registry.all().filter((each) => each !== node);
    return {
      row,
      snapshot,
      counterOf: counterLookup(snapshot),
      stamps,
      attribution: nameOf(node),
      elsewhere: new Set([deps.ownGuid, ...deps.ancestors.all(), ...others.map((each) => each.row.guid)]),
      credentialsOf: credentialLookup(snapshot),
      left: await keptOn(store.reader, row.id, true),
      readAtMs,
      losses,
      lost: new Set(),
      readHosts: (remoteId) => readHosts(node.client(), remoteId),
    };
  }

  /** @param isAsked something is to be done there, whether or not the node's answer is another one */
  async function sync(node: KnownNode, isAsked: boolean): Promise<void> {
    const { row } = node;
    const client = node.client();
    const readAtMs = clock();
    const known = row.configDirty === 0 && !isAsked ? node.settled : null;
    const settled = known !== null && isWithin(SETTLED_MS, known.readAtMs, readAtMs) ? known : null;
    const reading = await readSnapshot(client, node.stamps, settled?.tag);
    const attribution = nameOf(node);
    if (reading === null) {
      node.lastReadAtMs = readAtMs;
      deps.speeds.rest(row.id);
      await noteOnline(node, attribution);
      return;
    }
    const last = node.settled;
    node.settled = null;
    const { snapshot, tag } = reading;
    const { counters, inbounds: told } = snapshot;
    const inbounds = JSON.stringify(told.map(({ id, tag: name, originNodeGuid }) => [id, name, originNodeGuid]));
    const areInboundsKnown = last?.inbounds === inbounds;
    if (!areInboundsKnown || !areSameClients(last.counters, counters)) node.otherAtMs = readAtMs;
    const order = requireOrder(node, reading.order);
    const pulled = await mergeReading(deps, {
      isDropBelieved: order === 'next' || node.isDropDoubted,
      nodeId: row.id,
      guid: row.guid,
      attribution,
      inbounds: told,
      counters: settled === null ? counters : otherCounters(settled.counters, counters),
      // A deadline that moved is looked at for a while: the clock there may be ahead of the one here.
      areOnlyCounters: settled !== null && !isWithin(SETTLED_MS, node.otherAtMs, readAtMs),
      sourceId: node.source?.name === attribution ? node.source.id : null,
      answerOrder: node.order.stored(),
      readAtMs,
      previousReadAtMs: node.lastReadAtMs,
    });
    node.losses.begin();
    node.isDropDoubted = pulled === null;
    if (pulled === null) return;
    const { moved, change } = pulled;
    node.source = { name: attribution, id: pulled.sourceId };
    node.lastReadAtMs = readAtMs;
    await noteSpeeds(row.id, snapshot);
    if (change !== null) {
      await deps.apply(change);
      deps.publish({ type: 'invalidate', resource: 'clients' });
    }
    if (moved > 0) await deps.enforce();
    const isAgreed = (): boolean => told.every(({ tag: name, stamp }) => node.stamps.get(name) === stamp);
    if (settled !== null && areInboundsKnown && isAgreed() && !(await isDue(row.id))) {
      // Only counters have moved: nothing is there to be taken over or delivered.
      node.settled = { ...settled, tag, counters: keepLater(settled.counters, counters) };
      await noteOnline(node, attribution);
      return;
    }
    const reported = await reportOf(node, snapshot, readAtMs);
    const takeOverDeps = { ...deps, adoption: deps.adoption() };
    const notTaken = await takeOver(takeOverDeps, reported);
    await noteOnline(node, attribution);
    if (node.row.remoteEdits === 'show' && (await isDue(row.id))) {
      // What was edited there while the answer was on its way is looked at too before anything is sent.
      const latest = await readSnapshot(client, node.stamps);
      requireOrder(node, latest!.order);
      await takeOver(takeOverDeps, await reportOf(node, latest!.snapshot, readAtMs));
    }
    const isInStep = await deliverMarks(node, { snapshot, readAtMs, notTaken, lostClients: [...reported.lost] });
    if (isInStep && isAgreed()) node.settled = { tag, inbounds, counters, readAtMs: settled?.readAtMs ?? readAtMs };
  }

  /** Whether something is marked for the node. */
  const isDue = (nodeId: number): Promise<boolean> => rows.isDirty(store.reader, nodeId);

  /** @throws {DomainError} `node.oldAnswer` for one that was given before */
  function requireOrder(node: KnownNode, told: string): 'next' | 'unknown' {
    const order = node.order.take(told);
    if (order === 'old') throw new DomainError('node.oldAnswer');
    return order;
  }

  /** Only for show; in time that only grows. */
  async function noteSpeeds(nodeId: number, { inbounds }: Snapshot): Promise<void> {
    if (!deps.hasListeners()) return deps.speeds.clear(nodeId);
    const names = new Map((await rows.hostedTags(store.reader, nodeId)).map(({ tag, remoteTag }) => [remoteTag, tag]));
    const counters = inbounds.flatMap(({ tag, up, down }) => {
      const here = names.get(tag);
      return here === undefined ? [] : [{ tag: here, up, down }];
    });
    deps.speeds.note(nodeId, counters, deps.monotonic());
  }

  /** @returns whether there was nothing to deliver, and nothing that could not be taken over */
  async function deliverMarks(
    node: KnownNode,
    reading: Pick<PushedTo, 'snapshot' | 'readAtMs' | 'notTaken' | 'lostClients'>,
  ): Promise<boolean> {
    const nodeId = node.row.id;
    const before = await rows.findNode(store.reader, nodeId);
    if (before === null) return false;
    const pushed = await pushChanges(deps, {
      ...reading,
      nodeId,
      client: node.client(),
      version: before.configDirtyAtMs,
      losses: node.losses,
      plans: node.plans,
      remoteEdits: before.remoteEdits,
    });
    if (pushed === null) return false;
    const { syncError, areOtherPlans } = pushed;
    const isOtherError = syncError !== before.syncError;
    if (isOtherError && syncError !== '') log.warn('node.refused', { nodeId, error: syncError });
    if (areOtherPlans)
      for (const { kind, inbounds, clients } of node.plans.waiting)
        log.warn('node.planWaits', { nodeId, kind, inbounds: inbounds.length, clients: clients.length });
    if (isOtherError || areOtherPlans) deps.publish({ type: 'invalidate', resource: 'nodes' });
    return before.configDirty === 0 && syncError === '' && node.plans.waiting.length === 0;
  }

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
          await sync(node, false);
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
    reportOf,
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
          if (probed.status === 'online') await exchange(probed, () => sync(node, true));
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
