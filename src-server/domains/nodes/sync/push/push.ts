import { DomainError } from '../../../../contract/domain-error.ts';
import { foldText } from '../../../../store/fold-text.ts';
import type { Delivery, PushDeps } from './delivery.ts';
import { inNameOrder, renameFirst, withNames } from './exchange-names.ts';
import { keptOn, type Kept } from '../../drift/repository-drift.ts';
import { endSessions } from '../end-sessions.ts';
import type { Losses } from '../losses.ts';
import { noteWaiting, type Plan, type Plans } from '../../plans/plan.ts';
import { redeliver } from '../../plans/repository-plans.ts';
import { splitDeletions, splitLosses } from '../../plans/split.ts';
import type { NodeClient } from '../../node-client.ts';
import { removeClients, resetClients, sendByInbound, sendClient, switchOff } from './push-clients.ts';
import { removeInbounds, resetInbounds, sendInbound } from './push-inbounds.ts';
import { refusalOf } from '../refusal.ts';
import * as rows from './repository-push.ts';
import { counterLookup, type Snapshot } from '../snapshot.ts';
import type { NodeRow } from '../../stored-types.ts';

/** From this many waiting clients on, whole inbounds are sent: one call each instead of several per client. */
const MAX_SINGLE_CLIENTS = 32;
/** Refusals kept; the first ones are enough. */
const MAX_REPORTED = 50;

/** What the node refused; it is retried at every run. */
export interface Pushed {
  syncError: string;
  /** The waiting plans differ from before. */
  areOtherPlans: boolean;
}

export interface PushedTo {
  nodeId: number;
  client: NodeClient;
  snapshot: Snapshot;
  version: number;
  losses: Losses;
  plans: Plans;
  readAtMs: number;
  /** Whether edits made there are only shown. */
  remoteEdits: NodeRow['remoteEdits'];
  /** What could not be taken over from the node. */
  notTaken: readonly DomainError[];
  /** Folded e-mails of clients that it has lost. */
  lostClients: readonly string[];
}

/**
 * Delivers everything marked for a node. Each mark is met with the current state, so repeating a delivery after a lost
 * response does no harm. A refused part does not block the others, nor does one that waits for confirmation.
 * @returns null when nothing was delivered, because the response may be incomplete
 * @throws {DomainError} when the node is unreachable; what was delivered until then is recorded
 */
export async function pushChanges(deps: PushDeps, to: PushedTo): Promise<Pushed | null> {
  const { store } = deps;
  const { nodeId } = to;
  const refusals: DomainError[] = [];
  const kept = await keptOn(store.reader, nodeId);
  const prepared = await prepare(deps, to);
  if (prepared === null) return null;
  const { version, resend } = prepared;
  const held = await rows.heldInbounds(store.reader, nodeId);
  const listed = new Set(to.snapshot.inbounds.map(({ tag }) => tag));
  const delivery: Delivery = {
    ...deps,
    ...to,
    version,
    counterOf: counterLookup(to.snapshot),
    held,
    heldBack: new Set([
      ...(resend?.inbounds.map(({ id }) => id) ?? []),
      ...held
        .filter((each) => to.remoteEdits === 'show' && each.remoteId !== 0 && !listed.has(each.remoteTag))
        .map(({ inboundId }) => inboundId),
    ]),
    // Inbounds missing from the response may still exist, but no client is added to them.
    remoteIds: new Map(
      held.flatMap(({ inboundId, remoteId, remoteTag, isGone }) =>
        remoteId === 0 || isGone || !listed.has(remoteTag) ? [] : [[inboundId, remoteId]],
      ),
    ),
    async attempt(work) {
      try {
        await work();
        return true;
      } catch (error) {
        if (!(error instanceof DomainError) || UNREACHED.has(error.code)) throw error;
        refusals.push(error);
        return false;
      }
    },
  };

  const waiting = await rows.waitingClients(store.heavyReader, nodeId);
  const deletions = await splitDeletions(
    { store, ...to, version },
    { gone: held.filter(({ isGone }) => isGone), leaving: waiting.filter(({ isWanted }) => !isWanted) },
  );
  const plans = [deletions.plan, resend].filter((plan) => plan !== null);
  const areOtherPlans = noteWaiting(to.plans, plans);
  const deleted = await removeClients(delivery, deletions.leaving);
  await removeInbounds(delivery, deletions.gone);
  await sendChanges(
    withNames(delivery, new Map(deleted.map((name) => [name, '']))),
    waiting.filter(({ isWanted }) => isWanted),
    kept,
    plans.length > 0,
  );

  // Each one once.
  const reported = new Map([...to.notTaken, ...refusals].map((error) => [deps.textOf(error), refusalOf(error)]));
  const syncError = [...reported.keys()].join('; ');
  const syncRefusals = JSON.stringify(
    [...reported].slice(0, MAX_REPORTED).map(([text, refusal]) => ({ ...refusal, text })),
  );
  const isDelivered = refusals.length + plans.length === 0;
  await store.write((trx) => rows.noteDelivery(trx, nodeId, { version, syncError, syncRefusals, isDelivered }));
  return { syncError, areOtherPlans };
}

/**
 * Sends changed inbounds and clients.
 * @param kept edits made there that wait for a decision; only disabling of clients is still delivered
 * @param isSomeHeld something waits for confirmation: a whole inbound would include clients held back, so clients are
 *   sent one by one
 */
async function sendChanges(
  delivery: Delivery,
  wanted: readonly rows.WaitingClient[],
  kept: Kept,
  isSomeHeld: boolean,
): Promise<void> {
  const { held, heldBack, store, nodeId } = delivery;
  const [keptBack, due] = partition(wanted, ({ email }) => kept.clients.has(foldText(email)));
  const [unreset, ready] = await resetClients(delivery, due);
  await resetClients(delivery, keptBack);
  // What a client that is not reset has there is judged by its deadline there, so it gets no new one yet.
  await switchOff(delivery, [...keptBack, ...unreset]);
  const isHeldBack = ({ inboundId, remoteTag }: rows.HeldInbound): boolean =>
    heldBack.has(inboundId) || kept.inbounds.has(remoteTag);
  for (const inbound of held)
    if (!inbound.isGone && inbound.changedAtMs > 0 && !isHeldBack(inbound))
      await delivery.attempt(() => sendInbound(delivery, inbound, null));
  let single = ready;
  if (ready.length > MAX_SINGLE_CLIENTS && !isSomeHeld && unreset.length === 0) {
    // A whole inbound would overwrite what is kept on it, so its clients are sent one by one.
    const apart = new Set(await rows.inboundsOfKept(store.heavyReader, nodeId));
    for (const { inboundId } of held.filter(isHeldBack)) apart.add(inboundId);
    const renamed = await renameFirst(delivery, ready);
    for (const inboundId of await rows.inboundsOfRenamed(store.heavyReader, nodeId)) apart.add(inboundId);
    const left = await sendByInbound(await renewed(renamed.delivery), renamed.due, apart);
    single = renamed.due.filter(({ clientId }) => left.has(clientId));
  }
  for (const each of await inNameOrder(delivery, single)) await delivery.attempt(() => sendClient(delivery, each));
  await resetInbounds(delivery);
  await endSessions(delivery);
}

function partition<T>(all: readonly T[], isFirst: (each: T) => boolean): [first: T[], rest: T[]] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))];
}

/** Nothing else would arrive either. */
const UNREACHED = new Set([
  'node.unreachable',
  'node.privateAddress',
  'node.speaksHttp',
  'node.authorityUnknown',
  'node.redirects',
  'node.noToken',
]);

/**
 * Completes the marks: for clients on an inbound that is new to the node, for clients left without an inbound by a
 * deletion, and for lost items.
 * @returns the version to deliver and what waits for confirmation; null while a single response omits items the node
 *   held, because its state is then unknown
 */
async function prepare(
  { store }: PushDeps,
  { nodeId, snapshot, losses, readAtMs, plans, lostClients, remoteEdits, version: before }: PushedTo,
): Promise<{ version: number; resend: Plan | null } | null> {
  const held = await rows.heldInbounds(store.reader, nodeId);
  const tags = new Set(snapshot.inbounds.map(({ tag }) => tag));
  const missing = held.filter(({ remoteId, remoteTag }) => remoteId !== 0 && !tags.has(remoteTag));
  const ids = missing.map(({ inboundId }) => String(inboundId));
  if (losses.confirmed('inbounds', ids, readAtMs).length < missing.length) return null;
  // Treated as an edit where edits are only shown.
  const inbounds = missing.filter(({ isGone }) => !isGone && remoteEdits === 'follow');
  const lost = await splitLosses(
    { store, nodeId, snapshot, version: before, readAtMs },
    { inbounds, emailKeys: lostClients },
    plans,
  );
  const fresh = held.filter(({ remoteId, isGone, changedAtMs }) => remoteId === 0 && !isGone && changedAtMs > 0);
  const isSomeGone = held.some(({ isGone }) => isGone);
  if (lost.inbounds.length + lost.emailKeys.length + fresh.length === 0 && !isSomeGone)
    return { version: before, resend: lost.plan };
  const version = await store.write(async (trx) => {
    // Nothing was ever changed here, but marks need a version.
    const current = before === 0 ? await rows.raiseVersion(trx, nodeId, readAtMs) : before;
    for (const { inboundId } of lost.inbounds) await rows.noteLoss(trx, inboundId, current);
    const concerned = [...lost.inbounds, ...fresh].map(({ inboundId }) => inboundId);
    await rows.enrol(trx, nodeId, concerned, current);
    await redeliver(trx, nodeId, lost.emailKeys, current);
    if (isSomeGone) await rows.discharge(trx, nodeId, current);
    return current;
  });
  return { version, resend: lost.plan };
}

/** Adds what has been sent meanwhile: the whole inbounds that follow are updates of it. */
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
      resetAtMs: null,
      originNodeGuid: '',
      clients: new Uint32Array(),
      stamp: '',
      reported: null,
    }));
  return { ...delivery, held, snapshot: { ...delivery.snapshot, inbounds: [...delivery.snapshot.inbounds, ...sent] } };
}
