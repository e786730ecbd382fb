import type { FirstCredentials } from '../contract.ts';

const LIFETIME_MS = 60 * 60_000;

/**
 * Plain-text credentials of the first start, until they are confirmed as noted: shown only to the session that was
 * opened by the one-time link. In memory only, for an hour.
 */
export function createFirstCredentials(clock: () => number) {
  let held: { credentials: FirstCredentials; endMs: number; sessionIdHash: string | null } | null = null;
  return {
    hold(credentials: FirstCredentials): void {
      held = { credentials, endMs: clock() + LIFETIME_MS, sessionIdHash: null };
    },
    /** Cookie hash of the session that may see them. */
    grantTo(idHash: string): void {
      if (held !== null) held.sessionIdHash = idHash;
    },
    /** Null for every other session, and when there are no credentials (any more). */
    of(idHash: string | null): FirstCredentials | null {
      if (held === null || idHash === null || held.sessionIdHash !== idHash || held.endMs <= clock()) return null;
      return held.credentials;
    },
    forget(): void {
      held = null;
    },
  };
}
