import type { Basics } from '../../basics.ts';
import { DomainError } from '../../../contract/domain-error.ts';
import type { AttemptGuard } from './attempt-guard.ts';
import type { LoginBody } from '../contract.ts';
import type { PasswordHasher } from '../passwords/password-hash.ts';
import * as rows from '../repository.ts';
import type { OpenedSession, SessionSettings, SessionStore, Visitor } from '../session-store.ts';
import { verifyTotp } from './totp.ts';

export interface SignInDeps extends Pick<Basics, 'store' | 'clock' | 'publish' | 'log'> {
  sessions: SessionStore;
  settings: () => SessionSettings;
  guard: AttemptGuard;
  passwords: PasswordHasher;
  /**
   * Called when the password is not the stored one; also for unknown names, but not with a wrong two-factor code, so that
   * timing reveals nothing.
   */
  isRightElsewhere: (username: string, password: string) => Promise<boolean>;
}

/** Why a sign-in was refused: for the operator only, the visitor gets one text for all reasons. */
type Reason = 'too many failed attempts' | 'invalid credentials' | 'invalid 2FA code';

/**
 * Signs in by user name, password and, while two-factor sign-in is on, a code.
 *
 * Unknown user and wrong password cost the same work, and every refusal reads the same. The code is used up only
 * together with the right password, in the transaction that opens the session.
 */
export function createSignIn(deps: SignInDeps) {
  const { store, sessions, settings, guard, passwords, isRightElsewhere, clock, publish, log } = deps;

  function refuse(username: string, address: string, reason: Reason): never {
    log.warn('session.refused', { username, address, reason });
    publish({ type: 'loginAttempt', ok: false, username, address, reason });
    throw new DomainError('session.refused');
  }

  /** @throws {DomainError} `session.usernameRequired`, `session.passwordRequired`, `session.refused`, `session.overloaded` */
  return async function signIn(body: LoginBody, visitor: Visitor): Promise<OpenedSession> {
    const { username, password, twoFactorCode } = body;
    if (username === '') throw new DomainError('session.usernameRequired');
    if (password === '') throw new DomainError('session.passwordRequired');
    const { address } = visitor;
    const attempt = guard.begin(address, username);
    if (attempt === null) return refuse(username, address, 'too many failed attempts');
    try {
      const admin = await rows.findAdminByName(store.reader, username);
      const isStored = await passwords.verify(password, admin?.passwordHash ?? null);
      const { twoFactorEnable, twoFactorToken } = settings();
      const step = twoFactorEnable ? verifyTotp(twoFactorToken, twoFactorCode.trim(), clock()) : 0;
      const isRight = isStored || (step !== null && (await isRightElsewhere(username, password)));
      if (admin === undefined || !isRight) {
        attempt.failed();
        return refuse(username, address, 'invalid credentials');
      }
      const opened = step === null ? null : await open(admin, twoFactorEnable ? step : null, visitor);
      if (opened === null) {
        attempt.failed();
        return refuse(username, address, 'invalid 2FA code');
      }
      attempt.succeeded();
      log.info('session.signedIn', { username, address });
      publish({ type: 'loginAttempt', ok: true, username, address, reason: '' });
      return opened;
    } finally {
      attempt.abandoned();
    }
  };

  /** Null when the code was used before, or the credentials changed while the password was checked. */
  function open(admin: rows.AdminRow, step: number | null, visitor: Visitor): Promise<OpenedSession | null> {
    return store.write(async (trx) => {
      const now = await rows.findAdmin(trx, admin.id);
      if (now === undefined || now.passwordHash !== admin.passwordHash) return null;
      if (step !== null && !(await rows.useTotpStep(trx, now.id, step))) return null;
      return sessions.open(trx, now, visitor);
    });
  }
}
