/** Tracks since when names are in a set that is replaced whenever it changes. */
export function createOnlineSince(names: () => ReadonlySet<string>, clock: () => number) {
  let seen: ReadonlySet<string> = new Set();
  const since = new Map<string, number>();
  let isFirst = true;
  return {
    /** Call every few seconds; costs nothing while the set is the same. */
    look(): void {
      const now = names();
      if (now === seen && !isFirst) return;
      for (const name of seen) if (!now.has(name)) since.delete(name);
      // The start is unknown for names found at the first look.
      for (const name of now) if (!since.has(name)) since.set(name, isFirst ? 0 : clock());
      seen = now;
      isFirst = false;
    },
    /** Ms since 1970; 0 = not known. */
    of: (name: string): number => since.get(name) ?? 0,
  };
}
