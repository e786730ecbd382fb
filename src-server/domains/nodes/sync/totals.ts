import * as z from 'zod';
import type { Store } from '../../../store/open-store.ts';
import type { NodeClient } from '../node-client.ts';
import { totalsFor } from './push/repository-push.ts';

const PUSH_MS = 4_000;
/** Clients per call: below a node's limit for request bodies. */
const PER_CALL = 20_000;

/**
 * Sends a node the total usage of its clients: it counts only its own share, so a quota across several panels would
 * never be reached there. The totals are not added to the node's counters. Clients whose total equals the node's own
 * count are skipped.
 * @param sentIds clients whose last total differed from the node's own count; null = unknown, and all are sent
 * @returns the clients whose total differs now
 * @throws {DomainError} as {@link NodeClient.call}
 */
export async function pushTotals(
  store: Pick<Store, 'heavyReader'>,
  to: { nodeId: number; client: NodeClient; ownGuid: string; above: readonly string[] },
  sentIds: readonly number[] | null,
): Promise<number[]> {
  const totals = await totalsFor(store.heavyReader, to.nodeId, sentIds);
  const traffics = totals.map(({ email, up, down }) => ({ email, up, down }));
  // Sent even without clients: the node must know who is above it.
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
