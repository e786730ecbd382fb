import type { MaintenanceFacts } from './maintenance.ts';

/** All panels in one window: readings from the process that polls them, and the calls of their page. */

/**
 * `waiting`: not read yet. `down`: no response. `refused`: requires another sign-in. `untrusted`: presents another
 * certificate. `wrong`: the response is not a panel's. `stopped`: this computer's panel does not run.
 */
export type PanelState = 'waiting' | 'ok' | 'down' | 'refused' | 'untrusted' | 'wrong' | 'stopped';

/** Figures of a panel's machine and core. Null: not reported by this panel. */
export interface MachineFigures {
  /** Percent, 0..100. */
  cpuPct: number | null;
  memPct: number | null;
  diskPct: number | null;
  /** Bytes per second. */
  upPerSec: number | null;
  downPerSec: number | null;
  uptimeSec: number | null;
  /** Empty: not reported. */
  panelVersion: string;
  coreVersion: string;
  coreState: 'running' | 'stop' | 'error' | '';
  coreError: string;
  /** Unrequested starts of the core since the panel started. */
  coreRestarts: number | null;
}

/** Counts of a panel's clients. Null: unknown. */
export interface ClientFigures {
  total: number | null;
  online: number | null;
  /** Out of quota or expired. */
  depleted: number | null;
  expiring: number | null;
  disabled: number | null;
}

/** Something that needs the operator. */
export interface PanelMatter {
  kind: MatterKind;
  /** The panel's name for what it concerns; empty where the kind says it. */
  name: string;
  /** Moment in ms, a count, or 0. */
  value: number;
  /** The panel's own words; empty = none. */
  words: string;
}
export type MatterKind =
  | 'coreError'
  | 'coreStopped'
  | 'leftOut'
  | 'refusedChange'
  | 'web'
  | 'disk'
  | 'certificateEnded'
  | 'certificateEnding'
  | 'certificateOther'
  | 'nodeDown'
  | 'nodeCore'
  | 'nodePlan'
  | 'inboundQuota'
  | 'inboundExpired'
  | 'backupOld'
  /** The last backup to this computer failed. */
  | 'copyFailed'
  /** No way reaches this inbound from here. */
  | 'vantageBlocked';

/** The last reading of one panel. */
export interface PanelCard {
  /** Id of the connection; `local` for this computer's panel. */
  id: string;
  state: PanelState;
  /** The error, as the system or the panel reports it; empty while all is well. */
  detail: string;
  /** When the state began, in ms. */
  sinceMs: number;
  /** When it last answered, in ms; 0 = never. */
  readAtMs: number;
  latencyMs: number | null;
  machine: MachineFigures | null;
  clients: ClientFigures | null;
  inbounds: { total: number; on: number } | null;
  nodes: { total: number; offline: number } | null;
  /** When the first certificate expires, in ms; null: none known. */
  certificateEndsAtMs: number | null;
  /** When the newest automatic backup was taken, in ms; 0 = there is none; null: not reported. */
  backupAtMs: number | null;
  /** This computer's own data on it; absent: unknown yet. */
  maintenance?: MaintenanceFacts;
  matters: PanelMatter[];
  /** Bytes per second, both directions summed, by minute, oldest first, up to now; null = not read. */
  line: (number | null)[];
}

/** Longest text that is searched for; the rest is cut off. */
export const MAX_SEARCH_LENGTH = 200;

export type HitKind = 'client' | 'inbound' | 'host' | 'node' | 'setting';

/** A search result. */
export interface PanelHit {
  panelId: string;
  kind: HitKind;
  /** Parameter for its page: e-mail, id, or key of the setting. */
  ref: string;
  title: string;
  detail: string;
  /** When it was read from its panel, in ms. */
  readAtMs: number;
}

export interface SearchResult {
  hits: PanelHit[];
  /** There are more results than listed. */
  isCut: boolean;
  /** Duration of the search, in ms. */
  tookMs: number;
}

/** A client as last read. */
export interface StoredClient {
  email: string;
  subId: string;
  uuid: string;
  comment: string;
  group: string;
  enable: boolean;
  /** Quota in bytes, 0 = none. */
  totalBytes: number;
  usedBytes: number;
  /** Ms since the epoch, 0 = never, negative = a duration that starts with the first traffic. */
  expiresAtMs: number;
}

export interface StoredInbound {
  id: number;
  name: string;
  tag: string;
  protocol: string;
  listen: string;
  port: number;
  enable: boolean;
  totalBytes: number;
  usedBytes: number;
  expiresAtMs: number;
  /** Null: not reported. */
  clientCount: number | null;
}
export interface StoredHost {
  id: number;
  name: string;
  address: string;
  port: number;
  sni: string;
}
export interface StoredNode {
  id: number;
  name: string;
  address: string;
  port: number;
  status: string;
  enable: boolean;
  coreState: string;
  planCount: number;
}
export interface StoredSetting {
  key: string;
  value: string;
}

/** The last readings of a panel, viewable while it is unreachable. */
export interface PanelInventory {
  inbounds: StoredInbound[];
  hosts: StoredHost[];
  nodes: StoredNode[];
  settings: StoredSetting[];
  /** When the lists were read, in ms; 0 = never. */
  readAtMs: number;
  clientCount: number;
  /** When the clients were read, in ms; 0 = never. */
  clientsReadAtMs: number;
}

/** A page of the last read clients. */
export interface StoredClientPage {
  clients: StoredClient[];
  /** Number of matches. */
  found: number;
}

/** Kinds of notification about panels. */
export const WATCH_KINDS = ['down', 'core', 'certificate', 'quota', 'backup', 'vantage'] as const;
export type WatchKind = (typeof WATCH_KINDS)[number];

/** How all panels are shown and watched. Order and groups use ids of connections. */
export interface PanelsChoices {
  /** Also while the window is closed. */
  isWatching: boolean;
  /** No notifications from … to …, as minutes after midnight on this computer; null = none. */
  quiet: { fromMin: number; toMin: number } | null;
  /** Kinds that are muted, by panel. */
  muted: Record<string, WatchKind[]>;
  order: string[];
  groups: Record<string, string>;
  layout: 'cards' | 'rows';
  sort: 'need' | 'own' | 'name';
  /** The window opens on the page of all panels. */
  isFirstPage: boolean;
  /** A system-wide shortcut opens the search. */
  hasShortcut: boolean;
}

export interface PanelsView {
  cards: PanelCard[];
  choices: PanelsChoices;
  /** False: no key store protects the readings, so they are forgotten when the application ends. */
  isKept: boolean;
  /** The shortcut in the system's notation. */
  shortcut: string;
}

export interface PanelsVerbs {
  /** While `isShown`, all panels are read often. */
  show(isShown: boolean): Promise<PanelsView>;
  /** Calls back with cards that changed. */
  onCards(listener: (cards: PanelCard[]) => void): () => void;
  /** Reads everything of one panel now. */
  refresh(id: string): Promise<void>;
  setChoices(choices: PanelsChoices): Promise<void>;
  search(text: string): Promise<SearchResult>;
  inventory(id: string): Promise<PanelInventory>;
  clients(query: { id: string; text: string; offset: number; limit: number }): Promise<StoredClientPage>;
  /** Connects the window to a panel and opens one of its pages. */
  open(to: { id: string; path: string }): Promise<void>;
}
