import type * as z from 'zod';
import type { SessionReport } from './contract.ts';
import type { LiveClientRow, LiveInboundRow, LiveOutboundRow } from './live/live-types.ts';

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
    resetDay: row.resetDay,
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

/** Whether single connections can be ended here, and recent reports, newest first. */
export function presentSessions(
  { canCut, reason }: { canCut: boolean; reason: string },
  reports: readonly (z.infer<typeof SessionReport> & { atMs: number; cause: string })[],
) {
  return { canCut, reason, recent: reports.map(({ atMs, ...report }) => ({ ...report, at: atMs })) };
}
