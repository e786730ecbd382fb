import type { ReachabilityRun, ReachabilityWay } from '../../../../src-main/bridge/maintenance.ts';

/** One way to an inbound over several runs, oldest first; null = the way did not exist then. */
export interface HistoryRow {
  key: string;
  inbound: string;
  address: string;
  cells: (ReachabilityWay | null)[];
}

/** Runs as rows of ways. @param newestFirst @param most maximum number of runs */
export function historyRows(
  newestFirst: readonly ReachabilityRun[],
  most: number,
): { runs: ReachabilityRun[]; rows: HistoryRow[] } {
  const runs = newestFirst.slice(0, most).toReversed();
  const rows = new Map<string, HistoryRow>();
  runs.forEach((run, at) => {
    for (const way of run.ways) {
      // An inbound that cannot be tried has no address, so it gets its own row.
      const key = `${way.inboundId} ${way.address}`;
      const row = rows.get(key) ?? {
        key,
        inbound: way.inbound,
        address: way.address,
        cells: runs.map(() => null),
      };
      row.cells[at] = way;
      rows.set(key, row);
    }
  });
  return { runs, rows: [...rows.values()] };
}
