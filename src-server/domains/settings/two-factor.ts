import { DomainError } from '../../contract/domain-error.ts';
import type { Settings, SettingsSave } from './contract.ts';

/**
 * Checks a code against a secret, one step of drift allowed either way.
 * @returns the 30-second step of the code; null when it matches none.
 */
export type VerifyTotp = (secret: string, code: string, nowMs: number) => number | null;

export interface CodeChecks {
  verifyTotp: VerifyTotp;
  /** Called before a code of the current secret is checked. @throws {DomainError} when the caller has to wait */
  beginGuess: () => Promise<void>;
}

/** What a save does to two-factor sign-in. */
export interface TwoFactorChange {
  enable: boolean;
  /** Secret afterwards; empty while disabled, so that an unused secret is never kept. */
  token: string;
  /** Step of the current secret's code, to be used up; null when two-factor sign-in was disabled. */
  usedStep: number | null;
  /** Codes of the new secret count when their step is later than this. */
  startAfterStep: number;
  /** True when it was disabled: a signed-in admin then has to give the password. */
  needsStepUp: boolean;
}

/** 80 bits of base32; authenticator apps generate 128 and more. */
const SECRET_PATTERN = /^[A-Z2-7]{16,}=*$/i;

/**
 * Decides what a save means for two-factor sign-in. The current secret is replaced or removed only with one of its
 * codes, and a new secret takes effect only with one of its own (a typo would lock the admin out).
 * @returns null when the save does not touch it.
 * @throws {DomainError} `settings.twoFactorCode`, `settings.twoFactorNoSecret`, `settings.twoFactorSecret`
 */
export async function planTwoFactor(
  stored: Settings,
  body: SettingsSave,
  nowMs: number,
  { verifyTotp, beginGuess }: CodeChecks,
): Promise<TwoFactorChange | null> {
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
  if (wasOn && (body.twoFactorCode ?? '').trim() !== '') await beginGuess();
  const usedStep = wasOn ? stepOf(stored.twoFactorToken, body.twoFactorCode) : null;
  if (!enable) return { enable, token, usedStep, startAfterStep: usedStep ?? 0, needsStepUp: false };
  if (token === '') throw new DomainError('settings.twoFactorNoSecret');
  if (!SECRET_PATTERN.test(token)) throw new DomainError('settings.twoFactorSecret');
  const proof = wasOn ? body.newTwoFactorCode : body.twoFactorCode;
  // The proof may sign in once more: the request also carried the secret, so replaying it gains nothing.
  const startAfterStep = wasOn && proof === undefined ? 0 : stepOf(token, proof) - 1;
  return { enable, token, usedStep, startAfterStep, needsStepUp: !wasOn };
}
