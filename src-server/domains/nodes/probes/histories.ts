import { DomainError } from '../../../contract/domain-error.ts';
import { BUCKETS_SEC, type HistoryPoint } from '../../metrics/contract.ts';
import { createSampleRing, type SampleRing } from '../../metrics/sample-ring.ts';
import { NODE_METRICS, type NodeMetric } from './contract.ts';
import type { Probe } from '../stored-types.ts';

/** Five hours of probes every five seconds: the range of the longest bucket. */
const CAPACITY = 3_600;

/** Figures of nodes over time. In memory, so they start empty with the panel. */
export function createHistories(clock: () => number) {
  const rings = new Map<number, SampleRing<NodeMetric>>();

  return {
    /** A node that does not answer leaves a gap. */
    note(nodeId: number, { status, cpuPct, memPct, netUpBytesPerSec, netDownBytesPerSec }: Probe): void {
      if (status !== 'online') return;
      const ring = rings.get(nodeId) ?? createSampleRing(NODE_METRICS, CAPACITY);
      rings.set(nodeId, ring);
      const values = { cpu: cpuPct, mem: memPct, netUp: netUpBytesPerSec, netDown: netDownBytesPerSec };
      ring.push(Math.floor(clock() / 1000), values);
    },
    /** The last 60 buckets. @throws {DomainError} `node.unknownMetric`, then `node.unsupportedBucket` */
    read(nodeId: number, metric: string, bucket: string): HistoryPoint[] {
      const name = NODE_METRICS.find((known) => known === metric);
      if (name === undefined) throw new DomainError('node.unknownMetric');
      const bucketSec = BUCKETS_SEC.find((known) => String(known) === bucket);
      if (bucketSec === undefined) throw new DomainError('node.unsupportedBucket');
      return rings.get(nodeId)?.aggregate(name, bucketSec, Math.floor(clock() / 1000)) ?? [];
    },
    drop: (nodeId: number): void => void rings.delete(nodeId),
  };
}
export type Histories = ReturnType<typeof createHistories>;
