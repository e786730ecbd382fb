import { Place, TRUNK_REQUEST } from '../../../net/trunk/messages.ts';
import type { MasterEnd } from '../../../net/trunk/trunk-ends.ts';

/** Longer than any response takes on a connection that is alive. */
const RESPOND_WITHIN_MS = 5_000;

/** Where a node listens, and which process it is; null = an older node, or the trunk is dead. */
export async function requestPlace(end: MasterEnd): Promise<Place | null> {
  try {
    const response = await end.request(TRUNK_REQUEST.place, {}, AbortSignal.timeout(RESPOND_WITHIN_MS));
    return Place.safeParse(response).data ?? null;
  } catch {
    return null;
  }
}
