import * as z from 'zod';

/** Something its owner should know about a certificate; the certificate is used all the same. */
export const CertificateWarning = z.object({
  /** What is wrong: the certificate's dates, a missing name, or an unreadable file. */
  kind: z.enum(['expired', 'notYetValid', 'expiring', 'nameMissing', 'unreadable']),
  /** Member of the body that the warning is about. */
  field: z.string(),
  /** Path as stored; empty for a certificate that is written into the configuration. */
  file: z.string(),
  /** When the certificate expires or becomes valid, in ms since 1970; 0 where the warning is not about a date. */
  at: z.int(),
  /** Name that clients ask for and that no certificate carries; empty otherwise. */
  name: z.string(),
  /** Names and addresses that the certificates carry instead. */
  names: z.array(z.string()),
  /** What is wrong, in English. */
  message: z.string(),
});
export type CertificateWarning = z.infer<typeof CertificateWarning>;
