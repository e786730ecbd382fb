import type { Selectable } from 'kysely';
import type { NodeTable } from '../../store/schema.ts';

export type NodeRow = Selectable<NodeTable>;

/** What came of a probe; the columns of the node's row that it sets. */
export interface Probe {
  status: 'online' | 'offline';
  /** Empty when it answered. */
  lastError: string;
  /** The same as JSON of {@link NodeRefusal}; empty where there are no words for it. */
  lastRefusal: string;
  latencyMs: number;
  cpuPct: number;
  memPct: number;
  uptimeSec: number;
  netUpBytesPerSec: number;
  netDownBytesPerSec: number;
  /** Absent after a failure and where the node does not say: what was known stays. */
  guid?: string;
  coreVersion?: string;
  coreState?: string;
  coreError?: string;
  panelVersion?: string;
}
