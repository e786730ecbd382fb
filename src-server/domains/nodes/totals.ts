import * as z from 'zod';
import type { Store } from '../../store/open-store.ts';
import type { NodeClient } from './node-client.ts';
import { totalsFor } from './repository-push.ts';

const PUSH_MS = 4_000;
/** Clients per call: below what a node reads of one body. */
const PER_CALL = 20_000;

/**
 * Tells a node what its clients used everywhere: it counts its own share alone, and nobody with a quota over several panels
 * would ever reach it there. Nothing of it is added to the node's counters.
 * @throws {DomainError} as {@link NodeClient.call}
 */
export async function pushTotals(
  store: Pick<Store, 'heavyReader'>,
  { nodeId, client, ownGuid }: { nodeId: number; client: NodeClient; ownGuid: string },
): Promise<void> {
  const totals = await totalsFor(store.heavyReader, nodeId);
  for (let at = 0; at < totals.length; at += PER_CALL)
    await client.call({
      method: 'POST',
      path: 'inbounds/pushClientTraffics',
      body: { masterGuid: ownGuid, traffics: totals.slice(at, at + PER_CALL) },
      result: z.unknown(),
      timeoutMs: PUSH_MS,
    });
}
