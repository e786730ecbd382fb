import type { JsonObject } from '../../../contract/json.ts';
import { noteAttempt, type HeldInbound } from '../sync/push/repository-push.ts';
import { entriesReported, keyOf } from '../sync/follow/follow-entries.ts';
import { CREDENTIALS, type Reported, type ReportedInbound, type TakeOverDeps } from '../sync/reported.ts';

/**
 * Recognises an inbound that this panel delivered before the node reported another GUID: a renewed one, or that of
 * another panel which answered at its address for a while. Tags prove nothing, credentials do: only a panel that got
 * them from here has them. From then on the inbound counts as delivered, and the next delivery brings it up to date.
 */
export async function recognise(
  { store, entriesOf }: Pick<TakeOverDeps, 'store' | 'entriesOf'>,
  reported: Reported,
  inbound: ReportedInbound,
  { inboundId, remoteTag }: HeldInbound,
): Promise<void> {
  if (remoteTag !== '') return;
  const there = entriesReported(reported, inbound).entries;
  if (!isSomeClientShared(await entriesOf(inboundId), there)) return;
  await store.write((trx) => noteAttempt(trx, inboundId, inbound.tag));
}

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
