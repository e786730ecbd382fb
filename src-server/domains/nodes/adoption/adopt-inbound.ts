import { DomainError } from '../../../contract/domain-error.ts';
import type { Change } from '../../../runtime/runtime.ts';
import { entriesReported, withoutSay } from '../sync/follow/follow-entries.ts';
import { inboundFacts } from '../drift/facts.ts';
import { noteInboundApplied, noteNamesApplied } from '../drift/repository-applied.ts';
import * as rows from './repository-adopt.ts';
import { settingsOf, type TakeOverDeps, type Reported, type ReportedInbound } from '../sync/reported.ts';
import { tagsOf } from '../present.ts';
import { MEMBERS, remoteTagOf } from '../sync/wire.ts';

/** Candidate tags here for an inbound of a node. Each leads back to its tag on the node. */
export function tagsFor(nodeId: number, remoteTag: string): string[] {
  const prefixed = `n${nodeId}-${remoteTag}`;
  return remoteTagOf(remoteTag, nodeId) === remoteTag ? [remoteTag, prefixed] : [prefixed];
}

/**
 * Adopts an inbound created on the node, with its clients. Inbounds that originated at this panel, above it or on
 * another of its nodes are skipped: they would loop back forever or be counted twice.
 * @returns whether nothing is left to do
 * @throws {DomainError | ValidationError} nothing of the inbound was adopted
 */
export async function adoptInbound(deps: TakeOverDeps, reported: Reported, inbound: ReportedInbound): Promise<boolean> {
  const { row, attribution, elsewhere, credentialsOf } = reported;
  const { protocol } = inbound.reported;
  const comesBack = inbound.originNodeGuid !== '' && elsewhere.has(inbound.originNodeGuid);
  if (comesBack || !isWanted(reported, inbound.tag)) return true;
  if (typeof protocol !== 'string' || !deps.adoption.canAdopt(protocol)) return true;
  const { entries, clients } = entriesReported(reported, inbound);
  const clientStats = clients.map(({ email, upBytes, downBytes }) => ({ email, up: upBytes, down: downBytes }));
  const isItsOwn = inbound.originNodeGuid === '' || inbound.originNodeGuid === row.guid;
  const from = {
    nodeId: row.id,
    originNodeGuid: isItsOwn ? attribution : inbound.originNodeGuid,
    tags: tagsFor(row.id, inbound.tag),
    hosts: await reported.readHosts(inbound.id),
  };
  const body = {
    ...inbound.reported,
    up: inbound.up ?? 0,
    down: inbound.down ?? 0,
    clientStats,
    settings: { ...settingsOf(inbound), clients: entries },
  };
  const id = await deps.adoption.adopt(body, from, async (trx, insert): Promise<Change> => {
    const keys = clients.map(({ emailKey }) => emailKey);
    const states = await rows.knownNames(trx, row.id, keys);
    // Clients already adopted with another inbound of this node and unchanged here: the node's values apply in full.
    const agreed = new Set(states.flatMap(({ emailKey, state }) => (state === 'agreed' ? [emailKey] : [])));
    const taken = new Set([...(await rows.takenNames(trx, keys))].filter((key) => !agreed.has(key)));
    const known = new Set([...taken, ...agreed]);
    const complete = entries.map((entry, at) =>
      known.has(keys[at]!) ? entry : { ...credentialsOf(keys[at]!), ...entry },
    );
    const inboundId = await insert(withoutSay(complete, taken));
    await rows.holdInbound(trx, { inboundId, nodeId: row.id, remoteId: inbound.id, remoteTag: inbound.tag });
    await rows.holdClients(trx, row.id, clients);
    await noteInboundApplied(trx, row.id, inboundId, inboundFacts(inbound.reported, MEMBERS));
    await noteNamesApplied(trx, row.id, keys);
    // For clients that already existed here, this panel's values apply from now on, on the node too.
    const emails = clients.filter(({ emailKey }) => taken.has(emailKey)).map(({ email }) => email);
    return emails.length === 0 ? {} : { users: [{ inboundId, emails }] };
  });
  if (id === null) throw new DomainError('node.tagsTaken', { tag: inbound.tag });
  return true;
}

/** A selection may name tags as used on the node or as used here. */
function isWanted({ row }: Reported, tag: string): boolean {
  if (row.inboundSyncMode === 'all') return true;
  return tagsOf(row).some((each) => each === tag || each === `n${row.id}-${tag}` || remoteTagOf(each, row.id) === tag);
}
