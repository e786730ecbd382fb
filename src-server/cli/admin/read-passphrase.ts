import { ValidationError } from '../../contract/envelope.ts';
import { toValidationIssues } from '../../contract/validation.ts';
import { takeBackup } from '../../domains/backup/contract.ts';

/** The first line of stdin: what stands on a command line is seen in the list of processes. */
export const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';

/** A passphrase for a new backup. @throws {ValidationError} */
export function newPassphrase(text: string): string {
  const parsed = takeBackup.body.safeParse({ passphrase: firstLine(text) }, { reportInput: true });
  if (!parsed.success) throw new ValidationError(toValidationIssues(parsed.error));
  return parsed.data.passphrase;
}
