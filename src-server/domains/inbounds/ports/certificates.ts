import { createPrivateKey, type KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { parseCertificate, readPemFile } from '../../../certificates/read-certificate.ts';
import type { ValidationIssue } from '../../../contract/envelope.ts';
import { inboundIssue } from '../field-texts.ts';
import type { CertificatePair } from '../../../core/config/inbound/inbound-rules.ts';

/**
 * The core accepts an invalid certificate, and starts without any: every handshake then fails. So each pair must be
 * readable, parse and match. Missing, unreadable and invalid files share one message, so the check does not reveal what
 * exists on the machine.
 * @param folder base of relative paths.
 */
export async function checkCertificates(pairs: readonly CertificatePair[], folder: string): Promise<ValidationIssue[]> {
  const issues: ValidationIssue[] = [];
  for (const pair of pairs) issues.push(...(await checkPair(pair, folder)));
  return issues;
}

async function checkPair(pair: CertificatePair, folder: string): Promise<ValidationIssue[]> {
  const issues: ValidationIssue[] = [];
  const certificate = parseCertificate(await contentOf(pair.certificateFile, pair.certificatePem, folder));
  if (certificate === null) {
    if (pair.certificateFile === '') issues.push(inboundIssue(`${pair.field}.certificate`, 'inboundField.certificate'));
    else issues.push(inboundIssue(`${pair.field}.certificateFile`, 'inboundField.certificateFile'));
  }
  if (pair.usage === 'verify') return issues;
  const key = parseKey(await contentOf(pair.keyFile, pair.keyPem, folder));
  const keyMember = pair.keyFile === '' ? 'key' : 'keyFile';
  if (key === null) {
    if (pair.keyFile === '') issues.push(inboundIssue(`${pair.field}.key`, 'inboundField.key'));
    else issues.push(inboundIssue(`${pair.field}.keyFile`, 'inboundField.keyFile'));
  } else if (certificate !== null && !certificate.checkPrivateKey(key)) {
    issues.push(inboundIssue(`${pair.field}.${keyMember}`, 'inboundField.keyElsewhere'));
  }
  return issues;
}

async function contentOf(file: string, pem: string, folder: string): Promise<string> {
  return file === '' ? pem : readPemFile(resolve(folder, file));
}

/** The core prints every key as `RSA PRIVATE KEY`, and reads any by its content. */
function parseKey(pem: string): KeyObject | null {
  return keyIn(pem) ?? keyIn(pem.replaceAll(/(-----(?:BEGIN|END)) [A-Z]+ (PRIVATE KEY-----)/g, '$1 $2'));
}

function keyIn(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}
