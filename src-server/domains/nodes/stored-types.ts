import type { Selectable } from 'kysely';
import type { NodeTable } from '../../store/schema.ts';

export type NodeRow = Selectable<NodeTable>;

/** Result of a probe: the columns of the node's row that it sets. */
export interface Probe {
  status: 'online' | 'offline';
  /** Empty when it responded. */
  lastError: string;
  /** The same as JSON of {@link NodeRefusal}; empty where it has no translatable code. */
  lastRefusal: string;
  latencyMs: number;
  cpuPct: number;
  memPct: number;
  uptimeSec: number;
  netUpBytesPerSec: number;
  netDownBytesPerSec: number;
  /** Absent after a failure or when not reported: the known values stay. */
  guid?: string;
  coreVersion?: string;
  coreState?: string;
  coreError?: string;
  panelVersion?: string;
}
