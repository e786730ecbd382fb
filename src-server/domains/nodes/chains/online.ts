/**
 * Who is online on nodes, by the GUID of the panel that serves them: a node tells of itself and of the panels behind it.
 * Kept apart from the core of this panel, which may be stopped meanwhile.
 */
export function createOnlineTrees() {
  const trees = new Map<number, ReadonlyMap<string, readonly string[]>>();
  let all: ReadonlySet<string> = new Set();
  let isOld = false;

  /** Made when it is asked for: a hundred nodes tell twenty times a second, and who asks does so once a tick. */
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
    /** Takes the place of what the node told before. */
    set(nodeId: number, tree: ReadonlyMap<string, readonly string[]>): void {
      trees.set(nodeId, tree);
      isOld = true;
    },
    /** The node is off or does not answer: it is unknown who is online there. */
    clear(nodeId: number): void {
      if (trees.delete(nodeId)) isOld = true;
    },
    /** The same object until the set changes. */
    emails: current,
    byGuid(): Record<string, string[]> {
      // Without a prototype: GUIDs come from outside.
      const merged = Object.create(null) as Record<string, string[]>;
      for (const tree of trees.values())
        for (const [guid, emails] of tree) merged[guid] = [...new Set([...(merged[guid] ?? []), ...emails])];
      return merged;
    },
  };
}
export type OnlineTrees = ReturnType<typeof createOnlineTrees>;
