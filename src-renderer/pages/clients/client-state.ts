import type { SlimClientRow } from '#contract/clients/list';

export type ClientState = 'expired' | 'exhausted' | 'disabled' | 'expiring' | 'active';

/** State of a client, as far as it alone tells; the server knows besides which are near a limit. */
export function stateAlone(
  { enable, totalGB, expiryTime }: Pick<SlimClientRow, 'enable' | 'totalGB' | 'expiryTime'>,
  usedBytes: number,
  nowMs: number,
): ClientState {
  if (expiryTime > 0 && expiryTime <= nowMs) return 'expired';
  if (totalGB > 0 && usedBytes >= totalGB) return 'exhausted';
  return enable ? 'active' : 'disabled';
}

/** State of a row, from the same partition that the server counts. Who is expired and used up counts as expired. */
export function stateOf(
  { email, enable, totalGB, expiryTime, traffic }: SlimClientRow,
  { depleted, expiring }: { depleted: ReadonlySet<string>; expiring: ReadonlySet<string> },
  nowMs: number,
): ClientState {
  if (depleted.has(email)) {
    const isUsedUp = totalGB > 0 && traffic.up + traffic.down >= totalGB;
    // The clock here may be behind the server's, which found one of the two.
    return expiryTime > 0 && (expiryTime <= nowMs || !isUsedUp) ? 'expired' : 'exhausted';
  }
  if (!enable) return 'disabled';
  return expiring.has(email) ? 'expiring' : 'active';
}
