import { DomainError } from '../contract/domain-error.ts';
import { ValidationError } from '../contract/envelope.ts';
import { createSay } from '../http/texts.ts';
import { storeTrouble } from '../store/store-trouble.ts';
import { ENGLISH } from '../texts.ts';

const say = createSay(ENGLISH);

/** Text of an expected failure or of trouble with the disk, one line per issue; null when the error is a bug. */
export function errorText(error: unknown): string | null {
  if (error instanceof DomainError) return say(error.code, error.params);
  if (error instanceof ValidationError) return error.issues.map(({ message }) => message).join('\n');
  const trouble = storeTrouble(error);
  return trouble === null ? null : say(trouble, {});
}
