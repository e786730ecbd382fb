import { DomainError } from '../../contract/domain-error.ts';
import type { Settings, SettingsSave } from './contract.ts';

/**
 * Checks a code against a secret, one step of drift allowed either way.
 * @returns the 30-second step the code belongs to; null when it fits none.
 */
export type VerifyTotp = (secret: string, code: string, nowMs: number) => number | null;

/** What a save does to two-factor sign-in. */
export interface TwoFactorChange {
  enable: boolean;
  /** Secret afterwards; empty while off, so that a secret never waits unused. */
  token: string;
  /** Step of the code of the secret in force, to be used up; null when two-factor sign-in was off. */
  usedStep: number | null;
  /** Codes of the new secret count when their step is later than this. */
  startAfterStep: number;
  /** True when it was off: a signed-in admin then proves who he is by password. */
  needsStepUp: boolean;
}

/** 80 bits of base32; authenticator apps make 128 and more. */
const SECRET_PATTERN = /^[A-Z2-7]{16,}=*$/i;

/**
 * Decides what a save means for two-factor sign-in. A secret in force is replaced or removed only with a code of it, and
 * a new secret is put in force only with a code of it (a typo would lock the admin out).
 * @returns null when the save does not touch it.
 * @throws {DomainError} `settings.twoFactorCode`, `settings.twoFactorNoSecret`, `settings.twoFactorSecret`
 */
export function planTwoFactor(
  stored: Settings,
  body: SettingsSave,
  nowMs: number,
  verifyTotp: VerifyTotp,
): TwoFactorChange | null {
  const wasOn = stored.twoFactorEnable;
  const enable = body.twoFactorEnable ?? wasOn;
  const submitted = (body.twoFactorToken ?? '').replaceAll(/\s/g, '').toUpperCase();
  const token = enable ? submitted || stored.twoFactorToken : '';
  if (wasOn === enable && (!enable || token === stored.twoFactorToken)) return null;

  const stepOf = (secret: string, code: string | undefined) => {
    const step = secret === '' ? null : verifyTotp(secret, (code ?? '').trim(), nowMs);
    if (step === null) throw new DomainError('settings.twoFactorCode');
    return step;
  };
  const usedStep = wasOn ? stepOf(stored.twoFactorToken, body.twoFactorCode) : null;
  if (!enable) return { enable, token, usedStep, startAfterStep: usedStep ?? 0, needsStepUp: false };
  if (token === '') throw new DomainError('settings.twoFactorNoSecret');
  if (!SECRET_PATTERN.test(token)) throw new DomainError('settings.twoFactorSecret');
  const proof = wasOn ? body.newTwoFactorCode : body.twoFactorCode;
  // The proof may sign in once more: the request that carried it carried the secret, so nothing is gained by its replay.
  const startAfterStep = wasOn && proof === undefined ? 0 : stepOf(token, proof) - 1;
  return { enable, token, usedStep, startAfterStep, needsStepUp: !wasOn };
}
