/** The fields that tell panels apart. */
interface Panel {
  id: number;
  guid: string;
}

/**
 * The GUID under which a node's bytes, inbounds and clients are recorded: normally that of its panel. A database copied
 * to a second server keeps its GUID, so one that is not unique, or equals this panel's own, is replaced.
 */
export function attributionOf(node: Panel, nodes: readonly Panel[], ownGuid: string): string {
  const isShared = nodes.some(({ id, guid }) => id !== node.id && guid === node.guid);
  return node.guid === '' || node.guid === ownGuid || isShared ? `node:${node.id}` : node.guid;
}
