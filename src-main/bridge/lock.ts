/** The window's lock. */
export interface LockView {
  /** Whether there is a passphrase. */
  isSet: boolean;
  isLocked: boolean;
  /** Locks after this idle time of this computer, 0 = never. */
  idleMin: number;
  /** Asks again before secrets, exports, and bulk deletions. */
  asksAgain: boolean;
  /** The system's authentication may replace the passphrase. */
  usesSystem: boolean;
  hasSystem: boolean;
  /** Delay until the next try, after wrong ones. */
  waitMs: number;
}

export interface LockResult {
  ok: boolean;
  /** Delay until the next try. */
  waitMs: number;
}

export interface LockChoices {
  /** The current passphrase; empty where there is none, or to ask the system. */
  current: string;
  /** Absent: unchanged. Null: removes the lock. */
  passphrase?: string | null | undefined;
  idleMin: number;
  asksAgain: boolean;
  usesSystem: boolean;
}

/** Code of a refused call that needs confirmation first. */
export const CONFIRM_FIRST = 'desktop.confirmFirst';

export interface LockVerbs {
  view(): Promise<LockView>;
  lockNow(): Promise<void>;
  /** Opens the lock, or confirms a guarded action. Empty: asks the system. */
  authenticate(passphrase: string): Promise<LockResult>;
  set(choices: LockChoices): Promise<LockResult>;
}
