import { DomainError } from '../../contract/domain-error.ts';
import type { Change } from '../../runtime/runtime.ts';
import { entriesTold, withoutSay } from './follow-entries.ts';
import * as rows from './repository-adopt.ts';
import { settingsOf, type TakeOverDeps, type Told, type ToldInbound } from './told.ts';
import { remoteTagOf } from './wire.ts';

/** What an inbound of a node may be called here, so that the name leads back to its tag there. */
export function tagsFor(nodeId: number, remoteTag: string): string[] {
  const prefixed = `n${nodeId}-${remoteTag}`;
  return remoteTagOf(remoteTag, nodeId) === remoteTag ? [remoteTag, prefixed] : [prefixed];
}

/**
 * Takes over an inbound that is the node's own, with its clients. One that began at this panel is left alone: two panels that
 * manage each other would take over the same inbounds for ever.
 * @returns whether nothing is left to do
 * @throws {DomainError | ValidationError} nothing of it is taken over
 */
export async function adoptInbound(deps: TakeOverDeps, told: Told, inbound: ToldInbound): Promise<boolean> {
  const { row, attribution, ownGuid } = told;
  const { protocol } = inbound.told;
  const isOurs = inbound.originNodeGuid !== '' && inbound.originNodeGuid === ownGuid && row.guid !== ownGuid;
  if (isOurs || !isWanted(told, inbound.tag)) return true;
  if (typeof protocol !== 'string' || !deps.adoption.canAdopt(protocol)) return true;
  const { entries, clients } = entriesTold(told, inbound);
  const clientStats = clients.map(({ email, upBytes, downBytes }) => ({ email, up: upBytes, down: downBytes }));
  const isItsOwn = inbound.originNodeGuid === '' || inbound.originNodeGuid === row.guid;
  const from = {
    nodeId: row.id,
    originNodeGuid: isItsOwn ? attribution : inbound.originNodeGuid,
    tags: tagsFor(row.id, inbound.tag),
  };
  const body = {
    ...inbound.told,
    up: inbound.up,
    down: inbound.down,
    clientStats,
    settings: { ...settingsOf(inbound), clients: entries },
  };
  const id = await deps.adoption.adopt(body, from, async (trx, insert): Promise<Change> => {
    const taken = await rows.takenNames(
      trx,
      clients.map(({ emailKey }) => emailKey),
    );
    const inboundId = await insert(withoutSay(entries, taken));
    const place = { inboundId, nodeId: row.id, remoteId: inbound.id, remoteTag: inbound.tag };
    await rows.holdInbound(trx, { ...place, nowMs: deps.clock() });
    await rows.holdClients(trx, row.id, clients);
    // Who was known here already is from now on what this panel says of it, over there too.
    const emails = clients.filter(({ emailKey }) => taken.has(emailKey)).map(({ email }) => email);
    return emails.length === 0 ? {} : { users: [{ inboundId, emails }] };
  });
  if (id === null) throw new DomainError('node.tagsTaken', { tag: inbound.tag });
  return true;
}

/** A selection names tags as they are on the node or as they are here. */
function isWanted({ row }: Told, tag: string): boolean {
  if (row.inboundSyncMode === 'all') return true;
  const selected = JSON.parse(row.inboundTags) as string[];
  return selected.some((each) => each === tag || each === `n${row.id}-${tag}` || remoteTagOf(each, row.id) === tag);
}
