/** A loss is trusted when a response confirms it at least this long after the first one: a tick. */
const CONFIRMED_AFTER_MS = 5_000;

/**
 * What a node no longer reports. A single response proves nothing: a starting node, a truncated response or an
 * interrupted change can omit anything.
 */
export function createLosses() {
  /** When each item was first missing, and the last response that missed it. */
  const seen = new Map<string, { firstMs: number; responseNumber: number }>();
  let responseNumber = 0;
  return {
    /** Begins the next response: items the previous one did not miss were there. */
    begin(): void {
      for (const [key, missed] of seen) if (missed.responseNumber < responseNumber) seen.delete(key);
      responseNumber += 1;
    },
    /** Names that every response has missed for at least a tick. */
    confirmed(kind: string, missing: readonly string[], readAtMs: number): string[] {
      return missing.filter((name) => {
        const key = `${kind} ${name}`;
        const firstMs = seen.get(key)?.firstMs ?? readAtMs;
        seen.set(key, { firstMs, responseNumber });
        return readAtMs - firstMs >= CONFIRMED_AFTER_MS;
      });
    },
  };
}
export type Losses = ReturnType<typeof createLosses>;
