import { useState } from 'react';
import type { CertificateWarning } from '#wire/certificate-warning';
import { CallError } from '../../api/transport.ts';

export interface CertificateCheck {
  isAsking: boolean;
  /** Problems found for this subject, which a second save accepts. */
  warningsOf: (subject: string) => readonly CertificateWarning[];
  /** Whether a save may go on: no problems, or they were already shown when this was asked again. */
  isAccepted: (subject: string) => Promise<boolean>;
}

/**
 * Asks before a save whether its certificates will be refused.
 * @param ask answers for a subject, the JSON of the check's inputs; an empty one has no certificates
 */
export function useCertificateCheck(
  ask: (subject: string) => Promise<readonly CertificateWarning[]>,
): CertificateCheck {
  const [isAsking, setAsking] = useState(false);
  const [asked, setAsked] = useState<{ subject: string; warnings: readonly CertificateWarning[] }>({
    subject: '',
    warnings: [],
  });
  return {
    isAsking,
    warningsOf: (subject) => (subject === asked.subject ? asked.warnings : []),
    async isAccepted(subject) {
      if (subject === '' || subject === asked.subject) return true;
      setAsking(true);
      try {
        const warnings = await ask(subject);
        setAsked({ subject, warnings });
        return warnings.length === 0;
      } catch (error) {
        // The save itself reports problems; an older panel does not know this check.
        if (error instanceof CallError) return true;
        throw error;
      } finally {
        setAsking(false);
      }
    },
  };
}
