import { DomainError } from '../../contract/domain-error.ts';
import type { Delivery, PushDeps } from './delivery.ts';
import type { NodeClient } from './node-client.ts';
import { removeClients, resetClients, sendByInbound, sendClient } from './push-clients.ts';
import { removeInbounds, resetInbounds, sendInbound } from './push-inbounds.ts';
import * as rows from './repository-push.ts';
import { counterLookup, type Snapshot } from './snapshot.ts';

/** From this many waiting clients on, whole inbounds are sent: one call for each instead of several per client. */
const MAX_SINGLE_CLIENTS = 32;

/** What the node refused; it is tried again at every run. */
export interface Pushed {
  syncError: string;
}

/**
 * Delivers everything that is marked for a node. Every mark is met by the state of the moment, so a delivery that is
 * repeated, because its answer was lost, does no harm; one refused part does not hold up the others.
 * @throws {DomainError} when the node cannot be reached; what was delivered until then is noted
 */
export async function pushChanges(
  deps: PushDeps,
  to: {
    nodeId: number;
    client: NodeClient;
    snapshot: Snapshot;
    version: number;
    /** What could not be taken over from the node, in words. */
    notTaken: readonly string[];
  },
): Promise<Pushed> {
  const { store } = deps;
  const { nodeId, version } = to;
  const refusals: string[] = [];
  await prepare(deps, to);
  const held = await rows.heldInbounds(store.reader, nodeId);
  const delivery: Delivery = {
    ...deps,
    ...to,
    counterOf: counterLookup(to.snapshot),
    held,
    remoteIds: new Map(
      held.flatMap(({ inboundId, remoteId, isGone }) => (remoteId === 0 || isGone ? [] : [[inboundId, remoteId]])),
    ),
    async attempt(work) {
      try {
        await work();
        return true;
      } catch (error) {
        if (!(error instanceof DomainError) || UNREACHED.has(error.code)) throw error;
        refusals.push(deps.textOf(error));
        return false;
      }
    },
  };

  const waiting = await rows.waitingClients(store.heavyReader, nodeId);
  const wanted = waiting.filter(({ isWanted }) => isWanted);
  await removeClients(
    delivery,
    waiting.filter(({ isWanted }) => !isWanted),
  );
  await removeInbounds(delivery);
  await resetClients(
    delivery,
    wanted.filter(({ isResetDue }) => isResetDue),
  );
  const isBulk = wanted.length > MAX_SINGLE_CLIENTS;
  for (const inbound of held.filter(({ isGone, changedAtMs }) => !isGone && changedAtMs > 0))
    await delivery.attempt(() => sendInbound(delivery, inbound, false));
  if (isBulk) await sendByInbound(await renewed(delivery));
  else for (const each of wanted) await delivery.attempt(() => sendClient(delivery, each));
  await resetInbounds(delivery);

  const syncError = [...new Set([...to.notTaken, ...refusals])].join('; ');
  const isDelivered = refusals.length === 0;
  await store.write((trx) => rows.noteDelivery(trx, nodeId, { version, syncError, isDelivered }));
  return { syncError };
}

/** Nothing else would arrive either. */
const UNREACHED = new Set(['node.unreachable', 'node.speaksHttp', 'node.noToken']);

/** Completes the marks: whoever is on an inbound that is new to the node waits, and whoever an inbound's end leaves without one. */
async function prepare(
  { store }: PushDeps,
  { nodeId, snapshot, version }: { nodeId: number; snapshot: Snapshot; version: number },
): Promise<void> {
  const held = await rows.heldInbounds(store.reader, nodeId);
  const tags = new Set(snapshot.inbounds.map(({ tag }) => tag));
  // A node that is starting may list nothing at all; that says nothing about any single inbound.
  const lost = held.filter(
    ({ remoteId, remoteTag, isGone }) => tags.size > 0 && remoteId !== 0 && !isGone && !tags.has(remoteTag),
  );
  const fresh = held.filter(({ remoteId, isGone, changedAtMs }) => remoteId === 0 && !isGone && changedAtMs > 0);
  const isSomeGone = held.some(({ isGone }) => isGone);
  if (lost.length + fresh.length === 0 && !isSomeGone) return;
  await store.write(async (trx) => {
    for (const { inboundId } of lost) await rows.noteLoss(trx, inboundId, version);
    const ids = [...lost, ...fresh].map(({ inboundId }) => inboundId);
    await rows.enrol(trx, nodeId, ids, version);
    if (isSomeGone) await rows.discharge(trx, nodeId, version);
  });
}

/** With what has been sent meanwhile: the whole inbounds that follow are updates of it. */
async function renewed(delivery: Delivery): Promise<Delivery> {
  const held = await rows.heldInbounds(delivery.store.reader, delivery.nodeId);
  const sent = held
    .filter(
      ({ remoteId, remoteTag }) => remoteId !== 0 && !delivery.snapshot.inbounds.some(({ tag }) => tag === remoteTag),
    )
    .map(({ remoteId, remoteTag }) => ({
      id: remoteId,
      tag: remoteTag,
      up: 0,
      down: 0,
      originNodeGuid: '',
      clients: new Uint32Array(),
      stamp: '',
      told: null,
    }));
  return { ...delivery, held, snapshot: { ...delivery.snapshot, inbounds: [...delivery.snapshot.inbounds, ...sent] } };
}
