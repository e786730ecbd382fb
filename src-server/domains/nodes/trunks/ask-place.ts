import { Place, TRUNK_REQUEST } from '../../../net/trunk/messages.ts';
import type { MasterEnd } from '../../../net/trunk/trunk-ends.ts';

/** Longer than any answer takes on a connection that is alive. */
const ANSWER_WITHIN_MS = 5_000;

/** Where a node listens, and which process it is; null = an older node, or the trunk is dead. */
export async function askPlace(end: MasterEnd): Promise<Place | null> {
  try {
    const answer = await end.ask(TRUNK_REQUEST.place, {}, AbortSignal.timeout(ANSWER_WITHIN_MS));
    return Place.safeParse(answer).data ?? null;
  } catch {
    return null;
  }
}
