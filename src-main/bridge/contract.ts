import type { LockVerbs } from './lock.ts';
import type { MaintenanceVerbs } from './maintenance.ts';
import type { PanelsVerbs } from './panels.ts';
import type { JobVerbs } from './jobs.ts';

/** What the window's process offers to its page, and nothing else: `window.desktop`. Arguments are parsed on the other side. */
export interface DesktopBridge {
  connections: ConnectionVerbs;
  server: ServerVerbs;
  live: {
    /** The live stream of the connected panel: JSON texts. @returns what ends it */
    listen(onMessage: (text: string) => void, onState: (state: LiveState) => void): () => void;
  };
  /** All panels in one window. */
  panels: PanelsVerbs;
  /** Work on several of them. */
  jobs: JobVerbs;
  /** Backups of all panels, and trials of their inbounds from here. */
  maintenance: MaintenanceVerbs;
  lock: LockVerbs;
  shell: ShellVerbs;
}

/** `polling`: the panel gives no live stream to this sign-in; figures are asked for every two seconds. */
export type LiveState = 'up' | 'down' | 'polling';

export type ConnectionColor = 'blue' | 'teal' | 'green' | 'orange' | 'red' | 'grape' | 'gray';

export interface ConnectionView {
  /** `local` for the panel of this computer. */
  id: string;
  name: string;
  color: ConnectionColor;
  /** For people; empty while the panel of this computer does not run. */
  address: string;
  signIn: 'session' | 'token' | 'certificate';
  trust: TrustView;
  isCurrent: boolean;
  /** Ms since the epoch, 0 = never. */
  lastUsedAtMs: number;
}

export type TrustView =
  | { mode: 'verify' }
  | { mode: 'pin'; fingerprint: string }
  | { mode: 'mutual'; certificate: string; fingerprint?: string | undefined };

export interface ConnectionDraft {
  /** Absent for a new one. */
  id?: string | undefined;
  name: string;
  color: ConnectionColor;
  address: string;
  signIn: 'session' | 'token' | 'certificate';
  trust: TrustView;
  /** Left out: as before. */
  token?: string | undefined;
  clientKey?: string | undefined;
}

export type Saved = { ok: true; id: string } | { ok: false; issues: { field: string; text: string }[] };

/** How a panel answered just now. */
export interface Reach {
  /** `untrusted`: it shows another certificate than the trusted one. `refused`: it wants another sign-in. */
  state: 'ok' | 'refused' | 'untrusted' | 'unreachable';
  /** Of the panel; empty when it did not tell. */
  version: string;
  ms: number;
  /** What went wrong; empty otherwise. */
  detail: string;
}

interface ConnectionVerbs {
  list(): Promise<ConnectionView[]>;
  save(draft: ConnectionDraft): Promise<Saved>;
  remove(id: string): Promise<void>;
  /** Makes this window the window of another panel: it loads again. */
  use(id: string): Promise<void>;
  reach(id: string): Promise<Reach>;
  /** What an https address shows, to be compared before it is trusted. @throws without an answer */
  certificate(address: string): Promise<{ fingerprint: string; subject: string; validTo: string }>;
  /** JSON without secrets. */
  exportAll(): Promise<string>;
  /** @returns how many were new. @throws when the text is no export */
  importAll(text: string): Promise<number>;
  /** False where no key store protects secrets: they are then forgotten when the application ends. */
  areSecretsKept(): Promise<boolean>;
}

/** The panel process of this computer. */
export interface ServerView {
  kind: 'stopped' | 'starting' | 'running' | 'backingOff' | 'failed' | 'stopping';
  /** `crashLoop`: it ended three times within a minute. `refused`: starting again is no use. Empty unless it failed. */
  why: '' | 'crashLoop' | 'refused';
  /** Its last lines of output, oldest first. */
  lines: string[];
}

/** An automatic backup of the panel of this computer. */
export interface BackupView {
  name: string;
  /** Ms since the epoch. */
  takenAtMs: number;
  bytes: number;
}

interface ServerVerbs {
  state(): Promise<ServerView>;
  onState(listener: (state: ServerView) => void): () => void;
  /** Tries again after it failed. */
  retry(): Promise<void>;
  openDataFolder(): Promise<void>;
  /** Newest first. */
  backups(): Promise<BackupView[]>;
  /** Goes back to a backup and starts. @throws unless the panel has failed */
  restore(name: string): Promise<void>;
}

export interface Choices {
  /** What closing the window does; `ask` until it was asked. */
  onClose: 'ask' | 'tray' | 'quit';
  startAtLogin: boolean;
  notifications: boolean;
  /** Which versions of this application are offered. */
  updates: 'stable' | 'dev';
}

export interface ChoicesView extends Choices {
  /** Whether this build has an address to look for new versions at. */
  hasUpdater: boolean;
}

interface ShellVerbs {
  /** First run: the panel of this computer is wanted. It starts, and the window is its window. */
  useThisComputer(): Promise<void>;
  /** Credentials that the first start made. They are handed out once. */
  takeFirstCredentials(): Promise<{ username: string; password: string } | null>;
  choices(): Promise<ChoicesView>;
  setChoices(choices: Choices): Promise<void>;
  /** So that the next first paint has the right colours. */
  setTheme(theme: 'system' | 'light' | 'dark'): Promise<void>;
  /** A link or a menu asks for a page. */
  onOpen(listener: (path: string) => void): () => void;
}
