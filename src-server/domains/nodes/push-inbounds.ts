import * as z from 'zod';
import { DomainError } from '../../contract/domain-error.ts';
import { fallbackSources } from '../inbounds/machine-check.ts';
import { isRefusal } from './node-client.ts';
import type { Delivery } from './delivery.ts';
import * as rows from './repository-push.ts';
import { remoteTagOf, wireInbound } from './wire.ts';

const Saved = z.object({ id: z.int(), tag: z.string() });

/** Deletes on the node what was deleted here, by the id and the tag it is known under: another inbound may have that id. */
export async function removeInbounds({ store, client, snapshot, attempt, ...delivery }: Delivery): Promise<void> {
  for (const { inboundId, remoteId, remoteTag } of delivery.held.filter(({ isGone }) => isGone)) {
    await attempt(async () => {
      const isThere = snapshot.inbounds.some(({ id, tag }) => id === remoteId && tag === remoteTag);
      if (isThere) await client.call({ method: 'POST', path: `inbounds/del/${remoteId}`, result: z.unknown() });
      await store.write((trx) => rows.forgetInbound(trx, inboundId));
    });
  }
}

/**
 * Sends one inbound. A new one is added, one that is known under its tag is updated.
 * @param withClients everybody on it goes along; otherwise the node keeps whom it has
 * @throws {DomainError} what the node refuses, and `node.tagTaken` for an inbound of the node's own under this tag
 */
export async function sendInbound(delivery: Delivery, held: rows.HeldInbound, withClients: boolean): Promise<void> {
  const { store, client, nodeId, version, snapshot, remoteIds } = delivery;
  const { inboundId } = held;
  const row = await rows.inboundRow(store.reader, inboundId);
  // Deleted since the list of what waits was read: its next version says so.
  if (row === undefined) return;
  const tag = remoteTagOf(row.tag, nodeId);
  const entries = withClients ? await delivery.entriesOf(inboundId) : null;
  const body = wireInbound(row, nodeId, { entries, fallbacks: await fallbackSources(store.reader, inboundId) });
  const known = snapshot.inbounds.find((remote) => remote.tag === held.remoteTag && held.remoteTag !== '');
  if (known === undefined && snapshot.inbounds.some((remote) => remote.tag === tag))
    throw new DomainError('node.tagTaken', { tag });
  let saved: z.output<typeof Saved>;
  if (known === undefined) {
    await store.write((trx) => rows.noteAttempt(trx, inboundId, tag));
    try {
      saved = await client.call({ method: 'POST', path: 'inbounds/add', body, result: Saved });
    } catch (error) {
      // Refused, so an inbound that turns up there under this tag is not ours.
      if (isRefusal(error)) await store.write((trx) => rows.noteAttempt(trx, inboundId, ''));
      throw error;
    }
  } else {
    saved = await client.call({ method: 'POST', path: `inbounds/update/${known.id}`, body, result: Saved });
  }
  remoteIds.set(inboundId, saved.id);
  await store.write((trx) => rows.noteInbound(trx, inboundId, { remoteId: saved.id, remoteTag: saved.tag, version }));
}

/** Resets of an inbound's own counters that the node has not carried out. */
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
