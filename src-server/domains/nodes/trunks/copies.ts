import { TRUNK_REQUEST } from '../../../net/trunk/messages.ts';
import type { MasterEnd } from '../../../net/trunk/trunk-ends.ts';

/** A copy that is still there dials at least once a minute and a quarter. */
const SHOWN_MS = 150_000;
const TELL_WITHIN_MS = 5_000;

/** Machines that were copied from a node and try to connect in its place. */
export function createCopies(monotonic: () => number) {
  const seen = new Map<number, { address: string; atMs: number }>();
  return {
    note(nodeId: number, address: string): void {
      seen.set(nodeId, { address, atMs: monotonic() });
    },
    /** Empty = none has come lately. */
    addressOf(nodeId: number): string {
      const last = seen.get(nodeId);
      return last === undefined || monotonic() - last.atMs > SHOWN_MS ? '' : last.address;
    },
  };
}

/** Ends the trunk of a copy, which writes the reason into its log. */
export async function refuseCopy(end: MasterEnd): Promise<void> {
  const text = 'another machine with the identity of this panel is connected: renew the GUID here and enrol again';
  await end.request(TRUNK_REQUEST.refused, { text }, AbortSignal.timeout(TELL_WITHIN_MS)).catch(() => null);
  end.destroy();
}
