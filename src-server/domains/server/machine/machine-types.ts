import type { Amount, DiskCounters, NetworkCounters } from './probes.ts';

/** One reading of this machine. Everything is a finite number; unreadable values are zero. */
export interface MachineFigures {
  /** 0..100, smoothed. */
  cpuPercent: number;
  physicalCores: number;
  logicalProcessors: number;
  cpuMhz: number;
  memory: Amount;
  swap: Amount;
  /** The volume of the data folder. */
  disk: Amount;
  /** Per second. */
  diskRate: DiskCounters;
  diskTotal: DiskCounters;
  /** Per second. */
  networkRate: NetworkCounters;
  networkTotal: NetworkCounters;
  load: readonly [number, number, number];
  tcpSockets: number;
  udpSockets: number;
  /** Since the operating system started. */
  uptimeSec: number;
  /** Of this process. */
  threads: number;
  residentBytes: number;
}
