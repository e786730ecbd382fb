import type { Basics } from '../basics.ts';
import type { JsonObject } from '../../contract/json.ts';
import { CORE_METRICS, SYSTEM_METRICS } from './contract.ts';
import { createCoreMetrics, metricsListenOf } from './core-metrics.ts';
import { createKeptSamples } from './kept-samples.ts';
import { createObservatory } from './observatory.ts';
import { createSampleRepository } from './repository.ts';
import { createMetricsService, type MetricsService } from './service.ts';

/** The histories loaded from earlier runs, with polling of the core started. */
export async function openMetrics(
  options: Pick<Basics, 'store' | 'clock' | 'schedule' | 'log' | 'publish'> & {
    /** Address of the running core's metrics listener, empty = none; null when the core does not run. */
    runningListen: () => string | null;
    template: () => Promise<JsonObject>;
    /** Consecutive failed probes after which an outbound counts as down. */
    downThreshold: () => number;
    onlineCount: () => number;
  },
): Promise<MetricsService> {
  const { store, clock, schedule, log, publish } = options;
  const kept = { repository: createSampleRepository(store), clock, schedule, log };
  const core = createKeptSamples({ kind: 'core', keys: CORE_METRICS, ...kept });
  const observatory = createObservatory({ threshold: options.downThreshold, publish });
  const metrics = createMetricsService({
    system: createKeptSamples({ kind: 'system', keys: SYSTEM_METRICS, ...kept }),
    core,
    coreMetrics: createCoreMetrics({
      runningListen: options.runningListen,
      templateListen: async () => metricsListenOf(await options.template()),
      samples: core,
      observatory,
      clock,
      schedule,
    }),
    observatory,
    onlineCount: options.onlineCount,
    clock,
  });
  await metrics.start();
  return metrics;
}
