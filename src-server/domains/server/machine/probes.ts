/** Bytes. */
export interface Amount {
  used: number;
  total: number;
}

/** Since boot, without virtual interfaces. */
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

/** Processor time since boot, in any unit. */
export interface CpuTimes {
  busy: number;
  total: number;
}

/**
 * What differs between operating systems. Each probe reads one metric; a failure affects this metric only. A missing
 * probe means that the system has no reliable source, and the metric stays zero.
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
  /** 1, 5 and 15 minutes. Without it the averages are computed from processor usage. */
  load?: () => Promise<readonly [number, number, number]>;
  /** Threads of this process. */
  threads?: () => Promise<number>;
}
