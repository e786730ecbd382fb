import type { Store } from '../../../store/open-store.ts';
import { entriesReported } from '../sync/follow/follow-entries.ts';
import { inboundSides } from '../sync/follow/follow-inbound.ts';
import type { Reported, ReportedInbound } from '../sync/reported.ts';
import type { HeldInbound } from '../sync/push/repository-push.ts';
import { MEMBERS } from '../sync/wire.ts';
import { clientFacts, differing, differingEither, entryFacts, inboundFacts, type Facts } from './facts.ts';
import { clientStatesOf, inboundApplied, leavingNames, type NodeClientState } from './repository-applied.ts';
import { noteSeen } from './repository-drift.ts';

interface WatchDeps {
  store: Store;
  clock: () => number;
}

/**
 * Checks an inbound changed on a node whose edits are only shown: whatever differs from the last applied state is
 * neither taken over nor overwritten until an operator decides. @returns whether the check is complete
 */
export async function watchInbound(
  { store, clock }: WatchDeps,
  reported: Reported,
  inbound: ReportedInbound,
  { inboundId, changedAtMs }: HeldInbound,
): Promise<boolean> {
  const nodeId = reported.row.id;
  const sides = await inboundSides(store.reader, nodeId, inboundId, inbound);
  if (sides === null) return false;
  const applied = await inboundApplied(store.reader, nodeId, inboundId);
  const base = applied ?? (changedAtMs === 0 ? inboundFacts(sides.sent, MEMBERS) : null);
  const isDrifted = base !== null && differingEither(base, inboundFacts(sides.reported, MEMBERS)).length > 0;
  const clients = await watchClients(store, reported, inbound, inboundId);
  const { tag } = inbound;
  await store.write((trx) => noteSeen(trx, { nodeId, inboundId, tag, isDrifted, clients }, clock()));
  return true;
}

async function watchClients(
  store: Store,
  reported: Reported,
  inbound: ReportedInbound,
  inboundId: number,
): Promise<string[]> {
  const { entries, clients } = entriesReported(reported, inbound);
  const there = new Map(entries.map((entry, at) => [clients[at]!.emailKey, entryFacts(entry, inboundId)]));
  const drifted: string[] = [];
  for await (const page of clientStatesOf(store.heavyReader, reported.row.id, inboundId))
    for (const client of page) {
      if (client.emailKey === '') continue;
      if (hasDrifted(client, there.get(client.emailKey), inboundId)) drifted.push(client.emailKey);
      there.delete(client.emailKey);
    }
  for (const leaving of await leavingNames(store.reader, reported.row.id, inboundId)) there.delete(leaving);
  return [...drifted, ...there.keys()];
}

/** Whether a client on one inbound differs from the state last applied. */
function hasDrifted({ applied, want, isWaiting }: NodeClientState, has: Facts | undefined, inboundId: number): boolean {
  const base = applied ?? (isWaiting ? null : want);
  if (base === null) return false;
  const wasThere = base.links.some((link) => link.inboundId === inboundId);
  if (has === undefined || !wasThere) return wasThere !== (has !== undefined);
  return differing(clientFacts(base), has).length > 0;
}
