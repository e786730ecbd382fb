/** A node as far as telling panels apart goes. */
interface Panel {
  id: number;
  guid: string;
}

/**
 * Under which name a node's bytes, inbounds and clients are entered: the GUID of its panel. A database that was copied to a
 * second server carries its GUID along, so one that is not unique, or this panel's own, is replaced.
 */
export function attributionOf(node: Panel, nodes: readonly Panel[], ownGuid: string): string {
  const isShared = nodes.some(({ id, guid }) => id !== node.id && guid === node.guid);
  return node.guid === '' || node.guid === ownGuid || isShared ? `node:${node.id}` : node.guid;
}
