import { createHash, randomBytes } from 'node:crypto';

const LIFETIME_MS = 60 * 60_000;
const MAX_TICKETS = 20;

/**
 * One-time links that sign a browser in: printed at the first start, or requested by the desktop shell. In memory only;
 * a restart invalidates them.
 */
export function createSetupTickets(clock: () => number) {
  /** By hash, so that comparing leaks nothing. */
  const expiresAtMs = new Map<string, number>();
  const keyOf = (token: string) => createHash('sha256').update(token).digest('hex');
  const isOpen = (token: string) => (expiresAtMs.get(keyOf(token)) ?? 0) > clock();
  return {
    /** Issues a ticket, valid for one hour and one use. */
    issue(): string {
      for (const [key, endMs] of expiresAtMs) if (endMs <= clock()) expiresAtMs.delete(key);
      const [oldest] = expiresAtMs.keys();
      if (expiresAtMs.size >= MAX_TICKETS && oldest !== undefined) expiresAtMs.delete(oldest);
      const token = randomBytes(32).toString('base64url');
      expiresAtMs.set(keyOf(token), clock() + LIFETIME_MS);
      return token;
    },
    isOpen,
    /** Uses the ticket up. @returns false when it is unknown, used or expired. */
    redeem(token: string): boolean {
      const wasOpen = isOpen(token);
      expiresAtMs.delete(keyOf(token));
      return wasOpen;
    },
  };
}
