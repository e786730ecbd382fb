/**
 * Appends the new lines of a tail to the held lines of the same log. `gap` marks missing lines between the two.
 * @param most the oldest lines beyond this many are dropped
 */
export function mergeTail<T>(
  held: readonly T[],
  tail: readonly T[],
  { gap, most, isSame }: { gap: T; most: number; isSame: (a: T, b: T) => boolean },
): readonly T[] {
  const fresh = freshPart(held, tail, isSame);
  if (fresh.length === 0) return held;
  const isTorn = held.length > 0 && fresh.length === tail.length;
  return [...held, ...(isTorn ? [gap] : []), ...fresh].slice(-most);
}

/** The lines after the longest overlap of the end of `held` with the beginning of `tail`. */
function freshPart<T>(held: readonly T[], tail: readonly T[], isSame: (a: T, b: T) => boolean): readonly T[] {
  for (let shared = Math.min(held.length, tail.length); shared > 0; shared--) {
    let at = 0;
    while (at < shared && isSame(held[held.length - shared + at]!, tail[at]!)) at++;
    if (at === shared) return tail.slice(shared);
  }
  return tail;
}
