import type { Basics } from '../basics.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { Attempt, AttemptGuard } from './sign-in/attempt-guard.ts';
import type { StepUpProof } from '../../contract/step-up-proof.ts';
import { GOOD_PASSWORD_LENGTH, type UpdateUserBody } from './contract.ts';
import type { PasswordHasher } from './passwords/password-hash.ts';
import { weaknessOf } from './passwords/password-rule.ts';
import * as rows from './repository.ts';
import type { OpenedSession, SessionSettings, SessionStore, Visitor } from './session-store.ts';
import { verifyTotp } from './sign-in/totp.ts';

/** The caller of a change: a session acts for its admin, everyone else for the first one. */
export interface CredentialCaller {
  kind: string;
  /** Set for a session. */
  adminId?: number;
}

/** The caller of a change whose effect can outlast their session, because it gives others access. */
export interface DelicateChange {
  caller: CredentialCaller;
  /** When the session began, in ms; null for callers without a session. */
  signedInAtMs: number | null;
  address: string;
  proof: StepUpProof;
}

export interface CredentialsDeps extends Pick<Basics, 'store' | 'clock' | 'log'> {
  sessions: SessionStore;
  settings: () => SessionSettings;
  guard: AttemptGuard;
  passwords: PasswordHasher;
}

/** Failures that count as a guess. */
const WRONG_PROOF: ReadonlySet<string> = new Set([
  'session.currentInvalid',
  'session.twoFactorCode',
  'session.stepUpFailed',
]);

/** The admin's own credentials: changing them, and asking for them again before a sensitive change. */
export function createCredentials(deps: CredentialsDeps) {
  const { store, sessions, settings, guard, passwords, clock, log } = deps;

  async function adminOf(caller: CredentialCaller): Promise<rows.AdminRow> {
    const admin =
      caller.adminId === undefined
        ? await rows.findFirstAdmin(store.reader)
        : await rows.findAdmin(store.reader, caller.adminId);
    if (admin === undefined) throw new DomainError('session.noAdmin');
    return admin;
  }

  /**
   * Runs one change or check under the sign-in limits, so that a stolen session cannot be used to guess.
   * @param refusal thrown when the caller has to wait
   */
  async function guarded<T>(address: string, username: string, refusal: string, run: () => Promise<T>): Promise<T> {
    const attempt = guard.begin(address, username);
    if (attempt === null) throw new DomainError(refusal);
    try {
      const result = await run();
      attempt.succeeded();
      return result;
    } catch (error) {
      if (error instanceof DomainError && WRONG_PROOF.has(error.code)) attempt.failed();
      throw error;
    } finally {
      attempt.abandoned();
    }
  }

  function stepOf(code: string): number | null {
    return verifyTotp(settings().twoFactorToken, code.trim(), clock());
  }

  async function useCode(adminId: number, code: string): Promise<boolean> {
    const step = stepOf(code);
    return step !== null && (await store.write((trx) => rows.useTotpStep(trx, adminId, step)));
  }

  /** @returns the step of the code, to be used up; null while two-factor sign-in is disabled. */
  async function checkUpdate(admin: rows.AdminRow, body: UpdateUserBody): Promise<number | null> {
    const isPassword = await passwords.verify(body.oldPassword, admin.passwordHash);
    if (!isPassword || body.oldUsername !== admin.username) throw new DomainError('session.currentInvalid');
    if (body.newUsername === '' || body.newPassword === '') throw new DomainError('session.newEmpty');
    const weakness = body.acceptWeakPassword === true ? null : await weaknessOf(body.newPassword, body.newUsername);
    if (weakness !== null) throw new DomainError(weakness, { length: GOOD_PASSWORD_LENGTH }, { field: 'newPassword' });
    if (!settings().twoFactorEnable) return null;
    const step = stepOf(body.twoFactorCode);
    if (step === null) throw new DomainError('session.twoFactorCode');
    return step;
  }

  return {
    /**
     * Changes user name and password. Every session ends; a calling session gets a new one.
     * @throws {DomainError} `session.currentInvalid`, `session.newEmpty`, `session.passwordWeak`,
     * `session.passwordHoldsName`, `session.twoFactorCode`, `session.usernameTaken`
     */
    async updateUser(caller: CredentialCaller, body: UpdateUserBody, visitor: Visitor): Promise<OpenedSession | null> {
      const admin = await adminOf(caller);
      const opened = await guarded(visitor.address, admin.username, 'session.currentInvalid', async () => {
        const step = await checkUpdate(admin, body);
        const passwordHash = await passwords.hash(body.newPassword);
        return store.write(async (trx) => {
          const now = await rows.findAdmin(trx, admin.id);
          if (now?.passwordHash !== admin.passwordHash) throw new DomainError('session.currentInvalid');
          if (step !== null && !(await rows.useTotpStep(trx, admin.id, step)))
            throw new DomainError('session.twoFactorCode');
          const namesake = await rows.findAdminByName(trx, body.newUsername);
          if (namesake !== undefined && namesake.id !== admin.id) throw new DomainError('session.usernameTaken');
          await rows.replaceCredentials(trx, admin.id, { username: body.newUsername, passwordHash }, clock());
          if (caller.adminId === undefined) return null;
          return sessions.open(trx, { id: admin.id, loginEpoch: now.loginEpoch + 1 }, visitor);
        });
      });
      log.info('session.credentialsChanged', { address: visitor.address });
      return opened;
    },

    /**
     * Asks a signed-in admin for the password, or for a code while two-factor sign-in is enabled; a code is used up.
     * Callers without a session pass: an API token is a full credential that no browser holds, and a caller on the
     * private socket owns the machine and could reset the password.
     * @param address of the caller, for the limits.
     * @throws {DomainError} `session.stepUpRequired` without a proof, `session.stepUpFailed` with a wrong one.
     */
    async verifyStepUp(caller: CredentialCaller, proof: StepUpProof, address: string): Promise<void> {
      if (caller.adminId === undefined) return;
      const { currentPassword = '', twoFactorCode = '' } = proof;
      const hasCode = twoFactorCode !== '' && settings().twoFactorEnable;
      if (currentPassword === '' && !hasCode) throw new DomainError('session.stepUpRequired');
      const admin = await adminOf(caller);
      await guarded(address, admin.username, 'session.stepUpFailed', async () => {
        const isProven =
          currentPassword === ''
            ? await useCode(admin.id, twoFactorCode)
            : await passwords.verify(currentPassword, admin.passwordHash);
        if (!isProven) throw new DomainError('session.stepUpFailed');
      });
    },

    /** Starts a guess at one of the caller's secrets. @returns null when this address or account has to wait. */
    async beginGuess(caller: CredentialCaller, address: string): Promise<Attempt | null> {
      return guard.begin(address, (await adminOf(caller)).username);
    },

    accountOf: async (caller: CredentialCaller): Promise<number> => (await adminOf(caller)).id,
  };
}
