import * as z from 'zod';
import type { LockResult, LockChoices, LockView } from '../bridge/lock.ts';
import type { JsonFile } from '../preferences/json-file.ts';
import { hashPassphrase, isPassphrase, PassphraseHash, type Cost } from './passphrase.ts';

/** Free tries; each further one doubles the delay. */
const FREE_TRIES = 3;
const LONGEST_WAIT_MS = 15 * 60_000;
/** How long a confirmation lasts. */
const CONFIRMED_MS = 2 * 60_000;

/** Stored state of the lock. */
export const LockFile = z.object({
  /** Null: there is no lock. */
  passphrase: PassphraseHash.nullable(),
  /** Locks after this idle time of this computer, 0 = never. */
  idleMin: z
    .int()
    .min(0)
    .max(24 * 60),
  asksAgain: z.boolean(),
  usesSystem: z.boolean(),
  /** Number of failed tries in a row, and the time of the last one: a restart does not reset them. */
  failures: z.int().min(0),
  failedAtMs: z.int().min(0),
});
export type LockFile = z.output<typeof LockFile>;
export const NO_LOCK: LockFile = {
  passphrase: null,
  idleMin: 15,
  asksAgain: true,
  usesSystem: false,
  failures: 0,
  failedAtMs: 0,
};

interface LockDeps {
  file: JsonFile<LockFile>;
  clock: () => number;
  /** Seconds since the last input on this computer. */
  idleSec: () => number;
  system: {
    isThere: () => boolean;
    /** Rejects when it was refused. */
    prompt: () => Promise<void>;
  };
  /** Called when it was locked or unlocked. */
  onChange: (isLocked: boolean) => void;
  /** Cost of a try; absent = the production value. */
  cost?: Cost;
}

/** Decides about locking; other modules hide the page and refuse calls. */
export function createLock({ file, clock, idleSec, system, onChange, cost }: LockDeps) {
  let isLocked = file.read().passphrase !== null;
  let confirmedAtMs = 0;
  let { failures, failedAtMs } = file.read();
  /** One try at a time: concurrent tries would bypass the delay. */
  let trying: Promise<unknown> = Promise.resolve();

  const waitMs = (): number => {
    if (failures < FREE_TRIES) return 0;
    const wholeMs = Math.min(1_000 * 2 ** (failures - FREE_TRIES), LONGEST_WAIT_MS);
    // A clock that was set back does not shorten the delay.
    return Math.min(wholeMs, Math.max(0, failedAtMs + wholeMs - clock()));
  };

  /** Also in the file; a full disk does not keep the operator out. */
  async function noteTries(count: number, lastAtMs: number): Promise<void> {
    [failures, failedAtMs] = [count, lastAtMs];
    await file.write({ ...file.read(), failures, failedAtMs }).catch(() => undefined);
  }

  async function isRight(passphrase: string): Promise<boolean> {
    const kept = file.read();
    if (kept.passphrase === null) return true;
    if (passphrase === '') {
      if (!kept.usesSystem || !system.isThere()) return false;
      return system.prompt().then(
        () => true,
        () => false,
      );
    }
    // Recorded before the check: quitting the application meanwhile does not save the try.
    await noteTries(failures + 1, clock());
    if (!(await isPassphrase(passphrase, kept.passphrase))) return false;
    await noteTries(0, 0);
    return true;
  }

  function attempt(passphrase: string): Promise<LockResult> {
    const next = trying.then(async (): Promise<LockResult> => {
      const left = waitMs();
      if (left > 0) return { ok: false, waitMs: left };
      return (await isRight(passphrase)) ? { ok: true, waitMs: 0 } : { ok: false, waitMs: waitMs() };
    });
    trying = next.catch(() => undefined);
    return next;
  }

  function lock(): void {
    confirmedAtMs = 0;
    if (isLocked || file.read().passphrase === null) return;
    isLocked = true;
    onChange(true);
  }

  return {
    isLocked: (): boolean => isLocked,
    isSet: (): boolean => file.read().passphrase !== null,
    /** Whether a sensitive action needs a confirmation because the last one is too old. */
    wantsConfirmation(): boolean {
      const { passphrase, asksAgain } = file.read();
      return passphrase !== null && asksAgain && clock() - confirmedAtMs >= CONFIRMED_MS;
    },
    lock,
    /** Locks when this computer was idle for long enough. */
    lockIdle(): void {
      const { idleMin } = file.read();
      if (idleMin > 0 && idleSec() >= idleMin * 60) lock();
    },
    view(): LockView {
      const { passphrase, idleMin, asksAgain, usesSystem } = file.read();
      const hasSystem = system.isThere();
      return {
        isSet: passphrase !== null,
        isLocked,
        idleMin,
        asksAgain,
        usesSystem: usesSystem && hasSystem,
        hasSystem,
        waitMs: waitMs(),
      };
    },
    /** Opens the lock, or confirms while it is open. An empty passphrase asks the system. */
    async authenticate(passphrase: string): Promise<LockResult> {
      const result = await attempt(passphrase);
      if (!result.ok) return result;
      confirmedAtMs = clock();
      if (isLocked) {
        isLocked = false;
        onChange(false);
      }
      return result;
    },
    /** @throws {Error} unless it comes with the current passphrase */
    async set({ current, passphrase, ...choices }: LockChoices): Promise<LockResult> {
      const result = await attempt(current);
      if (!result.ok) return result;
      const before = file.read().passphrase;
      const next =
        passphrase === undefined ? before : passphrase === null ? null : await hashPassphrase(passphrase, cost);
      await file.write({ ...file.read(), ...choices, passphrase: next, failures, failedAtMs });
      confirmedAtMs = clock();
      return result;
    },
  };
}
export type Lock = ReturnType<typeof createLock>;
