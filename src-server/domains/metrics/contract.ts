import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';

const BASE = '/panel/api/server';

/** Seconds per point of a history; 60 points are returned, so the longest covers five hours. */
export const BUCKETS_SEC = [2, 30, 60, 120, 180, 300] as const;

/** Metrics of the machine, sampled every two seconds. Percent, bytes or packets per second, counts, averages. */
export const SYSTEM_METRICS = [
  'cpu',
  'mem',
  'swap',
  'diskUsage',
  'netUp',
  'netDown',
  'pktUp',
  'pktDown',
  'diskRead',
  'diskWrite',
  'tcpCount',
  'udpCount',
  'online',
  'load1',
  'load5',
  'load15',
] as const;
export type SystemMetric = (typeof SYSTEM_METRICS)[number];

/** Metrics of the core: bytes, bytes, objects, collections since its start, nanoseconds of the last pause. */
export const CORE_METRICS = ['xrAlloc', 'xrSys', 'xrHeapObjects', 'xrNumGC', 'xrPauseNs'] as const;
export type CoreMetric = (typeof CORE_METRICS)[number];

/** Start of the group in Unix seconds, and the mean of its samples. Groups without samples are left out. */
export const HistoryPoint = z.object({
  /** Start of the group of samples, in seconds since 1970. */
  t: z.int(),
  /** Mean of its samples. */
  v: z.number(),
});
export type HistoryPoint = z.infer<typeof HistoryPoint>;

const History = z.array(HistoryPoint);
/** Checked by the service, metric first: each has its own error. */
const Name = z.string().max(512);

export const getHistory = endpoint('GET', `${BASE}/history/:metric/:bucket`, {
  summary: `History of a figure of the machine (${SYSTEM_METRICS.join(', ')}) in buckets of ${BUCKETS_SEC.join(', ')} seconds.`,
  params: z.object({ metric: Name, bucket: Name }),
  result: History,
});

export const getHistories = endpoint('GET', `${BASE}/histories/:bucket`, {
  summary: 'Histories of several figures of the machine in one answer, by name.',
  params: z.object({ bucket: Name }),
  /** Names joined by commas. */
  query: z.object({
    /** Names of metrics, separated by commas. */
    metrics: Name,
  }),
  result: z.record(z.string(), History),
});

export const getCpuHistory = endpoint('GET', `${BASE}/cpuHistory/:bucket`, {
  summary: 'History of the processor use, for older clients.',
  params: z.object({ bucket: Name }),
  result: z.array(z.object({ t: z.int(), cpu: z.number() })),
});

export const getCoreMetricsHistory = endpoint('GET', `${BASE}/coreMetricsHistory/:metric/:bucket`, {
  summary: `History of a figure of the core (${CORE_METRICS.join(', ')}).`,
  params: z.object({ metric: Name, bucket: Name }),
  result: History,
});

export const getCoreMetricsState = endpoint('GET', `${BASE}/coreMetricsState`, {
  summary: 'Whether the core shows its metrics, and their present values.',
  result: z.object({
    /** Whether the core template has a metrics listener. */
    enabled: z.boolean(),
    /** Address it listens on; empty when there is none. */
    listen: z.string(),
    /** Why there are no values; empty when there are. */
    reason: z.string(),
    /** Names of the available metrics. */
    keys: z.array(z.enum(CORE_METRICS)),
    /** Current value of each; empty while there are none. */
    values: z.partialRecord(z.enum(CORE_METRICS), z.number()),
  }),
});

/** One outbound's state in the core's observatory. */
export const ObservedOutbound = z.object({
  tag: z.string(),
  /** Whether the last probe succeeded. */
  alive: z.boolean(),
  /** Latency in ms; 0 = the last probe failed. */
  delay: z.number(),
  /** Time of the last successful probe, in seconds since 1970; 0 = not reported by the core. */
  lastSeenTime: z.int(),
  /** Time of the last probe, in seconds since 1970; 0 = not reported by the core. */
  lastTryTime: z.int(),
  /** Why the last probe failed, in the core's words; empty while alive. */
  lastError: z.string(),
  /** When this was read, in seconds since 1970. */
  updatedAt: z.int(),
});
export type ObservedOutbound = z.infer<typeof ObservedOutbound>;

export const getCoreObservatory = endpoint('GET', `${BASE}/coreObservatory`, {
  summary: 'Health and latency of outbounds, as the observatory of the core probes them.',
  result: z.array(ObservedOutbound),
});

export const getCoreObservatoryHistory = endpoint('GET', `${BASE}/coreObservatoryHistory/:tag/:bucket`, {
  summary: 'Latency of an observed outbound in milliseconds, one sample per successful probe.',
  params: z.object({ tag: Name, bucket: Name }),
  result: History,
});
