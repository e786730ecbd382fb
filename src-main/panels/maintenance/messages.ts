import type {
  BackupContents,
  BackupEntry,
  BackupFailure,
  BackupRef,
  KeepingRule,
  PartsRequest,
  PartsPlan,
  ReachabilityRun,
} from '../../bridge/maintenance.ts';
import type { BackupKey } from '../backups/sealed-file.ts';
import type { PanelTarget } from '../messages.ts';
import type { CorePlaces } from '../reachability/find-core.ts';

/** Requests to the process for long jobs on panels, and its responses. */
export interface Requests {
  backups: { params: null; result: { entries: BackupEntry[]; failures: BackupFailure[] } };
  newKey: { params: null; result: BackupKey };
  pull: { params: { panelId: string; name: string; keep: KeepingRule }; result: BackupEntry };
  check: { params: BackupRef; result: BackupEntry };
  remove: { params: BackupRef; result: null };
  export: { params: BackupRef & { file: string }; result: null };
  restore: { params: BackupRef & { toId: string }; result: null };
  contents: { params: BackupRef & { text: string }; result: BackupContents };
  plan: { params: PartsRequest; result: PartsPlan };
  parts: { params: PartsRequest; result: null };
  vantage: {
    params: { panelId: string; downloadUrl: string; addressUrl: string; client: string };
    result: ReachabilityRun;
  };
  latest: { params: null; result: Record<string, ReachabilityRun> };
  runs: { params: string; result: ReachabilityRun[] };
}
export type MaintenanceVerb = keyof Requests;
export type MaintenanceRequest = {
  [V in MaintenanceVerb]: { verb: V; params: Requests[V]['params'] };
}[MaintenanceVerb];

export type ToMaintenance =
  /** Sent first. `history` null: it is not kept on disk. `dataKey`: 32 bytes in base64 that seal it. */
  | { type: 'open'; backups: string; history: string | null; dataKey: string; core: CorePlaces }
  /** Keys of the backups; null: nothing seals them. `identity` empty: they cannot be opened. */
  | { type: 'key'; key: BackupKey | null }
  | { type: 'targets'; targets: PanelTarget[] }
  | { type: 'request'; id: number; request: MaintenanceRequest }
  | { type: 'cancel'; id: number }
  | { type: 'stop' };

export type FromMaintenance =
  | { type: 'ready' }
  | { type: 'progress'; id: number; done: number; total: number }
  | { type: 'response'; id: number; result: unknown }
  | { type: 'failure'; id: number; words: string };
