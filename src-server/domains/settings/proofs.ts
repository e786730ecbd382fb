import { DomainError } from '../../contract/domain-error.ts';
import type { Attempt } from '../session/sign-in/attempt-guard.ts';
import type { Settings, SettingsSave } from './contract.ts';
import { planTwoFactor, type TwoFactorChange, type VerifyTotp } from './two-factor.ts';

interface Session {
  kind: 'session';
  adminId: number;
  username: string;
  sessionIdHash: string;
  address: string;
}

/** Who saves, and from which address: guesses are counted there. The panel itself saves without one. */
export type SettingsCaller =
  | Session
  | { kind: 'anonymous' | 'token' | 'certificate'; address: string }
  | { kind: 'local'; address?: string };

/** Asks callers to prove themselves. */
export interface StepUp {
  /**
   * Asks a signed-in admin for the password or code again.
   * @throws {DomainError} when the proof is missing or wrong.
   */
  verify(caller: Session, proof: { currentPassword?: string; twoFactorCode?: string }): Promise<void>;
  /** Starts a guess at a code of the current secret, under the sign-in limits. @returns null when the caller has to wait. */
  beginGuess(caller: SettingsCaller): Promise<Attempt | null>;
}

/** For commands of this machine: who can run them can reset the password, too. */
export const NO_STEP_UP: StepUp = {
  verify: async () => {},
  beginGuess: async () => ({ succeeded() {}, failed() {}, abandoned() {} }),
};

export interface ProofDeps {
  clock: () => number;
  verifyTotp: VerifyTotp;
  stepUp: StepUp;
}

/** The proofs of one save. Each is asked for once, however often the save is attempted. */
export function createProofs({ clock, verifyTotp, stepUp }: ProofDeps, caller: SettingsCaller, body: SettingsSave) {
  let isSteppedUp = false;
  let guess: Attempt | null = null;

  async function beginGuess(): Promise<void> {
    guess ??= await stepUp.beginGuess(caller);
    if (guess === null) throw new DomainError('settings.twoFactorCode');
  }

  return {
    /** What the save does to two-factor sign-in, as {@link planTwoFactor}. @throws {DomainError} also what the step-up throws */
    async twoFactor(stored: Settings): Promise<TwoFactorChange | null> {
      const change = await planTwoFactor(stored, body, clock(), { verifyTotp, beginGuess });
      if (change?.needsStepUp === true && caller.kind === 'session' && !isSteppedUp) {
        const { currentPassword } = body;
        await stepUp.verify(caller, currentPassword === undefined ? {} : { currentPassword });
        isSteppedUp = true;
      }
      return change;
    },
    /** Runs the save. Only its end shows whether a code was right: one that was used before is found while writing. */
    async settle<T>(save: () => Promise<T>): Promise<T> {
      try {
        const result = await save();
        guess?.succeeded();
        return result;
      } catch (error) {
        if (error instanceof DomainError && error.code === 'settings.twoFactorCode') guess?.failed();
        throw error;
      } finally {
        guess?.abandoned();
      }
    },
  };
}
export type Proofs = ReturnType<typeof createProofs>;
