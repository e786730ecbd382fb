import { DomainError } from '../../../contract/domain-error.ts';
import type { Change } from '../../../runtime/runtime.ts';
import { isWithin } from '../probes/within.ts';
import { attributionOf } from '../chains/attribution.ts';
import type { PushDeps } from './push/delivery.ts';
import type { ChainReportsDeps } from './chain-reports.ts';
import type { ProbingDeps } from '../probes/probing.ts';
import { mergeReading, type PullDeps } from './follow/pull.ts';
import { pushChanges, type PushedTo } from './push/push.ts';
import { keptOn } from '../drift/repository-drift.ts';
import type { KnownNode } from '../registry.ts';
import * as rows from '../repository.ts';
import { readHosts, readSnapshot } from './read-node.ts';
import { areSameClients, counterLookup, keepLater, otherCounters, type Snapshot } from './snapshot.ts';
import { namesOfOthers } from '../adoption/same-inbound.ts';
import { takeOver } from '../adoption/take-over.ts';
import { CATCHES_UP_MS } from './unread-behind.ts';
import { credentialLookup, type Reported, type TakeOverDeps } from './reported.ts';

/** For this long only differences are merged; then everything is, for rules that depend on the clock. */
const SETTLED_MS = 60_000;

export interface SyncDeps
  extends
    Omit<PushDeps, 'store'>,
    Omit<PullDeps, 'store'>,
    Omit<ProbingDeps, 'store'>,
    Omit<ChainReportsDeps, 'store'> {
  store: TakeOverDeps['store'];
  /** Writes what is taken over from nodes. */
  adoption: () => TakeOverDeps['adoption'];
  /** Follows client renames made on nodes. */
  rename: TakeOverDeps['rename'];
  /** Applies a change that came from a node to other places. */
  apply: (change: Change) => Promise<unknown>;
  /** Checks limits that clients may have reached. */
  enforce: () => Promise<void>;
  /** Records online clients of the node, under their names here. */
  noteOnline: (node: KnownNode, attribution: string) => Promise<void>;
}

const nameOf = ({ registry, ownGuid }: SyncDeps, { row }: KnownNode): string =>
  attributionOf(
    row,
    registry.all().map((each) => each.row),
    ownGuid,
  );

/** A node's response, with the context needed to take it over. */
export async function reportOf(
  deps: SyncDeps,
  node: KnownNode,
  snapshot: Snapshot,
  readAtMs: number,
): Promise<Reported> {
  const { store, registry } = deps;
  const { row, stamps, losses } = node;
  const others = registry.all().filter((each) => each !== node);
  return {
    row,
    snapshot,
    counterOf: counterLookup(snapshot),
    stamps,
    attribution: nameOf(deps, node),
    elsewhere: new Set([deps.ownGuid, ...deps.ancestors.all(), ...others.map((each) => each.row.guid)]),
    credentialsOf: credentialLookup(snapshot),
    left: await keptOn(store.reader, row.id, true),
    readAtMs,
    losses,
    wentBack: false,
    lost: new Set(),
    readHosts: (remoteId) => readHosts(node.client(), remoteId),
  };
}

/** @param isRequested there is work for the node, even if its response is unchanged */
export async function syncNode(deps: SyncDeps, node: KnownNode, isRequested: boolean): Promise<void> {
  const { clock, noteOnline } = deps;
  const { row } = node;
  const client = node.client();
  const readAtMs = clock();
  noteUnread(deps, node, readAtMs);
  const known = row.configDirty === 0 && !isRequested ? node.settled : null;
  const settled = known !== null && isWithin(SETTLED_MS, known.readAtMs, readAtMs) ? known : null;
  const reading = await readSnapshot(client, node.stamps, settled?.tag);
  const attribution = nameOf(deps, node);
  if (reading === null) {
    node.lastReadAtMs = readAtMs;
    deps.speeds.rest(row.id);
    await noteOnline(node, attribution);
    return;
  }
  const last = node.settled;
  node.settled = null;
  const { snapshot, tag } = reading;
  const { counters, inbounds: remoteInbounds } = snapshot;
  const inbounds = JSON.stringify(
    remoteInbounds.map(({ id, tag: name, originNodeGuid }) => [id, name, originNodeGuid]),
  );
  const areInboundsKnown = last?.inbounds === inbounds;
  if (!areInboundsKnown || !areSameClients(last.counters, counters)) node.otherAtMs = readAtMs;
  const order = requireOrder(node, reading.order);
  // What it counts again until then would look new.
  if (node.wentBackAtMs !== null && isWithin(CATCHES_UP_MS, node.wentBackAtMs, readAtMs)) return;
  const report = async () => ({
    ...(await reportOf(deps, node, snapshot, readAtMs)),
    wentBack: node.wentBackAtMs !== null,
  });
  const takeOverDeps = { ...deps, adoption: deps.adoption() };
  const pulled = await mergeReading(deps, {
    others: node.wentBackAtMs !== null || node.isRestarted ? await namesOfOthers(takeOverDeps, await report()) : [],
    isDropBelieved: order !== 'unknown' || node.isDropDoubted,
    wentBack: node.wentBackAtMs !== null ? 'yes' : node.isRestarted ? 'maybe' : 'no',
    nodeId: row.id,
    guid: row.guid,
    attribution,
    inbounds: remoteInbounds,
    counters: settled === null ? counters : otherCounters(settled.counters, counters),
    // A changed deadline is watched for a while: the clock there may be ahead of ours.
    areOnlyCounters: settled !== null && !isWithin(SETTLED_MS, node.otherAtMs, readAtMs),
    sourceId: node.source?.name === attribution ? node.source.id : null,
    responseOrder: node.order.stored(node.unreadBehind.guids()),
    readGuids: readGuids(deps, node, attribution),
    readAtMs,
    previousReadAtMs: node.lastReadAtMs,
  });
  node.losses.begin();
  node.isDropDoubted = pulled === 'dropped';
  if (pulled === 'wentBack') {
    node.wentBackAtMs = readAtMs;
    deps.log.warn('node.wentBack', { nodeId: row.id });
  }
  if (typeof pulled === 'string') return;
  node.isRestarted = false;
  const { moved, change } = pulled;
  node.source = { name: attribution, id: pulled.sourceId };
  node.lastReadAtMs = readAtMs;
  await noteSpeeds(deps, row.id, snapshot);
  if (change !== null) {
    await deps.apply(change);
    deps.publish({ type: 'invalidate', resource: 'clients' });
  }
  if (moved > 0) await deps.enforce();
  const isAgreed = (): boolean => remoteInbounds.every(({ tag: name, stamp }) => node.stamps.get(name) === stamp);
  if (settled !== null && areInboundsKnown && isAgreed() && !(await isDue(deps, row.id))) {
    // Only counters have changed: there is nothing to take over or deliver.
    node.settled = { ...settled, tag, counters: keepLater(settled.counters, counters) };
    await noteOnline(node, attribution);
    return;
  }
  const reported = await report();
  const notTaken = await takeOver(takeOverDeps, reported);
  // Not before: if anything failed until here, the next reading begins with it again.
  node.wentBackAtMs = null;
  await noteOnline(node, attribution);
  if (node.row.remoteEdits === 'show' && (await isDue(deps, row.id))) {
    // Edits made while the response was on its way are checked too before anything is sent.
    const latest = await readSnapshot(client, node.stamps);
    requireOrder(node, latest!.order);
    await takeOver(takeOverDeps, await reportOf(deps, node, latest!.snapshot, readAtMs));
  }
  const isInStep = await deliverMarks(deps, node, { snapshot, readAtMs, notTaken, lostClients: [...reported.lost] });
  if (isInStep && isAgreed()) node.settled = { tag, inbounds, counters, readAtMs: settled?.readAtMs ?? readAtMs };
}

/** Updates what is known of the panels behind a node that went back. */
function noteUnread({ chains }: SyncDeps, node: KnownNode, nowMs: number): void {
  const { unreadBehind, row } = node;
  const before = unreadBehind.guids().length;
  unreadBehind.note(chains.of(row.id), node.wentBackAtMs !== null, nowMs);
  // Counters that were passed over until now are measured, although they have not moved.
  if (unreadBehind.guids().length < before) node.settled = null;
}

/** As in {@link mergeReading}. A panel further behind is reached through any of those that the node manages. */
function readGuids({ chains }: SyncDeps, { unreadBehind, row }: KnownNode, attribution: string): string[] | null {
  const unread = unreadBehind.guids();
  if (unread.length === 0) return null;
  return [attribution, ...(chains.below(row.id) ?? []).filter((guid) => !unread.includes(guid))];
}

/** Whether something is marked for the node. */
const isDue = ({ store }: SyncDeps, nodeId: number): Promise<boolean> => rows.isDirty(store.reader, nodeId);

/** @throws {DomainError} `node.oldAnswer` for a replayed response */
function requireOrder(node: KnownNode, received: string): 'next' | 'restarted' | 'unknown' {
  const order = node.order.take(received);
  if (order === 'old') throw new DomainError('node.oldAnswer');
  if (order === 'restarted') node.isRestarted = true;
  return order;
}

/** Display only; measured with a monotonic clock. */
async function noteSpeeds(deps: SyncDeps, nodeId: number, { inbounds }: Snapshot): Promise<void> {
  if (!deps.hasListeners()) return deps.speeds.clear(nodeId);
  const names = new Map(
    (await rows.hostedTags(deps.store.reader, nodeId)).map(({ tag, remoteTag }) => [remoteTag, tag]),
  );
  const counters = inbounds.flatMap(({ tag, up, down }) => {
    const here = names.get(tag);
    return here === undefined || up === null || down === null ? [] : [{ tag: here, up, down }];
  });
  deps.speeds.note(nodeId, counters, deps.monotonic());
}

/** @returns whether there was nothing to deliver, and everything could be taken over */
async function deliverMarks(
  deps: SyncDeps,
  node: KnownNode,
  reading: Pick<PushedTo, 'snapshot' | 'readAtMs' | 'notTaken' | 'lostClients'>,
): Promise<boolean> {
  const { store, log } = deps;
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
