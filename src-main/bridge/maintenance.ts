/** Long jobs on panels from this computer: their backups, and how reachable their inbounds are from here. */

/** A backup of a panel on this computer. `unchecked`: it arrived whole, but was not opened yet. */
export interface BackupEntry {
  panelId: string;
  /** Name of the panel when it was taken: the connection may have been removed since. */
  name: string;
  takenAtMs: number;
  /** Size of the sealed file. */
  bytes: number;
  contentBytes: number;
  state: 'good' | 'damaged' | 'unchecked';
  checkedAtMs: number;
  /** What is wrong with it; empty otherwise. */
  words: string;
  inbounds: number | null;
  clients: number | null;
}

/** A failed last try. */
export interface BackupFailure {
  panelId: string;
  atMs: number;
  words: string;
}

/** How many of the newest days, weeks and months keep one backup each. */
export interface KeepingRule {
  daily: number;
  weekly: number;
  monthly: number;
}

export interface BackupsChoices {
  isOn: boolean;
  /** Minutes after midnight on this computer from which panels are backed up, one after another. */
  atMin: number;
  /** Panels with their own time. */
  ownAtMin: Record<string, number>;
  /** Panels that are not backed up by schedule. */
  off: string[];
  keep: KeepingRule;
}

/**
 * What seals backups. `system`: the key store. `passphrase`: it was entered. `locked`: not entered since the start, so
 * backups can be taken but not opened. `none`: there is no key, so none are taken.
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

/** The contents of a backup that can be selected. Nothing secret. */
export interface BackupContents {
  inbounds: { tag: string; name: string; protocol: string; port: number; clientCount: number }[];
  clients: { email: string; comment: string; inbounds: string[] }[];
  /** Number of matches; only some of them are listed. */
  foundClients: number;
}

/** Which parts of a backup to restore into which panel. */
export interface PartsRequest extends BackupRef {
  toId: string;
  /** By tag, with their clients. */
  inbounds: string[];
  /** By e-mail. */
  clients: string[];
}

/** `create`: it will be created. `stays`: it exists, and stays as it is. The others are refused. */
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
  /** What conflicts: the name of an inbound, a port, missing tags. */
  with: string;
}

export interface PartsPlan {
  parts: PlannedPart[];
  /** Nothing is refused, and something will be created. */
  canRun: boolean;
}

/** One way to an inbound, with the result of its trial. */
export interface ReachabilityWay {
  inboundId: number;
  inbound: string;
  protocol: string;
  /** The address in its link. */
  address: string;
  /** The client whose link was used. */
  client: string;
  /** `unusable`: no client that may connect, or no link. */
  state: 'ok' | 'blocked' | 'unusable';
  /** Connection time to the address itself, in ms; null: it uses UDP, or did not answer. */
  connectMs: number | null;
  firstByteMs: number | null;
  bytesPerSec: number | null;
  /** The address the traffic came out at; empty = unknown. */
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
  /** URL to fetch through each inbound; the first 1 MB counts. */
  downloadUrl: string;
  /** URL that returns the caller's address; empty = not asked. */
  addressUrl: string;
  /** Panels that are not tried by schedule. */
  off: string[];
  /** The client whose links are tried, by panel; absent = the first usable one of each inbound. */
  clients: Record<string, string>;
}

export interface ReachabilityView {
  choices: ReachabilityChoices;
  /** The last run of each panel. */
  latest: Record<string, ReachabilityRun>;
}

/** This computer's own data on a panel. */
export interface MaintenanceFacts {
  /** Last backup that was opened and found intact, in ms; 0 = none. */
  backupAtMs: number;
  /** Null: the last try did not fail. */
  backupFailure: { atMs: number; words: string } | null;
  reachability: { atMs: number; tried: number; blocked: string[] } | null;
}

export type MaintenanceKind = 'pull' | 'check' | 'export' | 'restore' | 'parts' | 'vantage';

/** A task that is running, or has just ended. */
export interface MaintenanceTask {
  id: number;
  kind: MaintenanceKind;
  panelId: string;
  state: 'running' | 'done' | 'failed' | 'cancelled';
  done: number;
  /** 0 = unknown. */
  total: number;
  /** What went wrong. */
  words: string;
}

export interface MaintenanceVerbs {
  backups(): Promise<BackupsView>;
  setBackups(choices: BackupsChoices): Promise<void>;
  /** Seals new backups with a passphrase, without a key store; entered after each start. @throws for a wrong one */
  usePassphrase(passphrase: string): Promise<void>;
  contents(query: BackupRef & { text: string }): Promise<BackupContents>;
  plan(request: PartsRequest): Promise<PartsPlan>;
  remove(backup: BackupRef): Promise<void>;
  /** Starts a task on a panel. @returns its id */
  pull(panelId: string): Promise<number>;
  check(backup: BackupRef): Promise<number>;
  /** Asks for a folder, and writes the unsealed database there. @returns null when none was chosen */
  exportTo(backup: BackupRef): Promise<number | null>;
  /** Replaces all data of a panel. */
  restore(request: BackupRef & { toId: string }): Promise<number>;
  restoreParts(request: PartsRequest): Promise<number>;
  reachability(): Promise<ReachabilityView>;
  setReachability(choices: ReachabilityChoices): Promise<void>;
  tryPanel(panelId: string): Promise<number>;
  /** Newest first. */
  runs(panelId: string): Promise<ReachabilityRun[]>;
  cancel(id: number): Promise<void>;
  /** No longer reports a task that has ended: its end was read. */
  forget(id: number): Promise<void>;
  tasks(): Promise<MaintenanceTask[]>;
  onTasks(listener: (tasks: MaintenanceTask[]) => void): () => void;
}
