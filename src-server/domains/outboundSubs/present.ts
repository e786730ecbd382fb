import { parseJsonObjects } from '../../contract/json-text.ts';
import type { Row } from '../../store/schema.ts';
import { textOf } from '../../core/config/json-access.ts';
import type { LeftOutEntry, OutboundSub } from './contract.ts';

/** A stored row without the texts that only a refresh needs. */
export type OutboundSubRow = Omit<Row<'outboundSubs'>, 'outbounds' | 'knownTags'>;

export function presentOutboundSub(row: OutboundSubRow): OutboundSub {
  return {
    id: row.id,
    remark: row.remark,
    url: row.url,
    enabled: row.enabled === 1,
    allowPrivate: row.allowPrivate === 1,
    prepend: row.prepend === 1,
    tagPrefix: row.tagPrefix,
    updateInterval: row.updateIntervalSec,
    priority: row.priority,
    lastUpdated: Math.floor(row.lastUpdatedAtMs / 1000),
    lastError: row.lastError,
    outboundCount: row.outboundCount,
    leftOut: parseJsonObjects(row.leftOut).map(({ tag, reason }) => ({ tag: textOf(tag), reason: textOf(reason) })),
    createdAt: row.createdAtMs,
    updatedAt: row.updatedAtMs,
  };
}

/** Text about left-out entries; empty when the core accepted everything. */
export function droppedText(refused: readonly LeftOutEntry[]): string {
  if (refused.length === 0) return '';
  const named = refused.slice(0, 5).map(({ tag, reason }) => `${tag}: ${reason}`);
  const more = refused.length > named.length ? '; …' : '';
  return `dropped ${refused.length} outbound(s) the core rejects: ${named.join('; ')}${more}`;
}
