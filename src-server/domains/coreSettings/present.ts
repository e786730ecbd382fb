import { MAX_BYTES } from '../../contract/fields/port.ts';
import type { OutboundTraffic } from './contract.ts';

/** Rows in tag order → API. The id is the place in the list: an outbound has no identity other than its tag. */
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
