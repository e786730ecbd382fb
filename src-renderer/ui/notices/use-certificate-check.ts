import { useState } from 'react';
import type { CertificateWarning } from '#wire/certificate-warning';
import { CallError } from '../../api/transport.ts';

export interface CertificateCheck {
  isChecking: boolean;
  /** Problems found for this subject, which a second save accepts. */
  warningsOf: (subject: string) => readonly CertificateWarning[];
  /** Whether a save may go on: no problems, or they were already shown when this was checked again. */
  isAccepted: (subject: string) => Promise<boolean>;
}

/**
 * Asks before a save whether its certificates will be refused.
 * @param check warnings for a subject, the JSON of the check's inputs; an empty one has no certificates
 */
export function useCertificateCheck(
  check: (subject: string) => Promise<readonly CertificateWarning[]>,
): CertificateCheck {
  const [isChecking, setChecking] = useState(false);
  const [checked, setChecked] = useState<{ subject: string; warnings: readonly CertificateWarning[] }>({
    subject: '',
    warnings: [],
  });
  return {
    isChecking,
    warningsOf: (subject) => (subject === checked.subject ? checked.warnings : []),
    async isAccepted(subject) {
      if (subject === '' || subject === checked.subject) return true;
      setChecking(true);
      try {
        const warnings = await check(subject);
        setChecked({ subject, warnings });
        return warnings.length === 0;
      } catch (error) {
        // The save itself reports problems; an older panel does not know this check.
        if (error instanceof CallError) return true;
        throw error;
      } finally {
        setChecking(false);
      }
    },
  };
}
