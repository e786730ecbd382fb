const DAY_MS = 86_400_000;

/**
 * Days by which an expiry has to move so that the client gets `days` more: from its expiry, or from now where that is over.
 * @param expiryTime as the wire carries it: ms since the epoch, negative = from first use
 */
export function daysToAdd(expiryTime: number, days: number, nowMs: number): number {
  const isOver = expiryTime > 0 && expiryTime <= nowMs;
  return isOver ? Math.ceil((nowMs - expiryTime) / DAY_MS) + days : days;
}
