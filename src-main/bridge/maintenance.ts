/** Long work on panels from this computer: their backups, and how their inbounds are reached from here. */

/** A backup of a panel on this computer. `unchecked`: it came whole, and was not opened yet. */
export interface BackupEntry {
  panelId: string;
  /** Of the panel, when it was taken: the connection may be gone since. */
  name: string;
  takenAtMs: number;
  /** Of the sealed file. */
  bytes: number;
  contentBytes: number;
  state: 'good' | 'damaged' | 'unchecked';
  checkedAtMs: number;
  /** What is wrong with it; empty otherwise. */
  words: string;
  inbounds: number | null;
  clients: number | null;
}

/** The last try failed. */
export interface BackupFailure {
  panelId: string;
  atMs: number;
  words: string;
}

/** So many of the newest days, weeks and months keep one backup each. */
export interface KeepingRule {
  daily: number;
  weekly: number;
  monthly: number;
}

export interface BackupsChoices {
  isOn: boolean;
  /** Minutes after midnight of this computer from which on panels are backed up, one after another. */
  atMin: number;
  /** Panels with a time of their own. */
  ownAtMin: Record<string, number>;
  /** Panels that are not backed up by schedule. */
  off: string[];
  keep: KeepingRule;
}

/**
 * What seals backups. `system`: the key store. `passphrase`: it was entered. `locked`: it was not entered since the start;
 * backups can be taken and not opened. `none`: nothing would seal them, so none are taken.
 */
export type BackupKeyState = 'system' | 'passphrase' | 'locked' | 'none';

export interface BackupsView {
  entries: BackupEntry[];
  failures: BackupFailure[];
  choices: BackupsChoices;
  key: BackupKeyState;
}

export interface BackupRef {
  panelId: string;
  takenAtMs: number;
}

/** What a backup holds, as far as people choose from it. Nothing secret. */
export interface BackupContents {
  inbounds: { tag: string; name: string; protocol: string; port: number; clientCount: number }[];
  clients: { email: string; comment: string; inbounds: string[] }[];
  /** All that match; not all of them are told. */
  foundClients: number;
}

/** What of a backup goes into which panel. */
export interface PartsAsk extends BackupRef {
  toId: string;
  /** By tag, with their clients. */
  inbounds: string[];
  /** By e-mail. */
  clients: string[];
}

/** `create`: it is created. `stays`: it is there, and stays as it is. The others are refused. */
export type PartVerdict =
  | 'create'
  | 'stays'
  | 'tagTaken'
  | 'portTaken'
  | 'clientThere'
  | 'inboundMissing'
  | 'notInBackup';

export interface PlannedPart {
  kind: 'inbound' | 'client';
  name: string;
  verdict: PartVerdict;
  /** What clashes: the name of an inbound, a port, tags that are missing. */
  with: string;
}

export interface PartsPlan {
  parts: PlannedPart[];
  /** Nothing is refused, and something is created. */
  canRun: boolean;
}

/** One way to an inbound, as it was tried from here. */
export interface ReachabilityWay {
  inboundId: number;
  inbound: string;
  protocol: string;
  /** Where its link leads. */
  address: string;
  /** Whose link was used. */
  client: string;
  /** `unusable`: no client that may connect, or no link. */
  state: 'ok' | 'blocked' | 'unusable';
  /** To the address itself, in ms; null: it speaks over UDP, or did not answer. */
  connectMs: number | null;
  firstByteMs: number | null;
  bytesPerSec: number | null;
  /** Under which address the traffic came out; empty = not told. */
  exitAddress: string;
  /** Why it failed; empty otherwise. */
  words: string;
}

export interface ReachabilityRun {
  panelId: string;
  atMs: number;
  /** Why nothing was tried: the panel did not answer, or there is no core here; empty otherwise. */
  words: string;
  ways: ReachabilityWay[];
}

export interface ReachabilityChoices {
  isOn: boolean;
  everyMin: number;
  /** What is fetched through each inbound; the first 1 MB counts. */
  downloadUrl: string;
  /** Answers the address that it is asked from; empty = not asked. */
  addressUrl: string;
  /** Panels that are not tried by schedule. */
  off: string[];
  /** Client whose links are tried, by panel; absent = the first usable one of each inbound. */
  clients: Record<string, string>;
}

export interface ReachabilityView {
  choices: ReachabilityChoices;
  /** The last run of each panel. */
  latest: Record<string, ReachabilityRun>;
}

/** What this computer knows of a panel besides what the panel tells. */
export interface MaintenanceFacts {
  /** Last backup that was opened and found sound, in ms; 0 = none. */
  backupAtMs: number;
  /** Null: the last try did not fail. */
  backupFailure: { atMs: number; words: string } | null;
  reachability: { atMs: number; tried: number; blocked: string[] } | null;
}

export type MaintenanceKind = 'pull' | 'check' | 'export' | 'restore' | 'parts' | 'vantage';

/** Work that runs, or has just ended. */
export interface MaintenanceTask {
  id: number;
  kind: MaintenanceKind;
  panelId: string;
  state: 'running' | 'done' | 'failed' | 'cancelled';
  done: number;
  /** 0 = not known. */
  total: number;
  /** What went wrong. */
  words: string;
}

export interface MaintenanceVerbs {
  backups(): Promise<BackupsView>;
  setBackups(choices: BackupsChoices): Promise<void>;
  /** Seals new backups under a passphrase where no key store does; entered again after each start. @throws for a wrong one */
  usePassphrase(passphrase: string): Promise<void>;
  contents(ask: BackupRef & { text: string }): Promise<BackupContents>;
  plan(ask: PartsAsk): Promise<PartsPlan>;
  remove(backup: BackupRef): Promise<void>;
  /** Begins work on a panel. @returns its id */
  pull(panelId: string): Promise<number>;
  check(backup: BackupRef): Promise<number>;
  /** Asks where to, and writes the database as it is. @returns null when no place was chosen */
  exportTo(backup: BackupRef): Promise<number | null>;
  /** Replaces everything in a panel. */
  restore(ask: BackupRef & { toId: string }): Promise<number>;
  restoreParts(ask: PartsAsk): Promise<number>;
  reachability(): Promise<ReachabilityView>;
  setReachability(choices: ReachabilityChoices): Promise<void>;
  tryPanel(panelId: string): Promise<number>;
  /** Newest first. */
  runs(panelId: string): Promise<ReachabilityRun[]>;
  cancel(id: number): Promise<void>;
  tasks(): Promise<MaintenanceTask[]>;
  onTasks(listener: (tasks: MaintenanceTask[]) => void): () => void;
}
