/** Why an update failed, in a sentence for the operator. */
export class UpdateFailure extends Error {}

/** The system's error in words. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return 'The disk is full.';
  return error.message;
}
