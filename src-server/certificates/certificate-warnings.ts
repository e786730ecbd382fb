import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { CertificateWarning } from '../contract/certificate-warning.ts';

/** Time in which an operator can still renew without haste. */
const EXPIRING_MS = 14 * 86_400_000;

/** A certificate and the place where it is configured. */
export interface PlacedCertificate {
  /** Member of the body or setting that names it. */
  field: string;
  /** Path as stored; empty when it is written into the configuration. */
  file: string;
  /** Null when the file or text holds no certificate. */
  certificate: X509Certificate | null;
}

/** Whether clients refuse the certificate now; whoever saves it should know at once. */
export const isUnfit = ({ kind }: CertificateWarning): boolean =>
  kind === 'expired' || kind === 'notYetValid' || kind === 'nameMissing';

/**
 * Warnings about validity dates. Only the certificate itself counts: chains may carry an old root that no client needs.
 */
export function dateWarnings({ field, file, certificate }: PlacedCertificate, nowMs: number): CertificateWarning[] {
  const warn = (kind: CertificateWarning['kind'], at: number, message: string): CertificateWarning[] => [
    { kind, field, file, at, name: '', names: [], message },
  ];
  if (certificate === null) return warn('unreadable', 0, 'the certificate cannot be read');
  const beginsAtMs = Date.parse(certificate.validFrom);
  const endsAtMs = Date.parse(certificate.validTo);
  if (endsAtMs <= nowMs) return warn('expired', endsAtMs, `the certificate expired on ${dayOf(endsAtMs)}`);
  if (beginsAtMs > nowMs)
    return warn('notYetValid', beginsAtMs, `the certificate is valid from ${dayOf(beginsAtMs)} on only`);
  return endsAtMs - nowMs <= EXPIRING_MS
    ? warn('expiring', endsAtMs, `the certificate expires on ${dayOf(endsAtMs)}`)
    : [];
}

/**
 * Whether the name that clients ask for is on any of the certificates: servers choose among them by name.
 * @param name empty = not known
 */
export function nameWarnings(name: string, field: string, placed: readonly PlacedCertificate[]): CertificateWarning[] {
  const certificates = placed.flatMap(({ certificate }) => certificate ?? []);
  if (name === '' || certificates.length === 0 || certificates.some((each) => covers(each, name))) return [];
  const names = [...new Set(certificates.flatMap(namesOn))];
  const carried = names.length === 0 ? 'none' : names.join(', ');
  const message = `the certificate is not made out to ${name}; names on it: ${carried}`;
  return [{ kind: 'nameMissing', field, file: '', at: 0, name, names, message }];
}

/** As today's clients match: the subject's common name no longer counts, and a star stands for one whole label. */
function covers(certificate: X509Certificate, name: string): boolean {
  const bare = name.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0) return certificate.checkIP(bare) !== undefined;
  const ascii = (domainToASCII(bare) || bare).replace(/\.$/, '');
  return certificate.checkHost(ascii, { subject: 'never', partialWildcards: false }) !== undefined;
}

/** Names and addresses for which a certificate is issued. */
export function namesOn({ subjectAltName = '' }: X509Certificate): string[] {
  return [...subjectAltName.matchAll(/(?:DNS|IP Address):([^,\s"]+)/g)].map(([, name = '']) => name);
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
