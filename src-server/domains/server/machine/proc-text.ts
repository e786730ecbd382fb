import { isCountedInterface } from './interfaces.ts';
import type { Amount, CpuTimes, DiskCounters, NetworkCounters } from './probes.ts';

/** `/proc/stat`, first line. Guest times are already included in user and nice; waiting for a disk counts as idle. */
export function parseCpuTimes(stat: string): CpuTimes {
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = numbersOf(
    stat.slice(0, stat.indexOf('\n')).replace(/^cpu\s+/, ''),
  );
  const busy = user + nice + system + irq + softirq + steal;
  return { busy, total: busy + idle + iowait };
}

const MEMORY_LINE = /^(Mem(?:Total|Free|Available)|Buffers|Cached|Swap(?:Total|Free)):\s+(\d+) kB/gm;

/** `/proc/meminfo`: memory available to programs counts as free, including caches. */
export function parseMemory(meminfo: string): { memory: Amount; swap: Amount } {
  const bytes = new Map<string, number>();
  for (const [, name = '', kibibytes] of meminfo.matchAll(MEMORY_LINE)) bytes.set(name, Number(kibibytes) * 1024);
  const of = (name: string): number => bytes.get(name) ?? 0;
  const available = bytes.get('MemAvailable') ?? of('MemFree') + of('Buffers') + of('Cached');
  return {
    memory: { used: Math.max(0, of('MemTotal') - available), total: of('MemTotal') },
    swap: { used: Math.max(0, of('SwapTotal') - of('SwapFree')), total: of('SwapTotal') },
  };
}

/** `/proc/net/dev`. */
export function parseNetwork(dev: string): NetworkCounters {
  const sum: NetworkCounters = { sentBytes: 0, receivedBytes: 0, sentPackets: 0, receivedPackets: 0 };
  for (const line of dev.split('\n')) {
    // There may be no space between the colon and the counters.
    const match = /^\s*([^:\s]+):(.*)$/.exec(line);
    if (match === null || !isCountedInterface(match[1]!)) continue;
    const counters = numbersOf(match[2]!);
    sum.receivedBytes += counters[0] ?? 0;
    sum.receivedPackets += counters[1] ?? 0;
    sum.sentBytes += counters[8] ?? 0;
    sum.sentPackets += counters[9] ?? 0;
  }
  return sum;
}

const WHOLE_DISK = /^(?:sd[a-z]+|hd[a-z]+|vd[a-z]+|xvd[a-z]+|nvme\d+n\d+|mmcblk\d+|dasd[a-z]+)$/;
/** Unit of `/proc/diskstats` on every kernel, whatever the device's own sector size. */
const SECTOR_BYTES = 512;

/** `/proc/diskstats`: whole devices only, so that partitions and mapped volumes are not counted twice. */
export function parseDiskTraffic(diskstats: string): DiskCounters {
  const sum: DiskCounters = { readBytes: 0, writtenBytes: 0 };
  for (const line of diskstats.split('\n')) {
    const fields = line.trim().split(/\s+/);
    if (!WHOLE_DISK.test(fields[2] ?? '')) continue;
    sum.readBytes += Number(fields[5] ?? 0) * SECTOR_BYTES;
    sum.writtenBytes += Number(fields[9] ?? 0) * SECTOR_BYTES;
  }
  return sum;
}

/**
 * `/proc/net/sockstat` and `sockstat6`: the kernel's own count. The tables themselves (`/proc/net/tcp`) have a line per
 * socket, megabytes on a busy server.
 */
export function parseSockets(sockstat: string, sockstat6: string): { tcp: number; udp: number } {
  const text = `${sockstat}\n${sockstat6}`;
  const of = (family: string, key: string): number =>
    Number(new RegExp(`^${family}:.*\\b${key} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return {
    tcp: of('TCP', 'inuse') + of('TCP6', 'inuse') + of('TCP', 'tw'),
    udp: of('UDP', 'inuse') + of('UDP6', 'inuse'),
  };
}

/** `/proc/cpuinfo`: distinct cores; 0 when the processor does not number them (many ARM boards). */
export function parsePhysicalCores(cpuinfo: string): number {
  const cores = new Set<string>();
  for (const processor of cpuinfo.split('\n\n')) {
    const socket = /^physical id\s*: (\d+)/m.exec(processor)?.[1];
    const core = /^core id\s*: (\d+)/m.exec(processor)?.[1];
    if (socket !== undefined && core !== undefined) cores.add(`${socket} ${core}`);
  }
  return cores.size;
}

/** `/proc/loadavg`. */
export function parseLoad(loadavg: string): readonly [number, number, number] {
  const [load1 = 0, load5 = 0, load15 = 0] = numbersOf(loadavg);
  return [load1, load5, load15];
}

/** `/proc/self/status`. */
export function parseThreads(status: string): number {
  return Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 0);
}

function numbersOf(text: string): number[] {
  return text.trim().split(/\s+/).map(Number);
}
