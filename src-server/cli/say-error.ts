import { DomainError } from '../contract/domain-error.ts';
import { ValidationError } from '../contract/envelope.ts';
import { createTranslate } from '../http/texts.ts';
import { ENGLISH } from '../texts.ts';

const translate = createTranslate({ en: ENGLISH });

/** Words for an expected failure, one line per issue; null when the error is a bug. */
export function errorText(error: unknown): string | null {
  if (error instanceof DomainError) return translate('en', error.code, error.params);
  if (error instanceof ValidationError) return error.issues.map(({ message }) => message).join('\n');
  return null;
}
