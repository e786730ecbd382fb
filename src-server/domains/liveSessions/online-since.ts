/** Since when names are in a set that is replaced whenever it changes. */
export function createOnlineSince(names: () => ReadonlySet<string>, clock: () => number) {
  let seen: ReadonlySet<string> = new Set();
  const since = new Map<string, number>();
  let isFirst = true;
  return {
    /** To be called every few seconds; costs nothing while the set is the same. */
    look(): void {
      const now = names();
      if (now === seen && !isFirst) return;
      for (const name of seen) if (!now.has(name)) since.delete(name);
      // Who was there before the first look came at a moment that is not known.
      for (const name of now) if (!since.has(name)) since.set(name, isFirst ? 0 : clock());
      seen = now;
      isFirst = false;
    },
    /** Ms since the epoch; 0 = not known. */
    of: (name: string): number => since.get(name) ?? 0,
  };
}
export type OnlineSince = ReturnType<typeof createOnlineSince>;
