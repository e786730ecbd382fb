import { X509Certificate } from 'node:crypto';
import { DomainError } from '../../contract/domain-error.ts';
import { loadCertificatePair } from '../../domains/settings/checks/certificate-pair.ts';
import { warningsOfServer } from '../../domains/settings/checks/certificate-warnings.ts';
import type { Settings } from '../../domains/settings/contract.ts';
import { errorText } from '../say-error.ts';
import { fine, todo, type Finding } from './finding.ts';

/** Whether the configured pairs load, are in date and fit the configured names. */
export async function checkCertificates(settings: Settings): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [what, server] of [
    ['panel', 'web'],
    ['subscription server', 'sub'],
  ] as const) {
    const isSet = settings[`${server}CertFile`] !== '' || settings[`${server}KeyFile`] !== '';
    if (isSet) findings.push(...(await checkPair(what, server, settings)));
  }
  return findings;
}

async function checkPair(what: string, server: 'web' | 'sub', settings: Settings): Promise<Finding[]> {
  const file = settings[`${server}CertFile`];
  try {
    const { cert } = await loadCertificatePair(file, settings[`${server}KeyFile`]);
    const warnings = await warningsOfServer(server, settings, Date.now());
    if (warnings.length > 0)
      return warnings.map(({ message }) => todo(`The ${what}: ${message}. Renew or replace ${file}`));
    const day = new Date(new X509Certificate(cert).validTo).toISOString().slice(0, 10);
    return [fine(`The certificate of the ${what} fits its key and is valid until ${day}.`)];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [todo(`The ${what} cannot use its certificate: ${errorText(error)}`)];
  }
}
