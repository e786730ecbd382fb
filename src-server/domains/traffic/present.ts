import type { LiveClientRow, LiveInboundRow, LiveOutboundRow } from './live-types.ts';

/** A client row of the live `client_stats` message: absolute counters, limits under their wire names. */
export function presentClient(row: LiveClientRow) {
  return {
    id: row.clientId,
    inboundId: row.inboundId ?? 0,
    email: row.email,
    enable: row.enable === 1,
    up: row.upBytes,
    down: row.downBytes,
    total: row.quotaBytes,
    expiryTime: row.expiresAtMs,
    reset: row.resetDays,
    lastOnline: row.lastOnlineAtMs,
  };
}

/** An inbound of the live `client_stats` message. */
export function presentInbound(row: LiveInboundRow) {
  return { id: row.id, up: row.upBytes, down: row.downBytes, total: row.quotaBytes, enable: row.enable === 1 };
}

/** Rows as `getOutboundsTraffic` and the live `outbounds` message show them; ids are positions in order of the tags. */
export function presentOutbounds(rows: readonly LiveOutboundRow[]) {
  return rows.map(({ tag, upBytes, downBytes }, i) => ({
    id: i + 1,
    tag,
    up: upBytes,
    down: downBytes,
    total: upBytes + downBytes,
  }));
}
