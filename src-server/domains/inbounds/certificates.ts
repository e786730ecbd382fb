import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ValidationIssue } from '../../contract/envelope.ts';
import type { CertificatePair } from '../../core/config/inbound-rules.ts';

/** No certificate chain or key is longer; anything larger is not read. */
const MAX_FILE_BYTES = 1024 * 1024;

/**
 * The core takes garbage in place of a certificate, and starts without any: every handshake then fails. So each pair must
 * be readable, parse and belong together. One text serves missing, unreadable and unparsable files, which makes the check
 * useless for finding out what exists on the machine.
 * @param folder base of relative paths.
 */
export async function checkCertificates(pairs: readonly CertificatePair[], folder: string): Promise<ValidationIssue[]> {
  const issues: ValidationIssue[] = [];
  for (const pair of pairs) issues.push(...(await checkPair(pair, folder)));
  return issues;
}

async function checkPair(pair: CertificatePair, folder: string): Promise<ValidationIssue[]> {
  const issues: ValidationIssue[] = [];
  const refuse = (member: string, says: string) =>
    void issues.push({
      field: `${pair.field}.${member}`,
      rule: 'certificate',
      message: `${pair.field}.${member} ${says}`,
    });

  const certificate = parseCertificate(await contentOf(pair.certificateFile, pair.certificatePem, folder));
  if (certificate === null) {
    if (pair.certificateFile === '') refuse('certificate', 'is no PEM certificate');
    else refuse('certificateFile', 'names no readable PEM certificate; check the path and that the panel may read it');
  }
  if (pair.usage === 'verify') return issues;
  const key = parseKey(await contentOf(pair.keyFile, pair.keyPem, folder));
  const keyMember = pair.keyFile === '' ? 'key' : 'keyFile';
  if (key === null) {
    if (pair.keyFile === '') refuse('key', 'is no unencrypted PEM private key');
    else
      refuse(
        'keyFile',
        'names no readable, unencrypted PEM private key; check the path and that the panel may read it',
      );
  } else if (certificate !== null && !certificate.checkPrivateKey(key)) {
    refuse(keyMember, 'does not belong to the certificate');
  }
  return issues;
}

async function contentOf(file: string, pem: string, folder: string): Promise<string> {
  return file === '' ? pem : readShortFile(resolve(folder, file));
}

/** Empty for anything that is no ordinary, readable, short file: opening a pipe would never end. */
async function readShortFile(path: string): Promise<string> {
  try {
    const file = await stat(path);
    return file.isFile() && file.size <= MAX_FILE_BYTES ? await readFile(path, 'utf8') : '';
  } catch {
    return '';
  }
}

function parseCertificate(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}

function parseKey(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}
