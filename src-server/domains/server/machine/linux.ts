import { readFileSync } from 'node:fs';
import {
  parseCpuTimes,
  parseDiskTraffic,
  parseLoad,
  parseMemory,
  parseNetwork,
  parsePhysicalCores,
  parseSockets,
  parseThreads,
} from './proc-text.ts';
import type { Probes } from './probes.ts';

/** Reads a text file of the kernel. */
export type ReadText = (path: string) => Promise<string>;

/**
 * Everything comes from `/proc`: no process is started. Reads are synchronous: the kernel produces these texts within
 * microseconds, while passing each of their five system calls to a thread and back costs many times that, every two
 * seconds for as long as the panel runs.
 */
const readKernelText: ReadText = async (path) => readFileSync(path, 'utf8');

export function linuxProbes(read = readKernelText): Probes {
  const memory = sharedWhileUnderWay(async () => parseMemory(await read('/proc/meminfo')));
  return {
    cpuTimes: async () => parseCpuTimes(await read('/proc/stat')),
    physicalCores: async () => parsePhysicalCores(await read('/proc/cpuinfo')),
    memory: async () => (await memory()).memory,
    swap: async () => (await memory()).swap,
    network: async () => parseNetwork(await read('/proc/net/dev')),
    diskTraffic: async () => parseDiskTraffic(await read('/proc/diskstats')),
    async sockets() {
      // The second file is missing where IPv6 is disabled.
      const [v4, v6] = await Promise.all([read('/proc/net/sockstat'), read('/proc/net/sockstat6').catch(() => '')]);
      return parseSockets(v4, v6);
    },
    load: async () => parseLoad(await read('/proc/loadavg')),
    threads: async () => parseThreads(await read('/proc/self/status')),
  };
}

/** Concurrent callers share one result: several metrics from one file cost one read. */
function sharedWhileUnderWay<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () =>
    (underWay ??= work().finally(() => {
      underWay = null;
    }));
}
