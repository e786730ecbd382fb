import type { Row } from '../../store/schema.ts';
import { HostContent, type Host, type HostGroup } from './contract.ts';
import { formatHostEntry } from './host-entry-rules.ts';

/** A stored host; its `content` is the JSON of {@link HostContent}. */
export type HostRow = Row<'hosts'>;

export function readContent(row: Pick<HostRow, 'content'>): HostContent {
  return HostContent.parse(JSON.parse(row.content));
}

export function presentHost(row: HostRow): Host {
  const { id, groupId, inboundId, sortOrder, address, port } = row;
  const content = readContent(row);
  return {
    id,
    groupId,
    inboundId,
    sortOrder,
    enable: row.enable === 1,
    address,
    port,
    ...content,
    createdAt: row.createdAtMs,
    updatedAt: row.updatedAtMs,
  };
}

/** @param rows of one group, in order; at least one. */
export function presentGroup(rows: readonly HostRow[]): HostGroup {
  const first = rows[0]!;
  return {
    groupId: first.groupId,
    inboundIds: [...new Set(rows.map(({ inboundId }) => inboundId))],
    hosts: [...new Set(rows.map(formatHostEntry))],
    sortOrder: Math.min(...rows.map(({ sortOrder }) => sortOrder)),
    enable: first.enable === 1,
    // Every entry has its own port: a default would be applied to inheriting rows when the group is saved again.
    port: 0,
    ...readContent(first),
  };
}
