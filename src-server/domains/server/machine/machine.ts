import { statfs } from 'node:fs/promises';
import { cpus, uptime } from 'node:os';
import type { Logger } from '../../../contract/logger.ts';
import { atMostEvery } from './commands.ts';
import { darwinProbes, windowsProbes } from './desktop.ts';
import { linuxProbes } from './linux.ts';
import type { MachineFigures } from './machine-types.ts';
import type { Amount, DiskCounters, NetworkCounters, Probes } from './probes.ts';
import { createCpuMeter, createLoadMeter, createRateMeter } from './rates.ts';

export interface Machine {
  /** Reads every metric now. Never rejects: an unreadable metric is zero and logged. */
  collect(): Promise<MachineFigures>;
}

/** A volume fills slowly, and querying a network volume is not free. */
const VOLUME_MS = 30_000;
const NOTHING: Amount = { used: 0, total: 0 };
const NO_DISK_TRAFFIC: DiskCounters = { readBytes: 0, writtenBytes: 0 };
const NO_TRAFFIC: NetworkCounters = { sentBytes: 0, receivedBytes: 0, sentPackets: 0, receivedPackets: 0 };

/** The probes of the operating system the panel runs on. */
export function ownProbes(monotonicMs: () => number): Probes {
  if (process.platform === 'darwin') return darwinProbes({ monotonicMs });
  if (process.platform === 'win32') return windowsProbes({ monotonicMs });
  return linuxProbes();
}

/** @param monotonicMs a monotonic clock: rates are divided by the real elapsed time. */
export function createMachine(options: {
  /** Path on the volume whose space is reported. */
  dataDir: string;
  log: Logger;
  monotonicMs?: () => number;
  probes?: Probes;
}): Machine {
  const { dataDir, log, monotonicMs = () => performance.now() } = options;
  const probes = options.probes ?? ownProbes(monotonicMs);
  const processors = cpus();
  const cpuMeter = createCpuMeter();
  const networkMeter = createRateMeter<NetworkCounters>();
  const diskMeter = createRateMeter<DiskCounters>();
  const loadMeter = createLoadMeter(processors.length);
  const failing = new Set<string>();
  const volume = atMostEvery(VOLUME_MS, monotonicMs, () => readVolume(dataDir));
  let physicalCores = 0;

  /** Logs a failure when it begins, not every two seconds. */
  async function figure<T, U>(name: string, read: (() => Promise<T>) | undefined, otherwise: U): Promise<T | U> {
    if (read === undefined) return otherwise;
    try {
      const value = await read();
      failing.delete(name);
      return value;
    } catch (error) {
      if (!failing.has(name)) log.warn('machine.figureUnknown', { figure: name, error });
      failing.add(name);
      return otherwise;
    }
  }

  return {
    async collect() {
      if (physicalCores === 0)
        physicalCores = (await figure('physicalCores', probes.physicalCores, 0)) || processors.length;
      const [times, memory, swap, disk, diskTotal, networkTotal, sockets, load, threads] = await Promise.all([
        figure('cpu', probes.cpuTimes, null),
        figure('memory', probes.memory, NOTHING),
        figure('swap', probes.swap, NOTHING),
        figure('disk', volume, NOTHING),
        figure('diskTraffic', probes.diskTraffic, null),
        figure('network', probes.network, null),
        figure('sockets', probes.sockets, { tcp: 0, udp: 0 }),
        figure('load', probes.load, null),
        figure('threads', probes.threads, 0),
      ]);
      const nowMs = monotonicMs();
      const cpuPercent = times === null ? 0 : cpuMeter(times);
      return {
        cpuPercent,
        physicalCores,
        logicalProcessors: processors.length,
        cpuMhz: processors[0]?.speed ?? 0,
        memory,
        swap,
        disk,
        // An unreadable counter is not zero: otherwise the meter would show the next reading as a burst.
        diskRate: diskTotal === null ? NO_DISK_TRAFFIC : diskMeter(diskTotal, nowMs),
        diskTotal: diskTotal ?? NO_DISK_TRAFFIC,
        networkRate: networkTotal === null ? NO_TRAFFIC : networkMeter(networkTotal, nowMs),
        networkTotal: networkTotal ?? NO_TRAFFIC,
        load: load ?? loadMeter(cpuPercent, nowMs),
        tcpSockets: sockets.tcp,
        udpSockets: sockets.udp,
        uptimeSec: Math.floor(uptime()),
        threads,
        residentBytes: process.memoryUsage.rss(),
      };
    },
  };
}

async function readVolume(folder: string): Promise<Amount> {
  const { blocks, bfree, bsize } = await statfs(folder);
  return { used: (blocks - bfree) * bsize, total: blocks * bsize };
}
