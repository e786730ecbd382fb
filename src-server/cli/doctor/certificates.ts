import { X509Certificate } from 'node:crypto';
import { DomainError } from '../../contract/domain-error.ts';
import { loadCertificatePair } from '../../domains/settings/certificate-pair.ts';
import type { Settings } from '../../domains/settings/contract.ts';
import { errorText } from '../say-error.ts';
import { fine, todo, type Finding } from './finding.ts';

const DAY_MS = 86_400_000;
/** Time in which an operator can still renew calmly. */
const WARN_BEFORE_MS = 7 * DAY_MS;

/** Whether the configured pairs load and are in date. */
export async function checkCertificates(settings: Settings): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [what, cert, key] of [
    ['panel', settings.webCertFile, settings.webKeyFile],
    ['subscription server', settings.subCertFile, settings.subKeyFile],
  ] as const) {
    if (cert !== '' || key !== '') findings.push(await checkPair(what, cert, key));
  }
  return findings;
}

async function checkPair(what: string, certFile: string, keyFile: string): Promise<Finding> {
  try {
    const { cert } = await loadCertificatePair(certFile, keyFile);
    const endsAtMs = Date.parse(new X509Certificate(cert).validTo);
    const leftMs = endsAtMs - Date.now();
    const day = new Date(endsAtMs).toISOString().slice(0, 10);
    if (leftMs < 0) return todo(`The certificate of the ${what} expired on ${day}. Renew ${certFile}`);
    if (leftMs < WARN_BEFORE_MS) return todo(`The certificate of the ${what} expires on ${day}. Renew ${certFile}`);
    return fine(`The certificate of the ${what} fits its key and is valid until ${day}.`);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return todo(`The ${what} cannot use its certificate: ${errorText(error)}`);
  }
}
