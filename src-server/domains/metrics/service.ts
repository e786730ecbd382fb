import { DomainError } from '../../contract/domain-error.ts';
import type { ServerStatus } from '../server/contract.ts';
import {
  BUCKETS_SEC,
  CORE_METRICS,
  SYSTEM_METRICS,
  type CoreMetric,
  type HistoryPoint,
  type ObservedOutbound,
  type SystemMetric,
} from './contract.ts';
import type { CoreMetrics, CoreMetricsState } from './core-metrics.ts';
import type { KeptSamples } from './kept-samples.ts';
import type { Observatory } from './observatory.ts';

export interface MetricsServiceDeps {
  system: KeptSamples<SystemMetric>;
  core: KeptSamples<CoreMetric>;
  coreMetrics: CoreMetrics;
  observatory: Observatory;
  /** E-mails that are online now. */
  onlineCount: () => number;
  clock: () => number;
}
export type MetricsService = ReturnType<typeof createMetricsService>;

/** Histories of the machine, the core and its outbounds. */
export function createMetricsService(deps: MetricsServiceDeps) {
  const { system, core, coreMetrics, observatory, onlineCount, clock } = deps;
  const nowSec = (): number => Math.floor(clock() / 1000);

  function systemHistory(metric: string, bucket: string): HistoryPoint[] {
    return system.aggregate(memberOf(SYSTEM_METRICS, metric), bucketOf(bucket), nowSec());
  }

  return {
    /** Loads the history of earlier runs and starts polling the core. */
    async start(): Promise<void> {
      await system.start();
      await core.start();
      coreMetrics.start();
    },
    /** Takes one reading of the machine, every two seconds. */
    sample(status: ServerStatus): void {
      system.push(nowSec(), samplesOf(status, onlineCount()));
    },
    /** @throws {DomainError} `metrics.unknownMetric`, then `metrics.unsupportedBucket` */
    history: systemHistory,
    /** @throws {DomainError} as {@link history} */
    histories: (names: readonly string[], bucket: string): Record<string, HistoryPoint[]> =>
      Object.fromEntries(names.map((name) => [name, systemHistory(name, bucket)])),
    cpuHistory: (bucket: string): { t: number; cpu: number }[] =>
      systemHistory('cpu', bucket).map(({ t, v }) => ({ t, cpu: v })),
    /** @throws {DomainError} as {@link history} */
    coreHistory: (metric: string, bucket: string): HistoryPoint[] =>
      core.aggregate(memberOf(CORE_METRICS, metric), bucketOf(bucket), nowSec()),
    coreState: (): Promise<CoreMetricsState> => coreMetrics.state(),
    observed: (): ObservedOutbound[] => observatory.rows(),
    /** @throws {DomainError} `metrics.unknownTag`, then `metrics.unsupportedBucket` */
    observedHistory(tag: string, bucket: string): HistoryPoint[] {
      if (observatory.history(tag, BUCKETS_SEC[0], nowSec()) === null) throw new DomainError('metrics.unknownTag');
      return observatory.history(tag, bucketOf(bucket), nowSec()) ?? [];
    },
    async close(): Promise<void> {
      coreMetrics.close();
      await system.close();
      await core.close();
    },
  };
}

function samplesOf(status: ServerStatus, onlineCount: number): Partial<Record<SystemMetric, number>> {
  const { mem, swap, disk, netIO, diskIO, load } = status;
  return {
    cpu: status.cpu,
    ...(mem.total > 0 ? { mem: (mem.current * 100) / mem.total } : {}),
    swap: swap.total > 0 ? (swap.current * 100) / swap.total : 0,
    ...(disk.total > 0 ? { diskUsage: (disk.current * 100) / disk.total } : {}),
    netUp: netIO.up,
    netDown: netIO.down,
    pktUp: netIO.pktUp,
    pktDown: netIO.pktDown,
    diskRead: diskIO.read,
    diskWrite: diskIO.write,
    tcpCount: status.tcpCount,
    udpCount: status.udpCount,
    online: status.core.state === 'running' ? onlineCount : 0,
    load1: load.load1,
    load5: load.load5,
    load15: load.load15,
  };
}

function memberOf<const K extends string>(names: readonly K[], name: string): K {
  const found = names.find((known) => known === name);
  if (found === undefined) throw new DomainError('metrics.unknownMetric');
  return found;
}

function bucketOf(text: string): number {
  const found = BUCKETS_SEC.find((bucket) => String(bucket) === text);
  if (found === undefined) throw new DomainError('metrics.unsupportedBucket');
  return found;
}
