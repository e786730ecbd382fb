import type { Schedule, Timer } from '../../contract/schedule.ts';
import { CORE_METRICS, type CoreMetric } from './contract.ts';
import { createDebugVarsReader, type DebugVars } from './debug-vars.ts';
import type { Observatory } from './observatory.ts';
import type { SampleRing } from './sample-ring.ts';
import type { Json, JsonObject } from '../../contract/json.ts';

const POLL_MS = 2_000;
const RESPONSE_TIMEOUT_MS = 1_500;
/** How long the last values are shown after the core has stopped responding. */
const STALE_MS = 10_000;
/** A core with many users takes long to respond: the next poll waits this many times as long as it took. */
const REST_FACTOR = 25;

export interface CoreMetricsState {
  enabled: boolean;
  listen: string;
  reason: string;
  keys: CoreMetric[];
  values: Partial<Record<CoreMetric, number>>;
}

/** Polls the metrics listener of the running core for its memory metrics and its observatory. */
export function createCoreMetrics(options: {
  /** `metrics.listen` of the running core, empty without one; null when no core runs. */
  runningListen: () => string | null;
  /** `metrics.listen` of the template, while the core is not running. */
  templateListen: () => Promise<string>;
  samples: Pick<SampleRing<CoreMetric>, 'push'>;
  observatory: Observatory;
  clock: () => number;
  schedule: Schedule;
  /** A monotonic clock, in ms. */
  monotonicMs?: () => number;
}) {
  const { runningListen, templateListen, samples, observatory, clock, schedule } = options;
  const { monotonicMs = () => performance.now() } = options;
  const reader = createDebugVarsReader();
  let values: Partial<Record<CoreMetric, number>> = {};
  let failure = '';
  let respondedAtMs = -Infinity;
  let notBeforeMs = -Infinity;
  let polling: Timer | null = null;

  function forget(): void {
    values = {};
    observatory.clear();
  }

  async function poll(): Promise<void> {
    const listen = runningListen() ?? '';
    const startedMs = monotonicMs();
    if (startedMs < notBeforeMs) return;
    if (listen === '') {
      failure = '';
      if (startedMs - respondedAtMs > STALE_MS) forget();
      return;
    }
    try {
      const vars = await reader.read(listen, RESPONSE_TIMEOUT_MS);
      const nowSec = Math.floor(clock() / 1000);
      values = figuresOf(vars);
      samples.push(nowSec, values);
      observatory.take(vars.observatory ?? {}, nowSec);
      failure = '';
      respondedAtMs = monotonicMs();
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      if (monotonicMs() - respondedAtMs > STALE_MS) forget();
    }
    notBeforeMs = startedMs + (monotonicMs() - startedMs) * REST_FACTOR;
  }

  return {
    start: (): void => void (polling = schedule.every(POLL_MS, poll)),
    async state(): Promise<CoreMetricsState> {
      const running = runningListen();
      const listen = running ?? (await templateListen());
      if (listen === '') {
        const reason = 'metrics block not configured in the core template';
        return { enabled: false, listen, reason, keys: [], values: {} };
      }
      const reason = running === null ? 'core is not running' : failure;
      return { enabled: true, listen, reason, keys: CORE_METRICS.filter((key) => key in values), values };
    },
    close(): void {
      polling?.cancel();
      reader.close();
    },
  };
}
export type CoreMetrics = ReturnType<typeof createCoreMetrics>;

function figuresOf({ memstats }: DebugVars): Record<CoreMetric, number> {
  const { HeapAlloc, Sys, HeapObjects, NumGC, PauseNs } = memstats;
  // The pauses are a ring of 256; the newest is just before the next slot.
  const pause = NumGC > 0 ? PauseNs[(NumGC + 255) % 256] : 0;
  const xrPauseNs = typeof pause === 'number' ? pause : 0;
  return { xrAlloc: HeapAlloc, xrSys: Sys, xrHeapObjects: HeapObjects, xrNumGC: NumGC, xrPauseNs };
}

/** `metrics.listen` of a config or template; empty without one. */
export function metricsListenOf(config: JsonObject): string {
  const metrics: Json | undefined = config['metrics'];
  const listen = typeof metrics === 'object' && metrics !== null && !Array.isArray(metrics) ? metrics['listen'] : '';
  return typeof listen === 'string' ? listen : '';
}
