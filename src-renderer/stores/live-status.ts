import type { ServerStatus } from '#contract/server';
import { create } from 'zustand';

/** Ten minutes of readings, one every two seconds. */
const KEPT_READINGS = 300;

export interface Reading {
  /** Ms since the epoch. */
  at: number;
  cpu: number;
  memory: number;
  /** Bytes per second. */
  up: number;
  down: number;
}

interface LiveStatus {
  /** Oldest first. Tiles and charts read the same ring. */
  readings: readonly Reading[];
  push: (status: ServerStatus, at: number) => void;
}

export const useLiveStatus = create<LiveStatus>((set) => ({
  readings: [],
  push: (status, at) =>
    set(({ readings }) => ({
      readings: [
        ...readings.slice(1 - KEPT_READINGS),
        {
          at,
          cpu: status.cpu,
          memory: status.mem.total === 0 ? 0 : (status.mem.current / status.mem.total) * 100,
          up: status.netIO.up,
          down: status.netIO.down,
        },
      ],
    })),
}));
