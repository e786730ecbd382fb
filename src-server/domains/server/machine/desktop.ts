import { cpus, freemem, loadavg, totalmem } from 'node:os';
import { atMostEvery, runProgram, type RunProgram } from './commands.ts';
import {
  parseInterfaceStatistics,
  parseInterfaceTable,
  parseSocketTable,
  parseSwapUsage,
  parseVmStat,
} from './command-text.ts';
import type { CpuTimes, Probes } from './probes.ts';

/** Starting a process every two seconds for a socket count or the swap space would cost more than it is worth. */
const SLOW_MS = 30_000;
/** Starting a process on Windows takes some milliseconds of the calling thread. */
const WINDOWS_NETWORK_MS = 10_000;

interface Surroundings {
  run?: RunProgram;
  monotonicMs: () => number;
}

export function darwinProbes({ run = runProgram, monotonicMs }: Surroundings): Probes {
  return {
    cpuTimes: async () => allCpuTimes(),
    physicalCores: async () => Number(await run('/usr/sbin/sysctl', ['-n', 'hw.physicalcpu'])),
    memory: async () => parseVmStat(await run('/usr/bin/vm_stat', []), totalmem()),
    swap: atMostEvery(SLOW_MS, monotonicMs, async () =>
      parseSwapUsage(await run('/usr/sbin/sysctl', ['-n', 'vm.swapusage'])),
    ),
    network: async () => parseInterfaceTable(await run('/usr/sbin/netstat', ['-ibn'])),
    sockets: atMostEvery(SLOW_MS, monotonicMs, async () => parseSocketTable(await run('/usr/sbin/netstat', ['-an']))),
    async load() {
      const [load1 = 0, load5 = 0, load15 = 0] = loadavg();
      return [load1, load5, load15];
    },
  };
}

/** Windows has no load averages; they are computed. Page files are not read: that takes half a second of PowerShell. */
export function windowsProbes({ run = runProgram, monotonicMs }: Surroundings): Probes {
  return {
    cpuTimes: async () => allCpuTimes(),
    physicalCores: async () => 0,
    memory: async () => ({ used: totalmem() - freemem(), total: totalmem() }),
    network: atMostEvery(WINDOWS_NETWORK_MS, monotonicMs, async () =>
      parseInterfaceStatistics(await run('netstat', ['-e'])),
    ),
    sockets: atMostEvery(SLOW_MS, monotonicMs, async () => parseSocketTable(await run('netstat', ['-an']))),
  };
}

function allCpuTimes(): CpuTimes {
  const sum: CpuTimes = { busy: 0, total: 0 };
  for (const { times } of cpus()) {
    const busy = times.user + times.nice + times.sys + times.irq;
    sum.busy += busy;
    sum.total += busy + times.idle;
  }
  return sum;
}
