import { DomainError } from '../../contract/domain-error.ts';
import { ValidationError } from '../../contract/envelope.ts';
import { adoptInbound, tagsFor } from './adopt-inbound.ts';
import { followEntries } from './follow-entries.ts';
import { followInbound } from './follow-inbound.ts';
import { noteRemoteTag } from './repository-adopt.ts';
import { heldInbounds, type HeldInbound } from './repository-push.ts';
import type { SnapshotInbound } from './snapshot.ts';
import type { TakeOverDeps, Told, ToldInbound } from './told.ts';
import { remoteTagOf } from './wire.ts';

/**
 * Takes over what a node has of its own, as far as its operator here wants it, and what was changed on it: nothing is written
 * to the node for it. Whatever has a change on its way there is left to the delivery, and nothing is ever deleted here because
 * the node does not tell of it.
 * @returns what could not be taken over, in words
 */
export async function takeOver(deps: TakeOverDeps, told: Told): Promise<string[]> {
  const { row, snapshot, stamps } = told;
  const inbounds = snapshot.inbounds.filter((inbound): inbound is ToldInbound => inbound.told !== null);
  if (inbounds.length === 0) return [];
  const held = await heldInbounds(deps.store.reader, row.id);
  const tags = new Set(snapshot.inbounds.map(({ tag }) => tag));
  const refused: string[] = [];
  for (const inbound of inbounds) {
    try {
      const known = findHeld(held, inbound, { tags, nodeId: row.id });
      const isSettled =
        known === null ? await adoptInbound(deps, told, inbound) : await follow(deps, told, inbound, known);
      if (isSettled) stamps.set(inbound.tag, inbound.stamp);
    } catch (error) {
      refused.push(deps.textOf(refusal(error, inbound.tag, deps.textOf)));
    }
  }
  return refused;
}

/** The inbound here that the node tells of: by its tag there, by its id where the tag was changed there, or one on its way. */
function findHeld(
  held: readonly HeldInbound[],
  { id, tag }: SnapshotInbound,
  { tags, nodeId }: { tags: ReadonlySet<string>; nodeId: number },
): HeldInbound | null {
  return (
    held.find(({ remoteTag }) => remoteTag === tag) ??
    held.find(({ remoteId, remoteTag }) => remoteId === id && !tags.has(remoteTag)) ??
    held.find(({ remoteId, isGone, tag: ours }) => remoteId === 0 && !isGone && remoteTagOf(ours, nodeId) === tag) ??
    null
  );
}

/** @returns whether both agree now */
async function follow(deps: TakeOverDeps, told: Told, inbound: ToldInbound, held: HeldInbound): Promise<boolean> {
  if (held.isGone || held.remoteId === 0) return false;
  const isRenamed = held.remoteTag !== inbound.tag;
  if (isRenamed) await deps.store.write((trx) => noteRemoteTag(trx, held.inboundId, inbound.tag));
  const tags = isRenamed ? tagsFor(told.row.id, inbound.tag) : [];
  const isSame = held.changedAtMs === 0 && (await followInbound(deps, told, inbound, { ...held, tags }));
  const areEntriesSame = await followEntries(deps, told, inbound, held.inboundId);
  return isSame && areEntriesSame;
}

/** What kept an inbound from being taken over, by its name; a bug stays one. */
function refusal(error: unknown, tag: string, textOf: TakeOverDeps['textOf']): DomainError {
  if (error instanceof ValidationError) return new DomainError('node.notAdopted', { tag, reason: error.message });
  if (!(error instanceof DomainError)) throw error;
  return error.code === 'node.tagsTaken' ? error : new DomainError('node.notAdopted', { tag, reason: textOf(error) });
}
