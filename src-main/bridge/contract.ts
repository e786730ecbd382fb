import type { LockVerbs } from './lock.ts';
import type { MaintenanceVerbs } from './maintenance.ts';
import type { PanelsVerbs } from './panels.ts';
import type { JobVerbs } from './jobs.ts';

/** The whole bridge from the window's process to its page: `window.desktop`. Arguments are parsed on the other side. */
export interface DesktopBridge {
  connections: ConnectionVerbs;
  server: ServerVerbs;
  live: {
    /** The live stream of the connected panel: JSON texts. @returns a function to stop it */
    listen(onMessage: (text: string) => void, onState: (state: LiveState) => void): () => void;
  };
  /** The page of all panels. */
  panels: PanelsVerbs;
  /** Jobs on several panels. */
  jobs: JobVerbs;
  /** Backups of all panels, and trials of their inbounds from here. */
  maintenance: MaintenanceVerbs;
  lock: LockVerbs;
  shell: ShellVerbs;
}

/** `polling`: the panel gives no live stream to this sign-in; figures are polled every two seconds. */
export type LiveState = 'up' | 'down' | 'polling';

export type ConnectionColor = 'blue' | 'teal' | 'green' | 'orange' | 'red' | 'grape' | 'gray';

export interface ConnectionView {
  /** `local` for this computer's panel. */
  id: string;
  name: string;
  color: ConnectionColor;
  /** For display; empty while this computer's panel does not run. */
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
  /** Absent: unchanged, which another address or another way of trust does not allow. */
  token?: string | undefined;
  clientKey?: string | undefined;
}

/** A field that was refused, in the words of the page. */
export type RefusedField =
  | 'address'
  | 'name'
  | 'token'
  | 'clientKey'
  | 'signIn'
  | 'trust'
  | 'fingerprint'
  | 'certificate';

export type Saved = { ok: true; id: string } | { ok: false; refused: RefusedField[] };

/** A panel's response to a probe. */
export interface Reach {
  /**
   * `untrusted`: its certificate is not the trusted one. `refused`: it requires another sign-in. `wrong`: something
   * answers, but not as a panel, for example after the panel moved to another base path.
   */
  state: 'ok' | 'refused' | 'untrusted' | 'unreachable' | 'wrong';
  /** The panel's version; empty when it did not report one. */
  version: string;
  ms: number;
  /** What went wrong; empty otherwise. */
  detail: string;
}

/** The certificate that an address presents. */
export interface ShownCertificate {
  fingerprint: string;
  /** Its common name; empty when it has none. */
  subject: string;
  validToMs: number;
}

interface ConnectionVerbs {
  list(): Promise<ConnectionView[]>;
  save(draft: ConnectionDraft): Promise<Saved>;
  remove(id: string): Promise<void>;
  /** Connects this window to another panel and reloads it. */
  use(id: string): Promise<void>;
  /** The connected panel moved to another port or path of its host. @throws for another host */
  moved(address: string): Promise<void>;
  reach(id: string): Promise<Reach>;
  /** The certificate presented at an https address, for comparison before it is trusted. @throws without a response */
  certificate(address: string): Promise<ShownCertificate>;
  /** JSON without secrets. */
  exportAll(): Promise<string>;
  /** @returns how many were new. @throws when the text is not an export */
  importAll(text: string): Promise<number>;
  /** False where no key store protects secrets: they are then forgotten when the application ends. */
  areSecretsKept(): Promise<boolean>;
}

/** State of this computer's panel process. */
export interface ServerView {
  kind: 'stopped' | 'starting' | 'running' | 'backingOff' | 'failed' | 'stopping';
  /** `crashLoop`: three exits within a minute. `refused`: another start would fail too. Empty unless it failed. */
  why: '' | 'crashLoop' | 'refused';
  /** Its last lines of output, oldest first. */
  lines: string[];
}

/** An automatic backup of this computer's panel. */
export interface BackupView {
  name: string;
  /** Ms since the epoch. */
  takenAtMs: number;
  bytes: number;
}

interface ServerVerbs {
  state(): Promise<ServerView>;
  onState(listener: (state: ServerView) => void): () => void;
  /** Starts it again after it failed. */
  retry(): Promise<void>;
  openDataFolder(): Promise<void>;
  /** Newest first. */
  backups(): Promise<BackupView[]>;
  /** Restores a backup and starts the panel. @throws unless the panel has failed */
  restore(name: string): Promise<void>;
}

export interface Choices {
  /** What closing the window does; `ask` until the operator has chosen. */
  onClose: 'ask' | 'tray' | 'quit';
  startAtLogin: boolean;
  notifications: boolean;
  /** The update channel of this application. */
  updates: 'stable' | 'dev';
}

export interface ChoicesView extends Choices {
  /** Whether this build has an update address. */
  hasUpdater: boolean;
}

/** A new version of the application on its way to this computer. */
export interface UpdateDownload {
  version: string;
  receivedBytes: number;
  /** 0 = not known yet. */
  totalBytes: number;
}

interface ShellVerbs {
  /** First run: the operator wants a panel on this computer. It starts, and the window connects to it. */
  useThisComputer(): Promise<void>;
  /** Credentials generated on first start, handed out once. */
  takeFirstCredentials(): Promise<{ username: string; password: string } | null>;
  choices(): Promise<ChoicesView>;
  setChoices(choices: Choices): Promise<void>;
  /** The new version being downloaded; null = none. */
  updateDownload(): Promise<UpdateDownload | null>;
  onUpdateDownload(listener: (download: UpdateDownload | null) => void): () => void;
  cancelUpdate(): Promise<void>;
  /** Stores the theme, so that the next first paint has the right colours. */
  setTheme(theme: 'system' | 'light' | 'dark'): Promise<void>;
  /** Shows the menus and questions of the application in the page's language. */
  setLanguage(language: 'en' | 'fa' | 'ru' | 'zh'): Promise<void>;
  /** A link or a menu requests a page. */
  onOpen(listener: (path: string) => void): () => void;
}
