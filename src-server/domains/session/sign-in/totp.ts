import { Secret, TOTP } from 'otpauth';

const PERIOD_MS = 30_000;

/**
 * Checks a six-digit code (SHA-1, 30 s) against a base32 secret, one step of drift allowed either way, in constant time.
 * @returns the 30-second step that the code belongs to, for replay protection; null when it fits none, also for a secret
 * that is empty or unreadable.
 */
export function verifyTotp(secret: string, code: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const key = readSecret(secret);
  if (key === null || key.bytes.length === 0) return null;
  const drift = new TOTP({ secret: key }).validate({ token: code, window: 1, timestamp: nowMs });
  return drift === null ? null : Math.floor(nowMs / PERIOD_MS) + drift;
}

function readSecret(text: string): Secret | null {
  try {
    return Secret.fromBase32(text);
  } catch {
    return null;
  }
}
