import { DomainError } from '../../../contract/domain-error.ts';
import { ValidationError } from '../../../contract/envelope.ts';
import { adoptInbound, tagsFor } from './adopt-inbound.ts';
import { followEntries } from '../sync/follow/follow-entries.ts';
import { followInbound } from '../sync/follow/follow-inbound.ts';
import { followRenames } from './follow-renames.ts';
import { recognise } from './same-inbound.ts';
import { watchInbound } from '../drift/watch.ts';
import { noteRemoteTag } from './repository-adopt.ts';
import { heldInbounds, type HeldInbound } from '../sync/push/repository-push.ts';
import type { SnapshotInbound } from '../sync/snapshot.ts';
import { isReported, type TakeOverDeps, type Reported, type ReportedInbound } from '../sync/reported.ts';
import { remoteTagOf } from '../sync/wire.ts';

/**
 * Adopts what belongs to the node, as far as its settings here allow, and takes over changes made there. Writes nothing
 * to the node. Anything with a pending change is left to the delivery, and nothing is deleted here because the node no
 * longer reports it.
 * @returns the reasons for what could not be taken over
 */
export async function takeOver(deps: TakeOverDeps, reported: Reported): Promise<DomainError[]> {
  const { row, snapshot, stamps } = reported;
  const inbounds = snapshot.inbounds.filter(isReported);
  if (inbounds.length === 0) return [];
  const tags = new Set(snapshot.inbounds.map(({ tag }) => tag));
  // Before anything is adopted: what is to be deleted on a recognised node must not come back.
  const held = await heldAfterRecognition(deps, reported, inbounds, tags);
  const refused: DomainError[] = [];
  for (const inbound of inbounds) {
    try {
      await followRenames(deps, reported, inbound);
      const known = findHeld(held, inbound, { tags, nodeId: row.id });
      const isSettled =
        known !== null
          ? await follow(deps, reported, inbound, known)
          : isOnlyShown(reported, inbound.tag) || (await adoptInbound(deps, reported, inbound));
      if (isSettled) stamps.set(inbound.tag, inbound.stamp);
    } catch (error) {
      refused.push(refusal(error, inbound.tag, deps.textOf));
    }
  }
  return refused;
}

/** What the node holds, with inbounds that are recognised on it just now. */
async function heldAfterRecognition(
  deps: TakeOverDeps,
  reported: Reported,
  inbounds: readonly ReportedInbound[],
  tags: ReadonlySet<string>,
): Promise<HeldInbound[]> {
  const { id: nodeId } = reported.row;
  const held = await heldInbounds(deps.store.reader, nodeId);
  let isSomeRecognised = false;
  for (const inbound of inbounds) {
    const known = findHeld(held, inbound, { tags, nodeId });
    if (known === null || known.isGone || known.remoteId !== 0) continue;
    if (await recognise(deps, reported, inbound, known)) isSomeRecognised = true;
  }
  return isSomeRecognised ? heldInbounds(deps.store.reader, nodeId) : held;
}

/** Finds the inbound here that the node reports: by its tag there, by id if the tag changed, or one being delivered. */
export function findHeld(
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

/** @returns whether both sides agree now */
async function follow(
  deps: TakeOverDeps,
  reported: Reported,
  inbound: ReportedInbound,
  held: HeldInbound,
): Promise<boolean> {
  if (held.isGone || held.remoteId === 0) return false;
  const isRenamed = held.remoteTag !== inbound.tag;
  if (isRenamed) await deps.store.write((trx) => noteRemoteTag(trx, held.inboundId, inbound.tag));
  if (reported.row.remoteEdits === 'show') return watchInbound(deps, reported, inbound, held);
  const tags = isRenamed ? tagsFor(reported.row.id, inbound.tag) : [];
  const isLeft = reported.left.inbounds.has(inbound.tag);
  const isSame =
    isLeft || (held.changedAtMs === 0 && (await followInbound(deps, reported, inbound, { ...held, tags })));
  const areEntriesSame = await followEntries(deps, reported, inbound, held.inboundId);
  return isSame && areEntriesSame;
}

/** Inbounds of the node that must not be adopted automatically. */
const isOnlyShown = ({ row, left }: Reported, tag: string): boolean =>
  row.remoteEdits === 'show' || left.inbounds.has(tag);

/** Wraps the reason why an inbound was not adopted, with its name; bugs are rethrown. */
function refusal(error: unknown, tag: string, textOf: TakeOverDeps['textOf']): DomainError {
  if (error instanceof ValidationError)
    return new DomainError('node.notAdopted', { tag, reason: error.message }, { cause: error });
  if (!(error instanceof DomainError)) throw error;
  if (error.code === 'node.tagsTaken') return error;
  return new DomainError('node.notAdopted', { tag, reason: textOf(error) }, { cause: error });
}
