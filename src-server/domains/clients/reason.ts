import { DomainError } from '../../contract/domain-error.ts';
import { texts } from './texts.ts';

/** English text of an expected failure, for the `reason` of an item that a bulk call skips. Rethrows anything else. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof DomainError)) throw error;
  const text = texts[error.code] ?? error.code;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in error.params ? String(error.params[name]) : whole,
  );
}
