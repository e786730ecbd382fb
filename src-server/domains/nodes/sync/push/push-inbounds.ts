import * as z from 'zod';
import type { JsonObject } from '../../../../contract/json.ts';
import { DomainError } from '../../../../contract/domain-error.ts';
import { foldText } from '../../../../store/fold-text.ts';
import { inboundFacts } from '../../drift/facts.ts';
import { noteInboundApplied, noteNobodyApplied } from '../../drift/repository-applied.ts';
import { fallbackSources } from '../../../inbounds/ports/machine-check.ts';
import { isRefusal } from '../../node-client.ts';
import { findNode } from '../../repository.ts';
import type { Delivery } from './delivery.ts';
import * as rows from './repository-push.ts';
import { MEMBERS, remoteTagOf, wireInbound } from '../wire.ts';

const Saved = z.object({ id: z.int(), tag: z.string() });

/** Deletes inbounds on the node that were deleted here. Id and tag must match: another inbound may have that id. */
export async function removeInbounds(
  { store, client, snapshot, attempt }: Delivery,
  gone: readonly rows.HeldInbound[],
): Promise<void> {
  for (const { inboundId, remoteId, remoteTag } of gone) {
    await attempt(async () => {
      const isThere = snapshot.inbounds.some(({ id, tag }) => id === remoteId && tag === remoteTag);
      if (isThere) await client.call({ method: 'POST', path: `inbounds/del/${remoteId}`, result: z.unknown() });
      await store.write((trx) => rows.forgetInbound(trx, inboundId));
    });
  }
}

/**
 * Sends one inbound. A new one is added, a known one is updated.
 * @param besides sends its clients along except these folded e-mails; null = the node keeps those it has
 * @throws {DomainError} what the node refuses, `node.tagTaken` for an inbound of the node itself under this tag, and
 *   `node.lostBehind` for a lost one that a panel behind the node served
 */
export async function sendInbound(
  delivery: Delivery,
  held: rows.HeldInbound,
  besides: ReadonlySet<string> | null,
): Promise<void> {
  const { store, client, nodeId, version, snapshot, remoteIds } = delivery;
  const { inboundId } = held;
  const row = await rows.inboundRow(store.reader, inboundId);
  // Deleted since the waiting inbounds were read: its next version covers that.
  if (row === undefined) return;
  const tag = remoteTagOf(row.tag, nodeId);
  const entries = besides === null ? null : await entriesToSend(delivery, inboundId, besides);
  const body = wireInbound(row, nodeId, { entries, fallbacks: await fallbackSources(store.reader, inboundId) });
  const known = snapshot.inbounds.find((remote) => remote.tag === held.remoteTag && held.remoteTag !== '');
  if (known === undefined && snapshot.inbounds.some((remote) => remote.tag === tag))
    throw new DomainError('node.tagTaken', { tag });
  // Sent again, it would run on the node instead.
  if (known === undefined && held.remoteId !== 0 && (await isFromBehind(delivery, row)))
    throw new DomainError('node.lostBehind', { tag: row.tag });
  let saved: z.output<typeof Saved>;
  if (known === undefined) {
    // An inbound delivered before stays known, whatever happens.
    const isNew = held.remoteId === 0;
    if (isNew) await store.write((trx) => rows.noteAttempt(trx, inboundId, tag));
    try {
      saved = await client.call({ method: 'POST', path: 'inbounds/add', body, result: Saved });
    } catch (error) {
      // Refused, so an inbound that appears there under this tag is not ours.
      if (isNew && isRefusal(error)) await store.write((trx) => rows.noteAttempt(trx, inboundId, ''));
      throw error;
    }
  } else {
    saved = await client.call({ method: 'POST', path: `inbounds/update/${known.id}`, body, result: Saved });
  }
  remoteIds.set(inboundId, saved.id);
  await store.write(async (trx) => {
    await rows.noteInbound(trx, inboundId, { remoteId: saved.id, remoteTag: saved.tag, version });
    await noteInboundApplied(trx, nodeId, inboundId, inboundFacts(body, MEMBERS));
    // If its clients fail to follow now, that is not a deletion made there.
    const isFirst = known === undefined || held.remoteId === 0;
    if (isFirst && besides === null) await noteNobodyApplied(trx, nodeId, inboundId);
  });
}

/** Whether a panel behind the node serves the inbound. */
async function isFromBehind(
  { store, nodeId }: Pick<Delivery, 'store' | 'nodeId'>,
  { originNodeGuid }: rows.InboundRow,
): Promise<boolean> {
  const node = await findNode(store.reader, nodeId);
  return node !== null && !['', node.guid, `node:${nodeId}`].includes(originNodeGuid);
}

/** All clients of an inbound; disabled ones stay disabled there, even within their limits. */
async function entriesToSend(
  { store, entriesOf }: Delivery,
  inboundId: number,
  besides: ReadonlySet<string>,
): Promise<JsonObject[]> {
  const entries = (await entriesOf(inboundId)).filter(
    ({ email }) => typeof email !== 'string' || !besides.has(foldText(email)),
  );
  const disablers = await rows.disablersOn(store.heavyReader, inboundId);
  return entries.map((entry) => {
    const { email, enable } = entry;
    const disabledBy = enable === false && typeof email === 'string' ? disablers.get(email) : undefined;
    return disabledBy === undefined ? entry : { ...entry, disabledBy };
  });
}

/** Sends resets of inbound counters that the node has not carried out. */
export async function resetInbounds({ store, client, held, remoteIds, attempt }: Delivery): Promise<void> {
  for (const { inboundId } of held.filter(({ isResetDue }) => isResetDue)) {
    const remoteId = remoteIds.get(inboundId);
    const row = await rows.inboundRow(store.reader, inboundId);
    if (remoteId === undefined || row === undefined) continue;
    await attempt(async () => {
      await client.call({ method: 'POST', path: `inbounds/${remoteId}/resetTraffic`, result: z.unknown() });
      await store.write((trx) => rows.noteInboundReset(trx, inboundId, row.lastTrafficResetAtMs));
    });
  }
}
