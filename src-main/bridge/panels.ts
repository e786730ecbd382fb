import type { MaintenanceFacts } from './maintenance.ts';

/** All panels in one window: what the process that reads them tells, and what the page of all panels may ask. */

/**
 * `waiting`: not read yet. `down`: no answer. `refused`: wants another sign-in. `untrusted`: shows another certificate.
 * `wrong`: what answers there is no panel. `stopped`: the panel of this computer does not run.
 */
export type PanelState = 'waiting' | 'ok' | 'down' | 'refused' | 'untrusted' | 'wrong' | 'stopped';

/** Figures of a panel's machine and core. Null: this panel does not tell. */
export interface MachineFigures {
  /** Percent, 0..100. */
  cpuPct: number | null;
  memPct: number | null;
  diskPct: number | null;
  /** Bytes per second. */
  upPerSec: number | null;
  downPerSec: number | null;
  uptimeSec: number | null;
  /** Empty: not told. */
  panelVersion: string;
  coreVersion: string;
  coreState: 'running' | 'stop' | 'error' | '';
  coreError: string;
  /** Starts of the core that nobody asked for, since the panel started. */
  coreRestarts: number | null;
}

/** Counts of a panel's clients. Null: not known. */
export interface ClientFigures {
  total: number | null;
  online: number | null;
  /** Out of quota or time. */
  depleted: number | null;
  expiring: number | null;
  disabled: number | null;
}

/** Something that needs the operator. */
export interface PanelMatter {
  kind: MatterKind;
  /** What it is about, as the panel calls it; empty where the kind says it. */
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
  /** No way leads to this inbound from here. */
  | 'vantageBlocked';

/** One panel, as it was last read. */
export interface PanelCard {
  /** Id of the connection; `local` for the panel of this computer. */
  id: string;
  state: PanelState;
  /** What went wrong, as the system or the panel says it; empty while all is well. */
  detail: string;
  /** Since when the state holds, in ms. */
  sinceMs: number;
  /** When it last answered, in ms; 0 = never. */
  readAtMs: number;
  latencyMs: number | null;
  machine: MachineFigures | null;
  clients: ClientFigures | null;
  inbounds: { total: number; on: number } | null;
  nodes: { total: number; offline: number } | null;
  /** When the first certificate ends, in ms; null: none known. */
  certificateEndsAtMs: number | null;
  /** When the newest automatic backup was taken, in ms; 0 = there is none; null: not told. */
  backupAtMs: number | null;
  /** What this computer knows of it; absent: not known yet. */
  maintenance?: MaintenanceFacts;
  matters: PanelMatter[];
  /** Bytes per second in both directions, minute by minute, oldest first, up to now; null = not read. */
  line: (number | null)[];
}

export type HitKind = 'client' | 'inbound' | 'host' | 'node' | 'setting';

/** Something that was found. */
export interface PanelHit {
  panelId: string;
  kind: HitKind;
  /** What its page is asked for: e-mail, id, or key of the setting. */
  ref: string;
  title: string;
  detail: string;
  /** When it was read from its panel, in ms. */
  readAtMs: number;
}

export interface SearchAnswer {
  hits: PanelHit[];
  /** More was found than is told. */
  isCut: boolean;
  /** How long it took, in ms. */
  tookMs: number;
}

/** A client as it was last read. */
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
  /** Ms since the epoch, 0 = never, negative = a duration from the first traffic on. */
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
  /** Null: not told. */
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

/** What was last read of a panel, to be looked at without it. */
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

/** A page of the clients that were last read. */
export interface StoredClientPage {
  clients: StoredClient[];
  /** All that match. */
  found: number;
}

/** What the watching of all panels tells of. */
export const WATCH_KINDS = ['down', 'core', 'certificate', 'quota', 'backup', 'vantage'] as const;
export type WatchKind = (typeof WATCH_KINDS)[number];

/** How all panels are shown and watched. Order and groups by ids of connections. */
export interface PanelsChoices {
  /** Also while the window is closed. */
  isWatching: boolean;
  /** No notifications from … to …, as minutes after midnight of this computer; null = none. */
  quiet: { fromMin: number; toMin: number } | null;
  /** Kinds that a panel tells nothing of. */
  muted: Record<string, WatchKind[]>;
  order: string[];
  groups: Record<string, string>;
  layout: 'cards' | 'rows';
  sort: 'need' | 'own' | 'name';
  /** The window opens with all panels. */
  isFirstPage: boolean;
  /** The search comes with a key combination of the whole system. */
  hasShortcut: boolean;
}

export interface PanelsView {
  cards: PanelCard[];
  choices: PanelsChoices;
  /** False: no key store protects what is read, so it is forgotten when the application ends. */
  isKept: boolean;
  /** The combination of keys, as the system writes it. */
  shortcut: string;
}

export interface PanelsVerbs {
  /** While `isShown` all panels are read often. */
  show(isShown: boolean): Promise<PanelsView>;
  /** Cards that changed. */
  onCards(listener: (cards: PanelCard[]) => void): () => void;
  /** Reads everything of one panel now. */
  refresh(id: string): Promise<void>;
  setChoices(choices: PanelsChoices): Promise<void>;
  search(text: string): Promise<SearchAnswer>;
  inventory(id: string): Promise<PanelInventory>;
  clients(ask: { id: string; text: string; offset: number; limit: number }): Promise<StoredClientPage>;
  /** Connects the window to a panel and opens a page of it. */
  open(to: { id: string; path: string }): Promise<void>;
}
