/** Bytes. */
export interface Amount {
  used: number;
  total: number;
}

/** Since boot, virtual interfaces left out. */
export interface NetworkCounters {
  sentBytes: number;
  receivedBytes: number;
  sentPackets: number;
  receivedPackets: number;
}

/** Since boot, all block devices. */
export interface DiskCounters {
  readBytes: number;
  writtenBytes: number;
}

/** Processor time since boot in any one unit. */
export interface CpuTimes {
  busy: number;
  total: number;
}

/**
 * What differs between operating systems. Each probe reads one figure; one that fails costs this figure only. A missing
 * probe means that this system has no honest way to tell, and the figure stays zero.
 */
export interface Probes {
  cpuTimes: () => Promise<CpuTimes>;
  physicalCores: () => Promise<number>;
  memory: () => Promise<Amount>;
  swap?: () => Promise<Amount>;
  network: () => Promise<NetworkCounters>;
  diskTraffic?: () => Promise<DiskCounters>;
  /** Sockets in the system's tables, whatever their state. */
  sockets: () => Promise<{ tcp: number; udp: number }>;
  /** 1, 5 and 15 minutes. Without it the averages are computed from the processor's use. */
  load?: () => Promise<readonly [number, number, number]>;
  /** Threads of this process. */
  threads?: () => Promise<number>;
}
