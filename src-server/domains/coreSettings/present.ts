import { MAX_BYTES } from '../../contract/port.ts';
import type { OutboundTraffic } from './contract.ts';

/** Rows in the order of their tags → wire. The id is the place in the list: an outbound has no other identity than its tag. */
export function presentOutboundTraffics(
  rows: readonly { tag: string; upBytes: number; downBytes: number }[],
): OutboundTraffic[] {
  return rows.map(({ tag, upBytes, downBytes }, index) => ({
    id: index + 1,
    tag,
    up: upBytes,
    down: downBytes,
    total: Math.min(MAX_BYTES, upBytes + downBytes),
  }));
}
