/** The lock of the window. */
export interface LockView {
  /** There is a passphrase. */
  isSet: boolean;
  isLocked: boolean;
  /** Locks itself after so long without a hand on this computer, 0 = never. */
  idleMin: number;
  /** Asks again before secrets, exports, and deleting many. */
  asksAgain: boolean;
  /** The system may be asked in place of the passphrase. */
  usesSystem: boolean;
  hasSystem: boolean;
  /** Until the next try, after wrong ones. */
  waitMs: number;
}

export interface LockAnswer {
  ok: boolean;
  /** Until the next try. */
  waitMs: number;
}

export interface LockChoices {
  /** The present passphrase; empty where there is none, or to ask the system. */
  current: string;
  /** Left out: as before. Null: no lock any more. */
  passphrase?: string | null | undefined;
  idleMin: number;
  asksAgain: boolean;
  usesSystem: boolean;
}

/** What a call is refused with that has to be confirmed first. */
export const CONFIRM_FIRST = 'desktop.confirmFirst';

export interface LockVerbs {
  view(): Promise<LockView>;
  lockNow(): Promise<void>;
  /** Opens the lock, or confirms what asks for it. Empty: asks the system. */
  answer(passphrase: string): Promise<LockAnswer>;
  set(choices: LockChoices): Promise<LockAnswer>;
}
