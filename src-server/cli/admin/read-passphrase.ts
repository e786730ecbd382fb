import { ValidationError } from '../../contract/envelope.ts';
import { toValidationIssues } from '../../contract/validation.ts';
import { takeBackup } from '../../domains/backup/contract.ts';

/** The first line of stdin: arguments on a command line show in the process list. */
export const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';

/** The passphrase for a new backup. @throws {ValidationError} */
export function newPassphrase(text: string): string {
  const parsed = takeBackup.body.safeParse({ passphrase: firstLine(text) }, { reportInput: true });
  if (!parsed.success) throw new ValidationError(toValidationIssues(parsed.error));
  return parsed.data.passphrase;
}
