import type { Basics } from '../basics.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { AttemptGuard } from './sign-in/attempt-guard.ts';
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

  /** Runs one check under the sign-in limits, so that a stolen session cannot be used to guess. */
  async function guarded(address: string, username: string, check: () => Promise<boolean>): Promise<boolean> {
    const attempt = guard.begin(address, username);
    if (attempt === null) return false;
    try {
      const isRight = await check();
      if (isRight) attempt.succeeded();
      else attempt.failed();
      return isRight;
    } finally {
      attempt.abandoned();
    }
  }

  function stepOf(code: string): number | null {
    return verifyTotp(settings().twoFactorToken, code.trim(), clock());
  }

  return {
    /**
     * Changes user name and password. Every session ends; a calling session gets a new one.
     * @throws {DomainError} `session.currentInvalid`, `session.newEmpty`, `session.passwordWeak`,
     * `session.passwordHoldsName`, `session.twoFactorCode`, `session.usernameTaken`
     */
    async updateUser(caller: CredentialCaller, body: UpdateUserBody, visitor: Visitor): Promise<OpenedSession | null> {
      const admin = await adminOf(caller);
      const isCurrent = await guarded(visitor.address, admin.username, async () => {
        const isPassword = await passwords.verify(body.oldPassword, admin.passwordHash);
        return isPassword && body.oldUsername === admin.username;
      });
      if (!isCurrent) throw new DomainError('session.currentInvalid');
      if (body.newUsername === '' || body.newPassword === '') throw new DomainError('session.newEmpty');
      const weakness = body.acceptWeakPassword === true ? null : await weaknessOf(body.newPassword, body.newUsername);
      if (weakness !== null)
        throw new DomainError(weakness, { length: GOOD_PASSWORD_LENGTH }, { field: 'newPassword' });
      const { twoFactorEnable } = settings();
      const step = twoFactorEnable ? stepOf(body.twoFactorCode) : null;
      if (twoFactorEnable && step === null) throw new DomainError('session.twoFactorCode');

      const passwordHash = await passwords.hash(body.newPassword);
      const opened = await store.write(async (trx) => {
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
      log.info('session.credentialsChanged', { address: visitor.address });
      return opened;
    },

    /**
     * Asks a signed-in admin for the password, or for a code while two-factor sign-in is enabled; a code is used up.
     * Callers without a session pass: an API token is a full credential that no browser holds, and a caller on the
     * private socket owns the machine and could reset the password.
     * @param address of the caller, for the limits; empty when unknown.
     * @throws {DomainError} `session.stepUpRequired` without a proof, `session.stepUpFailed` with a wrong one.
     */
    async verifyStepUp(caller: CredentialCaller, proof: StepUpProof, address = ''): Promise<void> {
      if (caller.adminId === undefined) return;
      const { currentPassword = '', twoFactorCode = '' } = proof;
      const hasCode = twoFactorCode !== '' && settings().twoFactorEnable;
      if (currentPassword === '' && !hasCode) throw new DomainError('session.stepUpRequired');
      const admin = await adminOf(caller);
      const isProven = await guarded(address, admin.username, async () => {
        if (currentPassword !== '') return passwords.verify(currentPassword, admin.passwordHash);
        const step = stepOf(twoFactorCode);
        return step !== null && (await store.write((trx) => rows.useTotpStep(trx, admin.id, step)));
      });
      if (!isProven) throw new DomainError('session.stepUpFailed');
    },

    accountOf: async (caller: CredentialCaller): Promise<number> => (await adminOf(caller)).id,
  };
}
