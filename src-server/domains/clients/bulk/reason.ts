import { DomainError } from '../../../contract/domain-error.ts';
import type { Skipped } from './email-list.ts';
import { texts } from '../texts.ts';

/** English text of an expected failure. Rethrows anything else. */
export function reasonOf(error: unknown): string {
  const { code, params } = expected(error);
  const text = texts[code] ?? code;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in params ? String(params[name]) : whole));
}

/**
 * The entry for an item that a bulk call skips because of an expected failure. Rethrows anything else.
 * @param email empty when no single client is concerned.
 */
export function skippedFor(email: string, error: unknown): Skipped {
  const { code, params } = expected(error);
  const reason = reasonOf(error);
  return Object.keys(params).length === 0 ? { email, reason, code } : { email, reason, code, params };
}

function expected(error: unknown): DomainError {
  if (!(error instanceof DomainError)) throw error;
  return error;
}
