import type { Node } from '#contract/nodes';

/** A row of the list. */
export interface TreeRow {
  node: Node;
  /** Its key: panels behind a node have no id of their own. */
  key: string;
  /** Name of the node that manages it; null for those this panel manages. */
  parentName: string | null;
}

/** Nodes in their order, each followed by the panels behind it. */
export function treeOf(nodes: readonly Node[]): TreeRow[] {
  const direct = nodes.filter(({ transitive }) => transitive !== true);
  const behind = nodes.filter(({ transitive }) => transitive === true);
  const rows: TreeRow[] = [];
  const placed = new Set<Node>();
  for (const node of direct) {
    rows.push({ node, key: String(node.id), parentName: null });
    for (const panel of behind) {
      // Two nodes may have the same GUID, as copies of a database do: a panel is listed below one of them.
      if (placed.has(panel) || node.guid === '' || panel.parentGuid !== node.guid) continue;
      placed.add(panel);
      rows.push(rowBehind(panel, node.name));
    }
  }
  // Their node was not read yet: listed at the end rather than left out.
  return [...rows, ...behind.filter((panel) => !placed.has(panel)).map((panel) => rowBehind(panel, ''))];
}

const rowBehind = (node: Node, parentName: string): TreeRow => ({
  node,
  key: `${node.parentGuid ?? ''} ${node.guid}`,
  parentName,
});
