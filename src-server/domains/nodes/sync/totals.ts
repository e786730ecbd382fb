import * as z from 'zod';
import type { Store } from '../../../store/open-store.ts';
import type { NodeClient } from '../node-client.ts';
import { totalsFor } from './push/repository-push.ts';

const PUSH_MS = 4_000;
/** Clients per call: below what a node reads of one body. */
const PER_CALL = 20_000;

/**
 * Tells a node what its clients used everywhere: it counts its own share alone, and no client with a quota over several panels
 * would ever reach it there. Nothing of it is added to the node's counters. Of a client that used as much as the node counts
 * itself there is nothing to tell.
 * @param told clients of whom the node was told something else than its own count; null = unknown, and all are told of
 * @returns those of whom that is so now
 * @throws {DomainError} as {@link NodeClient.call}
 */
export async function pushTotals(
  store: Pick<Store, 'heavyReader'>,
  to: { nodeId: number; client: NodeClient; ownGuid: string; above: readonly string[] },
  sentIds: readonly number[] | null,
): Promise<number[]> {
  const totals = await totalsFor(store.heavyReader, to.nodeId, sentIds);
  const traffics = totals.map(({ email, up, down }) => ({ email, up, down }));
  // Reported also with nobody on the node: it is to know who is above it.
  for (let at = 0; at === 0 || at < traffics.length; at += PER_CALL)
    await tellTotals(to, traffics.slice(at, at + PER_CALL));
  const others = totals.filter(({ up, down, ownUp, ownDown }) => up !== ownUp || down !== ownDown);
  return others.map(({ clientId }) => clientId);
}

/** @throws {DomainError} as {@link NodeClient.call} */
export async function tellTotals(
  { client, ownGuid, above }: { client: NodeClient; ownGuid: string; above: readonly string[] },
  traffics: readonly object[],
): Promise<void> {
  await client.call({
    method: 'POST',
    path: 'inbounds/pushClientTraffics',
    body: { masterGuid: ownGuid, above, traffics },
    result: z.unknown(),
    timeoutMs: PUSH_MS,
  });
}
