import * as z from 'zod';

/** What a signed-in admin shows once more before a sensitive change: one of the two. */
export const StepUpProof = z.object({
  /** Password of the admin who makes the request, as a proof; or `twoFactorCode`. API tokens need neither. */
  currentPassword: z.string().max(1024).optional(),
  /** Code of the two-factor app, where that is enabled. */
  twoFactorCode: z.string().max(64).optional(),
});
export type StepUpProof = z.output<typeof StepUpProof>;
