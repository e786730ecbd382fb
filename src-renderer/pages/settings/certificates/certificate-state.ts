import type { Certificate, CertificateFacts } from '#contract/certificates';

const DAY_MS = 86_400_000;
/** Days before expiry that count as soon, whatever the lifetime. */
const ENDING_DAYS = 14;

/** Whole days until expiry; 0 on the last one and after it. */
export const daysLeft = ({ validTo }: CertificateFacts, nowMs: number): number =>
  Math.max(0, Math.floor((validTo - nowMs) / DAY_MS));

/** State of a certificate; one that is due for renewal and expires soon needs the operator. */
export function stateOf(
  { facts, isRevoked }: Pick<Certificate, 'facts' | 'isRevoked'>,
  nowMs: number,
): 'none' | 'valid' | 'ending' | 'expired' | 'revoked' {
  if (facts === null) return 'none';
  if (isRevoked) return 'revoked';
  if (facts.validTo <= nowMs) return 'expired';
  // Certificates of a few days always expire soon: for these only the last quarter counts.
  const near = Math.min(ENDING_DAYS * DAY_MS, (facts.validTo - facts.validFrom) / 4);
  return facts.validTo - nowMs < near ? 'ending' : 'valid';
}
