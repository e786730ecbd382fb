import { Secret, TOTP } from 'otpauth';

const PERIOD_MS = 30_000;

/**
 * Checks a six-digit code (SHA-1, 30 s) against a base32 secret in constant time, allowing one step of drift either
 * way.
 * @returns the 30-second step of the code, for replay protection; null when it matches none, or when the secret is
 * empty or unreadable.
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
