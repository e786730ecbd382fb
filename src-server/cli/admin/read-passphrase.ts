import { ValidationError } from '../../contract/envelope.ts';
import { toValidationIssues } from '../../contract/validation.ts';
import { takeBackup } from '../../domains/backup/contract.ts';

/** The passphrase for a new backup. @throws {ValidationError} */
export function newPassphrase(text: string): string {
  const parsed = takeBackup.body.safeParse({ passphrase: text }, { reportInput: true });
  if (!parsed.success) throw new ValidationError(toValidationIssues(parsed.error));
  return parsed.data.passphrase;
}
