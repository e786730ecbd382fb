import type { HeldFor } from './contract.ts';

/** What a scheduled run took away within the last day. */
export interface Loss {
  atMs: number;
  /** Clients that were disabled or detached. */
  gone: number;
  /** Those of them that the directory no longer manages. */
  detached: number;
}

/** State kept from run to run, and over restarts. */
export interface Memory {
  /** Settings under which a person confirmed a plan; empty = none yet. */
  confirmed: string;
  /** Number of entries of the last successful run. */
  entries: number;
  losses: Loss[];
}

export interface Proposal {
  fingerprint: string;
  entries: number;
  clients: number;
  gone: number;
}

const DAY_MS = 86_400_000;
/** One in this many may lose access without confirmation. */
const TENTH = 10;

export const recentLosses = ({ losses }: Memory, nowMs: number): Loss[] =>
  losses.filter(({ atMs }) => atMs > nowMs - DAY_MS && atMs <= nowMs);

/**
 * Why a plan waits for a person; null = it need not. Small losses of many runs add up: a directory that loses a few
 * percent each minute would otherwise empty the panel within the hour.
 */
export function heldFor(
  memory: Memory,
  { fingerprint, entries, clients, gone }: Proposal,
  nowMs: number,
): HeldFor | null {
  if (memory.confirmed !== fingerprint) return 'first';
  if (gone === 0) return null;
  if (entries * 2 < memory.entries) return 'shrunk';
  const before = recentLosses(memory, nowMs);
  const lost = gone + before.reduce((sum, loss) => sum + loss.gone, 0);
  const all = clients + before.reduce((sum, { detached }) => sum + detached, 0);
  return lost * TENTH > all ? 'tenth' : null;
}
