import { FAIR_SCORE, GOOD_PASSWORD_LENGTH, type WeakPassword } from '../contract.ts';

/** Shorter names occur in too many passwords by chance. */
const MIN_NAME_LENGTH = 3;

/**
 * What is weak about a new password; null = nothing. It must have at least 10 characters or be rated fair by zxcvbn,
 * and must not contain the user name.
 */
export async function weaknessOf(password: string, username: string): Promise<WeakPassword | null> {
  const name = username.toLowerCase();
  if (name.length >= MIN_NAME_LENGTH && password.toLowerCase().includes(name)) return 'session.passwordHoldsName';
  if (password.length >= GOOD_PASSWORD_LENGTH) return null;
  // Imported on demand, since it is rarely needed. Imported here directly, the libraries would lose their names in the
  // bundle.
  const { strengthOf } = await import('./password-strength.ts');
  return strengthOf(password, [username]) >= FAIR_SCORE ? null : 'session.passwordWeak';
}
