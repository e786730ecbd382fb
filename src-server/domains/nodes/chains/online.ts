/**
 * Online clients on nodes, by the GUID of the panel that serves them: a node reports itself and the panels behind it.
 * Kept apart from this panel's core, which may be stopped.
 */
export function createOnlineTrees() {
  const trees = new Map<number, ReadonlyMap<string, readonly string[]>>();
  let all: ReadonlySet<string> = new Set();
  let isOld = false;

  /** Built on demand: a hundred nodes report twenty times a second, but readers request it once per tick. */
  function current(): ReadonlySet<string> {
    if (!isOld) return all;
    isOld = false;
    const now = new Set<string>();
    for (const tree of trees.values()) for (const emails of tree.values()) for (const email of emails) now.add(email);
    const isSame = now.size === all.size && [...now].every((email) => all.has(email));
    if (!isSame) all = now;
    return all;
  }

  return {
    /** Replaces the node's previous report. */
    set(nodeId: number, tree: ReadonlyMap<string, readonly string[]>): void {
      trees.set(nodeId, tree);
      isOld = true;
    },
    /** The node is disabled or unreachable: its online clients are unknown. */
    clear(nodeId: number): void {
      if (trees.delete(nodeId)) isOld = true;
    },
    /** The same object until the set changes. */
    emails: current,
    byGuid(): Record<string, string[]> {
      // No prototype: the GUIDs are external input.
      const merged = Object.create(null) as Record<string, string[]>;
      for (const tree of trees.values())
        for (const [guid, emails] of tree) merged[guid] = [...new Set([...(merged[guid] ?? []), ...emails])];
      return merged;
    },
  };
}
export type OnlineTrees = ReturnType<typeof createOnlineTrees>;
