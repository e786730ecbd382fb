import type { ConnectionSecrets, SavedConnection } from '../connections/connection.ts';
import type { PanelCard, PanelInventory, SearchResult, StoredClientPage } from '../bridge/panels.ts';
import type { JobCalls } from './jobs/job-calls.ts';
import type { PanelPlace } from '../supervisor/state.ts';

/** `shown`: the page of all panels is open. `watching`: only for notifications. `off`: nothing is read. */
export type ReadMode = 'shown' | 'watching' | 'off';

/** A panel to read. Secrets in this message stay in memory. */
export type PanelTarget =
  | { kind: 'remote'; saved: SavedConnection; secrets: ConnectionSecrets }
  /** `place` null: it does not run. */
  | { kind: 'local'; place: PanelPlace | null };

/** Requests to the process that reads panels, and its responses. */
export interface PanelsRequests extends JobCalls {
  search: { params: string; result: SearchResult };
  inventory: { params: string; result: PanelInventory };
  clients: { params: { id: string; text: string; offset: number; limit: number }; result: StoredClientPage };
  cards: { params: null; result: PanelCard[] };
}
export type Verb = keyof PanelsRequests;
export type PanelsRequest = { [V in Verb]: { verb: V; params: PanelsRequests[V]['params'] } }[Verb];

export type ToPanels =
  /** Sent first. `key`: 32 bytes in base64 that seal stored data. `isKept`: it outlives the application. */
  | { type: 'open'; file: string; key: string; isKept: boolean }
  | { type: 'targets'; targets: PanelTarget[] }
  | { type: 'mode'; mode: ReadMode }
  | { type: 'refresh'; id: string }
  /** The computer woke up, or its network came back: failures until then say nothing about the panels. */
  | { type: 'wake' }
  /** `words` empty: it is reachable. */
  | { type: 'backedUp'; id: number; words: string }
  | { type: 'request'; id: number; request: PanelsRequest }
  | { type: 'stop' };

export type FromPanels =
  | { type: 'ready' }
  | { type: 'cards'; cards: PanelCard[] }
  /** Work that must be completed is running, or has ended. */
  | { type: 'busy'; isBusy: boolean }
  /** Requests a backup of a panel: another process pulls it. */
  | { type: 'backUp'; id: number; panelId: string }
  | { type: 'response'; id: number; result: unknown }
  | { type: 'failure'; id: number; text: string };
