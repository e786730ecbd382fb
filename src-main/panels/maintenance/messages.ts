import type {
  BackupContents,
  BackupEntry,
  BackupFailure,
  BackupRef,
  KeepingRule,
  PartsAsk,
  PartsPlan,
  ReachabilityRun,
} from '../../bridge/maintenance.ts';
import type { BackupKey } from '../backups/sealed-file.ts';
import type { PanelTarget } from '../messages.ts';
import type { CorePlaces } from '../reachability/find-core.ts';

/** Requests to the process for long jobs on panels, and its answers. */
export interface Requests {
  backups: { ask: null; answer: { entries: BackupEntry[]; failures: BackupFailure[] } };
  newKey: { ask: null; answer: BackupKey };
  pull: { ask: { panelId: string; name: string; keep: KeepingRule }; answer: BackupEntry };
  check: { ask: BackupRef; answer: BackupEntry };
  remove: { ask: BackupRef; answer: null };
  export: { ask: BackupRef & { file: string }; answer: null };
  restore: { ask: BackupRef & { toId: string }; answer: null };
  contents: { ask: BackupRef & { text: string }; answer: BackupContents };
  plan: { ask: PartsAsk; answer: PartsPlan };
  parts: { ask: PartsAsk; answer: null };
  vantage: {
    ask: { panelId: string; downloadUrl: string; addressUrl: string; client: string };
    answer: ReachabilityRun;
  };
  latest: { ask: null; answer: Record<string, ReachabilityRun> };
  runs: { ask: string; answer: ReachabilityRun[] };
}
export type MaintenanceVerb = keyof Requests;
export type MaintenanceRequest = { [V in MaintenanceVerb]: { verb: V; ask: Requests[V]['ask'] } }[MaintenanceVerb];

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
  | { type: 'answer'; id: number; answer: unknown }
  | { type: 'failure'; id: number; words: string };
