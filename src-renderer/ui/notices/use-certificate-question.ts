import { useState } from 'react';
import type { CertificateWarning } from '#wire/certificate-warning';
import { CallError } from '../../api/transport.ts';

export interface CertificateQuestion {
  isAsking: boolean;
  /** What was found about this subject, which a second save accepts. */
  warningsOf: (subject: string) => readonly CertificateWarning[];
  /** Whether a save may go on: nothing is wrong with the certificates, or it was on show when this was asked again. */
  isAccepted: (subject: string) => Promise<boolean>;
}

/**
 * Asks before a save whether its certificates will be refused.
 * @param ask answers for a subject, the JSON of what the check reads; an empty one has no certificates
 */
export function useCertificateQuestion(
  ask: (subject: string) => Promise<readonly CertificateWarning[]>,
): CertificateQuestion {
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
        // The save itself says what is wrong; an older panel does not know the question.
        if (error instanceof CallError) return true;
        throw error;
      } finally {
        setAsking(false);
      }
    },
  };
}
