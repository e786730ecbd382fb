/** A loss is believed when an answer tells of it that is at least this much later than the first one: a tick. */
const CONFIRMED_AFTER_MS = 5_000;

/**
 * What a node has stopped telling of. One answer alone says nothing: a node that is starting, a cut answer or an interrupted
 * change may leave anything out.
 */
export function createLosses() {
  /** When each was first missing, and in which answer it last was. */
  const seen = new Map<string, { firstMs: number; answer: number }>();
  let answer = 0;
  return {
    /** Another answer: what the one before it did not miss was there. */
    begin(): void {
      for (const [key, missed] of seen) if (missed.answer < answer) seen.delete(key);
      answer += 1;
    },
    /** Those of the names that every answer has missed for a tick or longer. */
    confirmed(kind: string, missing: readonly string[], readAtMs: number): string[] {
      return missing.filter((name) => {
        const key = `${kind} ${name}`;
        const firstMs = seen.get(key)?.firstMs ?? readAtMs;
        seen.set(key, { firstMs, answer });
        return readAtMs - firstMs >= CONFIRMED_AFTER_MS;
      });
    },
  };
}
export type Losses = ReturnType<typeof createLosses>;
