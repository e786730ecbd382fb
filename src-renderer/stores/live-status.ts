import type { ServerStatus } from '#contract/server';
import { create } from 'zustand';
import { compacted, type Measure, type Point } from './point-ring.ts';

interface LiveStatus {
  /** Oldest first: readings of two seconds, then their means further back. Tiles and charts share this ring. */
  points: readonly Point[];
  /** Adds a reading. @param atMs since the epoch */
  push: (status: ServerStatus, atMs: number) => void;
  /** The server's history replaces everything up to its last moment. */
  seed: (remembered: readonly Point[]) => void;
}

export const useLiveStatus = create<LiveStatus>((set) => ({
  points: [],
  push: (status, atMs) =>
    set(({ points }) => ({
      points: compacted([...points, { atSec: atMs / 1000, weight: 1, values: valuesOf(status) }], atMs / 1000),
    })),
  seed: (remembered) =>
    set(({ points }) => {
      const lastSec = remembered.at(-1)?.atSec ?? 0;
      return { points: [...remembered, ...points.filter(({ atSec }) => atSec > lastSec)] };
    }),
}));

function valuesOf({ cpu, mem, swap, disk, load, tcpCount, netIO }: ServerStatus): Record<Measure, number> {
  const share = ({ current, total }: { current: number; total: number }): number =>
    total === 0 ? 0 : (current / total) * 100;
  return {
    cpu,
    mem: share(mem),
    swap: share(swap),
    diskUsage: share(disk),
    load1: load.load1,
    tcpCount,
    netUp: netIO.up,
    netDown: netIO.down,
  };
}
