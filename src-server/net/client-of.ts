import type { X509Certificate } from 'node:crypto';

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

/** Whether this authority has issued the certificate for clients, and it is valid now. */
export function isClientOf(shown: X509Certificate, authority: X509Certificate, nowMs: number): boolean {
  const isIssued = shown.checkIssued(authority) && shown.verify(authority.publicKey);
  const isForClients = (shown.keyUsage as string[] | undefined)?.includes(CLIENT_AUTH) === true;
  return isIssued && isForClients && isValidAt(shown, nowMs);
}

export const isValidAt = ({ validFromDate, validToDate }: X509Certificate, nowMs: number): boolean =>
  validFromDate.getTime() <= nowMs && nowMs <= validToDate.getTime();

/** SHA-256, hex. */
export const fingerprintOf = ({ fingerprint256 }: X509Certificate): string =>
  fingerprint256.replaceAll(':', '').toLowerCase();
