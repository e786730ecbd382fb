import type { JsonObject } from '../../../contract/json.ts';
import { heldInbounds, noteAttempt, type HeldInbound } from '../sync/push/repository-push.ts';
import { resumeDeletions, suspendedNames } from '../sync/push/repository-start-over.ts';
import { entriesReported, keyOf } from '../sync/follow/follow-entries.ts';
import { CREDENTIALS, isReported, type Reported, type ReportedInbound, type TakeOverDeps } from '../sync/reported.ts';

/**
 * Recognises an inbound that this panel delivered before the node reported another GUID: a renewed one, or that of
 * another panel which answered at its address for a while. Tags prove nothing, credentials do: only a panel that got
 * them from here has them. From then on the inbound counts as delivered, the next delivery brings it up to date, and
 * deletions that were put aside for the node go on.
 * @returns whether it was recognised just now
 */
export async function recognise(
  { store, entriesOf }: Pick<TakeOverDeps, 'store' | 'entriesOf'>,
  reported: Reported,
  inbound: ReportedInbound,
  { inboundId, remoteTag }: HeldInbound,
): Promise<boolean> {
  if (remoteTag !== '') return false;
  // A name may have been given to a new client since.
  const deleted = await suspendedNames(store.reader, reported.row.id);
  const there = entriesReported(reported, inbound).entries.filter((entry) => !deleted.has(keyOf(entry)));
  if (!isSomeClientShared(await entriesOf(inboundId), there)) return false;
  await store.write(async (trx) => {
    await noteAttempt(trx, inboundId, inbound.tag);
    await resumeDeletions(trx, reported.row.id, reported.readAtMs);
  });
  return true;
}

/**
 * Names under which an older database of the node has clients that were deleted here since, and that others have here
 * by now.
 * @returns them, folded
 */
export async function namesOfOthers(
  { store, entriesOf }: Pick<TakeOverDeps, 'store' | 'entriesOf'>,
  reported: Reported,
): Promise<string[]> {
  const held = await heldInbounds(store.reader, reported.row.id);
  const found = new Set<string>();
  for (const inbound of reported.snapshot.inbounds) {
    const known = held.find(({ remoteTag, isGone }) => remoteTag === inbound.tag && !isGone);
    if (known === undefined || !isReported(inbound)) continue;
    const ours = new Map((await entriesOf(known.inboundId)).map((entry) => [keyOf(entry), entry]));
    for (const entry of entriesReported(reported, inbound).entries) {
      const here = ours.get(keyOf(entry));
      if (here !== undefined && isOther(here, entry)) found.add(keyOf(entry));
    }
  }
  return [...found];
}

/** Nothing that only its client knows is the same: one of them alone can be changed. */
const isOther = (here: JsonObject, there: JsonObject): boolean =>
  isText(there['subId']) &&
  ['subId', ...CREDENTIALS].every((name) => !isText(here[name]) || here[name] !== there[name]);

/** Whether a client has the same credentials on both sides, and none has others. */
function isSomeClientShared(here: readonly JsonObject[], there: readonly JsonObject[]): boolean {
  const ours = new Map(here.map((entry) => [keyOf(entry), entry]));
  const shared = there.flatMap((entry) => {
    const known = ours.get(keyOf(entry));
    return known === undefined ? [] : [haveSameCredentials(known, entry)];
  });
  return shared.length > 0 && shared.every(Boolean);
}

function haveSameCredentials(one: JsonObject, other: JsonObject): boolean {
  const given = CREDENTIALS.filter((name) => isText(one[name]) && isText(other[name]));
  return given.length > 0 && given.every((name) => one[name] === other[name]);
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
